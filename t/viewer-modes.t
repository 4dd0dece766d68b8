#!/bin/sh
# The viewer's colour modes and views of columns, in a real browser.
# tier: full
. "$(dirname "$0")/lib.sh"

command -v node >/dev/null || skip_all 'no node' nodejs
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || skip_all 'no Chromium' chromium

cat >origins.folded <<'END_OF_PROFILE'
app;kernel_[k] 20
app;shared_[l] 20
app;jit_[j] 20
app;inlined_[i] 20
app;libc.so.6`memcpy 20
app;vmlinux`schedule 20
app;[unknown] 20
app;site-packages/x.py:run 40
app;node_modules/y.js:go 40
END_OF_PROFILE
fg-render -o origins.svg origins.folded
fg-render --stroke-color '#00ff00' -o outlined.svg origins.folded
cat >palettes.folded <<'END_OF_PROFILE'
jit_[j] 1
jit/x_[j] 1
inlined_[i] 1
kernel::x_[k] 1
kernel_[k] 1
library.so_[l] 1
waker_[w] 1
std::vec::Vec::push 1
<T as core::fmt::Debug>::fmt 1
alloc::raw_vec 1
serde::de 1
mycore::x 1
-[NSObject init] 1
+[NSObject new] 1
Object.wait 1
Ljava.lang.String.length 1
java/util/Map.get 1
[unknown] 1
[libx.so.6] 1
./a.out 1
read 1
node:fs 1
/app/main.js:12 1
app.js/x 1
LazyCompile:~x /app/y.mjs 1
Perl_pp_add 1
main.pl 1
My::Module::run 1
site-packages/x.py:run 1
dist-packages/y.py:go 1
/usr/lib/python3.11/json.py:dumps 1
<built-in function len> 1
<method 'append'> 1
<frozen importlib> 1
libc.so.6`memcpy 1
- 1
-- 1
END_OF_PROFILE
for palette in hot mem io red green blue yellow purple aqua orange wakeup chain java js perl python rust; do
	fg-render --color $palette -o palette-$palette.svg palettes.folded
done
printf 'a->rgb(1,2,3)\n' >palette.map
printf 'a 10\nb 20\n' | fg-render --color java --cp=palette.map -o kept.svg
printf 'a 10\nb 20\n' | fg-render --total 40 -o total.svg
fg-render -o long.svg <<'END_OF_PROFILE'
[libverylongname.so.6.0.0] 30
do_execveat_common.isra.0 30
std::vector<int, std::allocator<int> >::push_back(int const&) 30
org.example.deep.packages.Resolver.resolveEverything 30
/usr/lib/python3.11/json/decoder.py:load 30
(anonymous namespace)::helper_with_a_name(char const*) 30
Foo::operator()(int, char const*, std::string) 30
long name with blanks.and dots 30
short 100
app;operator<< <char, traits>(std::ostream&) 20
app;main;a::b::c::d::e::f::g::h::i::j::k::l::m::n::o 20
app;main;Wörter::mit::Umlauten::größer::als::zehn 20
END_OF_PROFILE
fg-render -o bare.svg <<'END_OF_PROFILE'
app;kernel 20
app;shared 20
app;memcpy 20
app;schedule 20
END_OF_PROFILE
fg-render -o diff.svg "$here/data/viewer-diff.folded"
fg-render -o causes.svg <<'END_OF_PROFILE'
# columns: base head 0 0
# compared: exact 0 0
app;handle;cause 200 400
app;handle;middle 100 150
app;handle;little 100 104
app;gain 150 120
app;same 300 300
END_OF_PROFILE
fg-render -o noise.svg <<'END_OF_PROFILE'
# columns: base head noise
app;up 100 150 1
app;really 100 190 0
app;less 150 40 0
END_OF_PROFILE
printf 'a;b 3\na 2\na;c 4\na 5\nd 3\n' | fg-render --flamechart -o chart.svg
printf '# unit: ns 0\na 1000000000\nb 2000000000\na 2000000000\n' | fg-render --flamechart -o long-chart.svg
printf 'r;a 4294967290\nr;b;a 4\nc 1\n' | fg-render -o sum32.svg
printf 'r;a 4294967290\nr;b;a 4\nc 2\n' | fg-render -o sum33.svg
seq 66000 | sed 's/.*/m;f&;g 1/' | fg-render -o names.svg
printf 'libc.so.6`memcpy\thref=https://example.org/memcpy\n' >attributes
fg-render --fontsize 10 --height 14 --colordiffusion --color hot --search-color '#00ff00' --total 300 \
	--nameattr attributes -o looks.svg origins.folded
fg-render -o four.svg "$here/data/viewer-four.folded"
printf 'main;main 10\nio;read_[k] 30\nworker;serve;parse_[l] 20\n' | fg-render -o threads.svg
printf 'url=/a;app;read_[k] 10\nurl=/b;app;x 30\n' | fg-render -o labels.svg
node -e "process.stdout.write(require('$here/browser/profile.js').profile(12000).join('\n') + '\n')" | fg-render -o profile.svg
node "$here/browser/modes.js" "$tmp"
