#!/bin/sh
# One table of cases for rules that the viewer and fg-render both implement.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
node "$here/browser/cases.js"
