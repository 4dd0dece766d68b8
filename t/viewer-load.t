#!/bin/sh
# How a static SVG becomes the interactive viewer in a real browser, and its message if it cannot.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node'
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium'

fg-render -o plain.svg "$here/data/viewer-plain.folded"
printf '%s 10\n' 'हिन्दी_शब्द_हिन्दी_शब्द' '日本語日本語日本語日本語日本語日本語' '👩‍🔬👩‍🔬👩‍🔬👩‍🔬👩‍🔬👩‍🔬' 'ﷺﷺﷺﷺﷺﷺﷺﷺﷺﷺ' \
	'𒐫𒐫𒐫𒐫𒐫𒐫𒐫𒐫𒐫𒐫' | fg-render --width 500 -o wide.svg
awk 'BEGIN { for (i = 0; i < 200; i++) { s = s "f" i ";"; print s "x 1;y" i " 1"; print s "x " 300 } }' | fg-render --chains keep --max-depth 300 -o tall.svg
awk 'BEGIN { for (i = 0; i < 300; i++) { s = s "f" i ";"; for (k = 0; k < 4; k++) print s "x" k, (i > 12 ? 1 : 3000) } }' | fg-render -o tower.svg
node "$here/browser/load.js" "$tmp"
