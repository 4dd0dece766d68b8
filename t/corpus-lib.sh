# Sourced by the tests that read ../shared/corpus. The corpus complements t/data/formats and is
# optional. Tables of (file, options, expected):
#
#   formats <<EOF         a row for each file of the corpus and its options:
#   FILE | OPTIONS | REFERENCE | RULES
#
# REFERENCE is the file beside FILE that another tool produced from it; `= TEXT`, the complete
# output; `total N`, the sum of the values; `refused TEXT`, exit status 2 and words of the message.
# RULES are functions of formats-rules.pl, applied to both sides. A rule that changes neither side
# fails, so each rule is a real difference from the reference.
. "$(dirname "$0")/formats-lib.sh"
[ -n "$shared" ] || skip_all 'no ../shared/corpus'
corpus=$shared/corpus
rules="perl $here/formats-rules.pl"

# without_zstd FILE: whether FILE needs zstd and fg-collapse was built without it
without_zstd() {
	[ "${1%.zst}" != "$1" ] && fg-collapse -V | grep -q '^zstd input: not built in'
}

read_maybe_gz() {
	case $1 in
	*.gz) gzip -dc "$1" ;;
	*) cat "$1" ;;
	esac
}

# compare NAME REFERENCE RULES: ./got equals REFERENCE after RULES.
compare() {
	read_maybe_gz "$2" | $rules $3 >want.rules
	$rules $3 <got >got.rules
	same "$1" want.rules got.rules
	for rule in $3; do
		rest=$(printf '%s\n' $3 | grep -vx "$rule")
		read_maybe_gz "$2" | $rules $rest >want.less
		$rules $rest <got >got.less
		if cmp -s want.less got.less; then
			echo "the rule $rule is not needed" >"$tmp/.said"
			not_ok "$1: $rule"
		fi
	done
}

formats() {
	while IFS='|' read -r file options reference rule; do
		file=$(echo $file) reference=$(echo "$reference" | sed 's/^ *//; s/ *$//')
		case $file in
		'' | '#'*) continue ;;
		esac
		name="$file${options# }"
		name=$(echo $name)
		at=$corpus/$file
		if without_zstd "$file"; then
			skip "$name" 'built without libzstd' libzstd-dev
			continue
		fi
		case $reference in
		refused*)
			eval "fg-collapse $options '$at'" >got 2>refusal
			echo "exit status $?, $(wc -l <got) lines written" >got
			echo 'exit status 2, 0 lines written' >want
			same "$name is refused" want got
			check "the reason of the refusal: ${reference#refused }" grep -qF -- "${reference#refused }" refusal
			continue
			;;
		esac
		eval "fg-collapse -q --no-header $options '$at'" >got 2>.said || { not_ok "$name: exit $?"; continue; }
		case $reference in
		'= '*)
			printf '%b\n' "${reference#= }" >want
			sed '/^# /d' got >got.stacks
			same "$name" want got.stacks
			;;
		'total '*)
			echo "${reference#total }" >want
			awk '!/^# / { s += $NF } END { printf "%.10g\n", s }' got >got.total
			same "$name: total" want got.total
			;;
		*) compare "$name" "$(dirname "$at")/$reference" "$rule" ;;
		esac
	done
}
