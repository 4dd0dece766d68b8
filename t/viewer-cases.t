#!/bin/sh
# Where the viewer and fg-render must find out the same, one table of cases is run by both.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node'
node "$here/browser/cases.js"
