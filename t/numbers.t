#!/bin/sh
# Numbers in options: one grammar in all options of all programs. --help names each kind of number
# with a word of its own, and each option of a kind takes
# and refuses the same spellings.
# tier: quick
. "$(dirname "$0")/lib.sh"

# Lines of "program --option WORD", of options with an argument, without the brackets of optional
# ones. Each word is a number's or a text's; a new one needs a place here.
for p in record collapse merge diff filter render; do
	"$BIN/fg-$p" --help | sed -n 's/^  .\{0,6\}\(--[a-z0-9-]*\)=\([^ ]*\).*/fg-'$p' \1 \2/p
		s/^  .\{0,6\}\(--[a-z0-9-]*\)\[=\([^ ]*\)\].*/fg-'$p' \1 \2/p'
done >options
awk -v texts='FILE DATE KEYS NAME NAMES NAME,... RE REGEX EXPR KEY KEY=VALUE LANGUAGES WHAT TEXT s/RE/TEXT/ \
	VARIABLE drop|merge|only all PID|NAME[,...] TID[,TID...] GROUP EVENT HOW FORMAT DIR LIST LETTERS tsv \
	base|label:KEY|NAME=FILE MODEL BY FRAME ORDER UNIT FONT #rrggbb FILE=X' '
	BEGIN {
		split("TIME time STEP time WINDOW time SIZE size N count HZ count PERIOD count " \
			"N% percent N[%] either X decimal PIXELS decimal C part", w, " ")
		for (i = 1; i in w; i += 2)
			kind[w[i]] = w[i + 1]
		n = split(texts, t, " ")
		while (n > 0)
			text[t[n--]]
	}
	$3 in kind { print $1, $2, kind[$3] >"numbers"; next }
	!($3 in text) { print }' options >neither
: >none
same 'the argument of each option is a kind of number or a text (a new word needs a kind)' none neither
for kind in time size count percent either decimal part; do
	check "there are options of the kind $kind" grep -q " $kind$" numbers
done

# The spellings: kind, accepted ones, refused ones. `_` is the empty text, `~` a space.
cat >spellings <<'END'
time 20 1.5 .5 1e1 20ms 500000us 2m 2min 1h 1s 20MS | 0x10 _ -1 +1 ~1 1~s 1.5.2 inf nan 20% 1k 5x 1e 1ms2
size 64 32k 32K 32kB 32KiB 32kib .06M 64000B 1e2 | 0x10 _ -1 +1 ~1 1~k inf nan 20% 5x 1kk 1kx 1iB 20ms
count 20 020 99 | 0x10 _ -1 +1 ~20 1.5 2k 2e1 20% 20ms inf nan 99999999999999999999
percent 5 5% .5 .5% 5.5% 1e1% 0 | 0x10 _ -1 +1 ~5 5~% 5%% % inf nan 5k 5ms
either 5 5% .5 .5% 5.5% 1e1% 0 | 0x10 _ -1 +1 ~5 5~% 5%% % inf nan 5k 5ms
decimal 20 20.5 2e1 | 0x10 _ -1 +1 ~20 inf nan 20% 20k 20px 0x1p5
part 0.9 .9 90% 99.5% 9e-1 | 0x10 _ -1 +1 ~.9 90 inf nan 90%% .9k
END

# Options are read in order: a program that accepts this one complains about the next.
taken() { # PROGRAM OPTION SPELLING: exit 0 if it is accepted, 1 if the error names the option
	"$1" "$2=$3" --no-such-option >out 2>&1
	! grep -q "bad value" out && grep -q 'unknown .*--no-such-option' out && return 0
	grep -q "bad value '$3'" out && return 1
	return 2
}
while read -r kind spellings; do
	while read -r program option its; do
		[ "$its" = "$kind" ] || continue
		wrong= want=0
		for spelling in $spellings; do
			case $spelling in
			'|') want=1 && continue ;;
			_) spelling= ;;
			esac
			# --fontwidth is a part of a letter's size
			[ "$option/$want" = --fontwidth/0 ] && spelling=1.5
			spelling=$(printf %s "$spelling" | tr '~' ' ')
			taken "$program" "$option" "$spelling"
			[ $? -eq $want ] || wrong="$wrong $spelling"
		done
		check "$program $option takes and refuses the spellings of a $kind${wrong:+; wrong:$wrong}" test -z "$wrong"
	done <numbers
done <spellings

# Spellings of one number are one number.
printf 'a;b 3\na;c 97\n' >p
fg-render -T top --min-percent 5 p >one
fg-render -T top --min-percent=5.0% p >two
same 'fg-render --min-percent 5.0% is --min-percent 5' one two
fg-merge --scale p=2 p >one
fg-merge --scale p=2.0 p >two
same 'fg-merge --scale 2.0 is --scale 2' one two
status "fg-merge --scale p=0x2 is refused" 2 fg-merge --scale p=0x2 p
cat >t <<'END'
# time: 0.25 s 0
a 1
# time: 60 s 0
b 1
# time: 7200 s 0
c 1
END
for range in '--from 1m --to 2h' '--from 60 --to 120min' '--from 6e1 --to 7200s' '--from 60000ms --to 7200'; do
	# shellcheck disable=SC2086
	output "fg-filter $range" 'b 1' fg-filter --no-header $range t
done
for above in 5 5% self:5 total:5%; do
	printf 'a 1000000\n' >base
	printf 'a 1200000\n' >head
	fg-diff --noise none --fail-above $above base head >/dev/null 2>&1
	check "fg-diff --fail-above $above fails 20 % more" test $? = 1
	fg-diff --noise none --fail-above 5${above##*5} --fail-above self:25 base base >/dev/null 2>&1
	check "fg-diff --fail-above 5${above##*5} passes equal profiles" test $? = 0
done
done_testing
