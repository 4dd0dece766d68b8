#!/bin/sh
# fg-filter --lang removes all frames but the functions of one language.
# tier: quick
. "$(dirname "$0")/lib.sh"

cat >mixed.folded <<'END'
app;_start;PyEval_EvalCode;<module> (/srv/app.py:1)_[p];View.get (/srv/views.py:12)_[p];memcpy_[l] 5
app;_start;PyEval_EvalCode;<module> (/srv/app.py:1)_[p];_find_and_load (<frozen importlib._bootstrap>:1167)_[p];read_[k] 2
java;JavaCalls::call_helper_[l];app.Main.run_[j];java.util.Arrays.sort_[j] 3
node;node::Start;main (/srv/app.js:3)_[j];(anonymous) (node:internal/fs:7)_[j];[jit]_[j] 4
php;php_execute_script;{main} (/srv/index.php:1)_[p];array_map_[p];K::go (/srv/k.php:4)_[p] 1
beam.smp;init:do_boot/3_[j];shop:total/1 (/srv/shop.erl:4)_[j];Elixir.Enum:map/2 (/src/enum.ex:9)_[j];$lists:map/2_[j];global::apply_fun_shared_[j];erts_garbage_collect 6
END
output "--lang python" \
    '<module> (/srv/app.py:1)_[p];View.get (/srv/views.py:12)_[p] 5
<module> (/srv/app.py:1)_[p];_find_and_load (<frozen importlib._bootstrap>:1167)_[p] 2' \
    fg-filter --lang python mixed.folded
output "--lang java" 'app.Main.run_[j];java.util.Arrays.sort_[j] 3' fg-filter --lang java mixed.folded
output "--lang node" 'main (/srv/app.js:3)_[j];(anonymous) (node:internal/fs:7)_[j] 4' \
    fg-filter --lang node mixed.folded
output "--lang php: a function without a file is unknown beside other languages" \
    '{main} (/srv/index.php:1)_[p];K::go (/srv/k.php:4)_[p] 1' fg-filter --lang php mixed.folded
grep ^php mixed.folded >php.folded
output "--lang php: it is PHP's where all scripts are" \
    '{main} (/srv/index.php:1)_[p];array_map_[p];K::go (/srv/k.php:4)_[p] 1' fg-filter --lang php php.folded
output "--lang erlang: also Elixir, and the names of a perf map" \
    'init:do_boot/3_[j];shop:total/1 (/srv/shop.erl:4)_[j];Elixir.Enum:map/2 (/src/enum.ex:9)_[j];$lists:map/2_[j];global::apply_fun_shared_[j] 6' \
    fg-filter --lang erlang mixed.folded
printf 'a;init:loop/1 (init.erl)_[j];<main> (/srv/app.rb)_[p];f (anonymous)_[j];(x.erl)_[j];g () 4\n' >bare.folded
output "--lang: a source file without a line" 'init:loop/1 (init.erl)_[j];<main> (/srv/app.rb)_[p] 4' \
    fg-filter --lang erlang,ruby bare.folded
output "--lang with several languages" \
    '<module> (/srv/app.py:1)_[p];View.get (/srv/views.py:12)_[p] 5
<module> (/srv/app.py:1)_[p];_find_and_load (<frozen importlib._bootstrap>:1167)_[p] 2
app.Main.run_[j];java.util.Arrays.sort_[j] 3' fg-filter --lang java,python mixed.folded
status "--lang: an unknown language is an error" 2 fg-filter --lang cobol mixed.folded
status "--lang: an unknown language in a list is an error" 2 fg-filter --lang python,,java mixed.folded
done_testing
