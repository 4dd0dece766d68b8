#!/bin/sh
# make install puts every file in place below DESTDIR and PREFIX, make uninstall removes all of
# them; make dist archives the last commit.
# tier: quick
. "$(dirname "$0")/lib.sh"

tree=$here/..
made() { # GOAL: of the tree, with the programs that are tested
	make -s -C "$tree" BUILD=1 O="$(dirname "$(dirname "$UNIT")")" B="$BIN" PREFIX=/opt/fg DESTDIR="$tmp/root" "$@"
}
check 'make install succeeds' made install-files
root=$tmp/root/opt/fg
for program in fg-collapse fg-diff fg-filter fg-merge fg-record fg-render; do
	check "$program can be run" test -x "$root/bin/$program"
	check "$program has its manual" test -s "$root/share/man/man1/$program.1"
	check "$program has completions for bash and fish" \
	    test -s "$root/share/bash-completion/completions/$program" -a -s "$root/share/fish/vendor_completions.d/$program.fish"
done
check 'cargo finds its subcommand fg, and its manual' test -x "$root/bin/cargo-fg" -a -s "$root/share/man/man1/cargo-fg.1"
check 'the recipe for CI is there' test -x "$root/share/fg/ci/compare"
check 'zsh has its completions' test -s "$root/share/zsh/site-functions/_fg"
check 'folded(5) is there' test -s "$root/share/man/man5/folded.5"
check 'the service names the program' grep -q '^ExecStart="/opt/fg/bin/fg-record"' "$root/share/fg/systemd/fg-record.service"
for f in "$tree"/share/recipes/*; do
	check "the recipe ${f##*/} is there" test -s "$root/share/fg/recipes/${f##*/}"
done
output 'an installed program works' 'a;b 3' sh -c 'echo "a;b 3" | "$0"' "$root/bin/fg-merge"
output 'nothing can be written by others' '' find "$tmp/root" ! -type l -perm -002
check 'make uninstall succeeds' made uninstall-files
output 'make uninstall: no file is left' '' find "$tmp/root" -type f

if command -v git >/dev/null && git -C "$tree" rev-parse HEAD >/dev/null 2>&1 && [ -z "$(git -C "$tree" status --porcelain -uno 2>/dev/null)" ]; then
	git -C "$tree" archive --format=tar --prefix=fg-x/ HEAD | gzip -9n >fg.tar.gz
	gzip -dc fg.tar.gz | tar -t | sed 's|^fg-x/||' | grep -v '/$' | sort >packed
	git -C "$tree" ls-files | sort >files
	grep -v '^$' packed | diff files - >"$tmp/.said" && ok 'make dist packs each file of the commit' || not_ok 'make dist packs each file of the commit'
else
	skip 'make dist' 'no clone without changes'
fi
done_testing
