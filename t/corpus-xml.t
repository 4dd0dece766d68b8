#!/bin/sh
# XML profiles of the corpus.
# tier: full
. "$(dirname "$0")/corpus-lib.sh"
fg-collapse --version | grep -q '^XML profiles: expat' || skip_all 'built without expat' libexpat1-dev
formats <<'EOF'
xctrace/inferno-basic.xml.gz | -e samples --no-comm --addrs | inferno-basic.xml.inferno.folded | arguments escape hexadecimal
xctrace/inferno-basic.xml.gz | | total 9581000000
EOF
done_testing
