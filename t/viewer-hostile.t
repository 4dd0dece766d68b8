#!/bin/sh
# The viewer in a real browser: malicious names, and extreme shapes.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

{
	cat <<'END_OF_PROFILE'
app;</script><script>harmed=1</script> 5
app;]]> 5
app;"quoted" 'single' 5
app;" onload="harmed=1 5
app;<img src=x onerror=harmed=1> 5
app;&amp;&lt; 5
app;javascript:harmed=1 5
app;${harmed=1} 5
app;\u0022 5
app;__proto__ 5
app;constructor 5
app;函数名称 5
app;🔥 hot 🔥 5
app;עברית 5
app; 5
END_OF_PROFILE
	printf 'app;over\342\200\256ride 5\napp;zero\342\200\213width 5\n'
} | fg-render --title '</title><script>harmed=1</script>' --subtitle '"]]>' -o names.svg
echo 'main 1' | fg-render -o one.svg
perl -e 'print "main;", "a" x 200000, " 1\n"; printf "main;%s%d 1\n", "a" x 900, $_ for 1 .. 2000' | fg-render -o long.svg
printf '# columns: base head\na;b 5 0\na 7 0\n' | fg-render -o gone.svg
printf 'app;a 1.5\napp;b .25\napp;c 3\n' | fg-render -o decimals.svg
echo 'app 17339400000' | fg-render --countname ns -o ns.svg
echo 'app 4404020' | fg-render --countname bytes -o bytes.svg
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "%slevel_%d", i ? ";" : "", i % 700; print " 7" }' |
	fg-render -o deep.svg
# More frames in all stacks than the viewer has in memory at a time when it reverses them.
awk 'BEGIN {
	for (i = 1; i <= 4200; i++) {
		stack = stack (i > 1 ? ";" : "") substr("abc", i % 3 + 1, 1)
		print stack, i
	}
}' | fg-render -o steps.svg
node -e "const {profile} = require('$here/browser/profile.js');
	const fs = require('node:fs');
	for (const line of profile(500000)) fs.writeSync(1, line + '\n')" >large.folded
fg-render -o large.svg large.folded
rm large.folded
echo '<!doctype html><img src="names.svg"><object data="one.svg"></object>' >embedding.html
{ echo '<!doctype html><body>'; sed 1d one.svg; } >inline.html
{
	echo "<!doctype html><meta http-equiv=Content-Security-Policy content=\"default-src 'none';"
	echo "style-src 'unsafe-inline'\"><body>"
	echo 'app;main_[l] 1' | fg-render | sed 1d
} >policy.html
node "$here/browser/hostile.js" "$tmp"
