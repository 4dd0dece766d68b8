#!/bin/sh
# Every file of ../shared/corpus: the filters accept folded stacks only, and fg-collapse recognizes
# folded stacks only in those.
# tier: full
. "$(dirname "$0")/lib.sh"
[ -n "$shared" ] || skip_all 'no ../shared/corpus'

for index in corpus/INDEX.tsv corpus/third/INDEX.tsv; do
	dir=$shared/${index%/*}
	cut -f1,2 "$shared/$index" | tail -n +2 | while IFS='	' read -r kind file; do
		[ -f "$dir/$file" ] || file=$kind/$file
		[ -f "$dir/$file" ] || continue
		want=2
		case $file in
		folded/* | recursive/* | diff-folded/* | bcc/offcputime-9.txt | bcc/wakeuptime-23.txt) want=0 ;;
		austin-text/*) continue ;; # folded stacks with a header of their own
		esac
		for p in fg-merge fg-filter fg-render "fg-diff $dir/$file"; do
			$p "$dir/$file" >got 2>/dev/null
			st=$?
			[ $st = $want ] && { [ $st = 0 ] || [ ! -s got ]; } || echo "${p%% *} exits $st for $file"
		done
		fg-collapse -v "$dir/$file" 2>&1 >/dev/null | grep -q 'format folded$'
		[ $? = $((want / 2)) ] || echo "fg-collapse is wrong about $file"
	done
done >wrong
same 'corpus: only folded stacks are accepted' /dev/null wrong
done_testing
