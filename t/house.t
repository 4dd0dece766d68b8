#!/bin/sh
# The order of the house: the wings of common/ stand on those to their left,
# base <- profile, code <- trace.
. "$(dirname "$0")/lib.sh"

stands_on() {
	output "common/$1 includes nothing of $2" '' \
	    grep -rnE "#include \"($2)/" "$here/../common/$1"
}

stands_on base 'profile|code|trace'
stands_on profile 'code|trace'
stands_on code 'profile|trace'
done_testing
