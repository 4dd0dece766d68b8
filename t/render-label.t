#!/bin/sh
# fg-render: shortened labels, in a font of ten pixels a character.
# tier: quick
. "$(dirname "$0")/lib.sh"

while IFS='|' read -r room name want; do
	printf '%s 1\n' "$name" | fg-render --no-javascript --fontsize 10 --height 18 --fontwidth 1 \
	    --width $((room * 10 + 26)) - >out.svg
	# If a fallback font may be used, each label is in an svg element of its own that clips it.
	got=$(sed -E -e 's/<svg x="[0-9.]*" y="(-2|-3)[^>]*>(<text.*)<\/svg>/\2/' -e 's/^<text x="3" y="12/<text x="3" y="-24/' out.svg |
	    sed -n 's/^<text x="3" y="-2[0-9.]*"[^>]*>\(.*\)<\/text>$/\1/p' |
	    sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g')
	check "label, $room: $name: $got" test "$got" = "$want"
done <<END
$(sed '/^#/d' "$here/data/cases/label.txt")
END

printf 'abcdefg 1\n' | fg-render --no-javascript --fontsize 10 --fontwidth 1 --width 60 - >out.svg
check 'a label of three characters is drawn' grep -q '>ab…<' out.svg
printf 'x 9\nabcdefg 91\n' | fg-render --no-javascript --fontsize 10 --fontwidth 1 --width 320 - >out.svg
check 'a label of two characters is not drawn' test "$(grep -c '>x<' out.svg)" = 0
done_testing
