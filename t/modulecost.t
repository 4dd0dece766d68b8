#!/bin/sh
# The limits of time and memory of one module while fg-record symbolizes (telling/modulecost).
# tier: quick
. "$(dirname "$0")/lib.sh"
[ -x "$UNIT/modulecost" ] || skip_all 'no t/unit/modulecost; make units builds it'

# judged NAME WANT LINES: the last answer to lines of input
judged() {
	output "$1" "$2" sh -c 'printf "$2" | "$1" | tail -n 1' - "$UNIT/modulecost" "$3"
}
many=4000000000
judged 'a module below two minutes' within "begin $many 0\n1 119000000000 0\n"
judged 'the times of a module add up' time "begin $many 0\n1 60000000000 0\n2 1 1\n1 60000000000 0\n"
judged 'the times of two modules do not' within "begin $many 0\n1 100000000000 0\n2 100000000000 0\n"
judged 'a module may use half of the memory' within "begin $many 0\n1 1 1900000000\n"
judged 'not more' memory "begin $many 0\n1 1 1000000000\n1 1 1000000000\n"
judged 'half of it after a module at fault' time "begin $many 1\n1 60000000000 0\n"
judged 'after one at fault: below half of the memory' within "begin $many 1\n1 1 900000000\n"
judged 'after many at fault: 8 s and 64 MB' within "begin $many 63\n1 7900000000 67000000\n"
judged 'after many at fault: above 8 s' time "begin $many 64\n1 8000000000 0\n"
judged 'a new beginning forgets the costs' within "begin $many 0\n1 110000000000 0\nbegin $many 0\n1 110000000000 0\n"
awk 'BEGIN { print "begin 4000000000 0"; for (i = 1; i <= 5000; i++) print i, 1, 1 }' >many
output 'numbers of modules that cannot be are a fault' invalid sh -c '"$0" <many | tail -n 1' "$UNIT/modulecost"
done_testing
