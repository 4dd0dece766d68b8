#!/bin/sh
# The completions of bash, zsh and fish: options of --help, and the values of options.
# tier: quick
. "$(dirname "$0")/lib.sh"

# The scripts as `make install` writes them, with complete.awk inserted.
for script in fg.bash _fg fg.fish; do
	awk -v part="$here/../share/completions/complete.awk" -v q="'" '{ at = index($0, "@complete.awk@") }
		!at { print; next }
		{ printf "%s", substr($0, 1, at - 1); while ((getline line < part) > 0) if (line !~ /^#/) print line; print q }' \
	    "$here/../share/completions/$script" >$script
	check "$script: has the script in it" test "$(grep -c '@complete.awk@' $script)$(grep -c 'function values' $script)" = 01
done

# For each shell: complete LINE prints the completions of LINE's last word.
in_bash() {
	bash -c '. ./fg.bash
		COMP_WORDS=($(sed "s/=/ = /g" <<<"$1"))
		[[ $1 == *[\ =] ]] && COMP_WORDS+=("")
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		_fg "${COMP_WORDS[0]}"
		printf "%s\n" "${COMPREPLY[@]}"' - "$1"
}
in_zsh() {
	zsh -fc 'compadd() { while [[ $1 == -* && $1 != -- ]]; do shift; done; shift; print -l -- ${(M)@:#$PREFIX*} }
		_describe() { local -a all; all=(${(P)2}); all=(${all%%:*}); print -l -- ${(M)all:#$PREFIX*} }
		_files() { }
		compset() { PREFIX=${PREFIX#*=} }
		complete_() { source ./_fg }
		words=(${(z)1})
		[[ $1 == *\  ]] && words+=("")
		CURRENT=$#words PREFIX=$words[-1]
		complete_' - "$1"
}
in_fish() {
	fish --no-config -c 'source ./fg.fish; complete -C "$argv[1]"' "$1" | cut -f 1 | sed 's/^--[a-z-]*=//'
}

# Lists of words in --help: each program takes these values, and no others where its message lists
# them. `auto` and the picture are defaults.
for p in record collapse merge diff filter render; do
	"$BIN/fg-$p" --help >help
	sed -n 's/^  .\{0,6\}\(--[a-z0-9-]*\)\[*=.*/\1/p' help | while read -r option; do
		awk -v option="$option" -f "$here/../share/completions/complete.awk" help >words
		"fg-$p" "$option=/" --no-such-option 2>&1 | sed -n 's/, or several with commas//; s/.*(expected \([a-z][a-zA-Z0-9:,# -]*\)).*/\1/p' |
		    grep -vE 'time|size|number|percentage|one word|^auto$' | sed 's/ or /, /; s/, /\n/g' | grep -E '^[a-z][a-z0-9-]*$' | grep -vxE 'auto|svg' >known
		case $p$option in
		render--color | render--colors | render--palette | record--event | collapse--annotate | merge--prefix) continue ;; # of several kinds
		esac
		LC_ALL=C sort words | grep -vx auto >words.sorted
		LC_ALL=C sort known >known.sorted
		cmp -s words.sorted known.sorted || echo "$p $option: $(tr '\n' ' ' <words)"
		[ ! -s known.sorted ] || echo "$p $option" >>lists
	done
done >differ
: >none
same 'the values of completions are those that the programs take' none differ
check 'a dozen options and more have lists of values' test "$(wc -l <lists)" -gt 12

for shell in bash zsh fish; do
	if ! command -v $shell >/dev/null; then
		skip $shell "there is no $shell" $shell
		continue
	fi
	# has NAME LINE WORD...: all words are completions; lacks NAME LINE WORD: the word is not
	has() {
		name=$1 line=$2
		shift 2
		in_$shell "$line" >got 2>"$tmp/.errors"
		cat "$tmp/.errors" got >"$tmp/.said"
		for word in "$@"; do
			grep -qxF -e "$word" got || { not_ok "$shell: $name: $word"; return; }
		done
		ok "$shell: $name"
	}
	has 'options' 'fg-render --col' --colors --column --columns
	has 'short options' 'fg-diff -' -o -h
	has 'completion of -T' 'fg-render -T ' top tree flame markdown pprof otlp-json d3
	has 'completion of -T by prefix' 'fg-render -T t' top tree
	check "$shell: completion by prefix finds nothing else" test "$(wc -l <got)" = 2
	has 'completion of --order' 'fg-render --order ' name weight input
	has 'colours behind =' 'fg-render --colors=' origin differential hot rust
	has 'languages' 'fg-filter --lang=' python ruby haskell
	has 'words behind =' 'fg-filter --kernel=' drop merge only
	has 'completion of --report' 'fg-diff --report=' text tsv markdown json
	has 'completion of -f' 'fg-collapse -f ' perf perf.data speedscope jfr
	has 'formats behind =' 'fg-collapse --format=jf' jfr jfr-text
	has 'completion of -e' 'fg-record -e ' cycles cpu-clock page-faults
	has 'completion of --call-graph' 'fg-record --call-graph=' dwarf fp lbr
	in_$shell 'fg-merge --no-header ' >got 2>/dev/null
	status "$shell: an option without a value: no values" 1 grep -qx 'columns' got
done
done_testing
