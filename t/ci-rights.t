#!/bin/sh
# share/ci's workflows of GitHub: code of a pull request has no token and no right to write.
# tier: quick
. "$(dirname "$0")/lib.sh"
command -v perl >/dev/null || skip_all 'perl is not installed' perl

cp "$here"/../share/ci/github*.yml .
output 'the workflows give no right to code of a pull request' '' perl "$here/ci-rights.pl" github.yml github-comment.yml

# found NAME WHAT FILE EXPRESSION: the workflows have this fault with FILE changed by sed.
found() {
	mkdir -p changed
	cp github*.yml changed
	sed "$4" "$3" >"changed/$3"
	perl "$here/ci-rights.pl" changed/*.yml >faults
	check "$1 is found" sh -c '! cmp -s "$2" "changed/$2" && cat faults && grep -qF -- "$1" faults' - "$2" "$3"
}
found 'a token in .git/config' 'a checkout leaves its token' github.yml '/persist-credentials/d'
found 'credentials that persist' 'a checkout leaves its token' github.yml 's/persist-credentials: false/persist-credentials: true/'
found 'a right to write beside foreign code' 'may write' github.yml 's/contents: read/&\n  pull-requests: write/'
found 'a right to write of one job' 'may write' github.yml 's/^    runs-on/    permissions: write-all\n&/'
found 'a workflow without permissions' 'no permissions' github.yml '/^permissions/,/^$/d'
found 'a token in a variable' 'gets a token' github.yml 's/^      MODE:/      GH_TOKEN: ${{ github.token }}\n&/'
found 'the event pull_request_target' 'runs with the rights' github.yml 's/^  pull_request:/  pull_request_target:/'
found 'a comment from the job that builds' 'no workflow posts' github-comment.yml 's/: write/: read/'
found 'foreign code beside the right to write' 'it checks code out' github-comment.yml 's/^    steps:/&\n      - uses: actions\/checkout@v4/'
found 'a comment at another event' 'it is started by pull_request_review' github-comment.yml 's/^  workflow_run:/  pull_request_review:\n&/'
found 'a comment of another workflow' 'does not follow' github-comment.yml 's/\[profile\]/[other]/'
found 'the name of a branch as a part of a script' 'others choose: github.event.workflow_run.head_branch' github-comment.yml \
	's/\$BRANCH/${{ github.event.workflow_run.head_branch }}/'
done_testing
