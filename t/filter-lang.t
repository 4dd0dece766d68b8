#!/bin/sh
# fg-filter --lang and --origin remove all frames but those of a language, of an origin.
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
output "--lang java keeps the frames of Java" 'app.Main.run_[j];java.util.Arrays.sort_[j] 3' fg-filter --lang java mixed.folded
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

# Every extension of the register, in a frame with the annotation of its language. A file of the
# register is the test's table, so that a new row is tested by being there.
awk -f "$here/../share/registers.awk" -v want=rows -v sep='|' "$here/../common/names/languages.def" >rows
while IFS='|' read -r row _ lang annotation processes place other _; do
	[ "$row" = LANGUAGE ] || continue
	for end in $place $other; do
		frame="f (/srv/a$end:3)${annotation:+_[$annotation]}"
		output "--lang $lang keeps a function of a$end" "$frame 2" \
			sh -c "echo 'main;$frame;memcpy_[l] 2' | fg-filter --lang $lang"
	done
	check "--help has $lang" sh -c "fg-filter --help | grep -q '[ ,]$lang\\(,\\|$\\)'"
done <rows
check 'the register has languages' test "$(grep -c "^LANGUAGE" rows)" -ge 9
output '--lang haskell: symbols of GHC, but neither its runtime nor C' \
	'Main_zdwouter_info;base_GHCziBase_map_info 1' sh -c \
	'echo "a;main;Main_zdwouter_info;base_GHCziBase_map_info;stg_ap_pp_info;EVP_PKEY_get_info;Klass::restore_info_[l];foo_info;_info;x__info 1" | fg-filter --lang haskell'
cat >origins.folded <<'END'
app;main;parse_[i];libx.so`sort_[l];less_[i];read_[l];sys_read_[k] 5
app;main;[unknown];less_[i] 2
python3;_start;eval_frame;f (w.py:1)_[p];join (/usr/lib/python3.11/os.py:9)_[p] 3
[kernel];tick_[k] 1
END
output '--origin user: inlined frames are of the function around them, an interpreter is a library' \
    'app;main;less_[i] 2
app;main;parse_[i] 5
python3;f (w.py:1)_[p] 3' fg-filter --origin user origins.folded
output '--origin with a list' '[kernel];tick_[k] 1
[unknown] 2
sys_read_[k] 5' fg-filter --origin unknown,system origins.folded
output '--origin: all of them keep all' "$(fg-filter origins.folded)" \
    fg-filter --origin user,library,system,unknown origins.folded
cat >system.folded <<'END'
app;_start;__libc_start_main_[l];libc.so.6+0x271d0_[l];main;read_[l];do_sys_[k] 5
app;[vdso];libcrypto.so.3`x;ld-linux-x86-64.so.2`_dl_runtime_resolve 2
app;/lib/libc-2.31.so`read;libcurl.so`y;libc++.so`z 1
app;[libc.so.6];ldap;kernel`tick;clone3 1
app;ld-musl-x86_64.so.1`f;[libcap.so] 1
END
output '--hide-system: kernel, vdso, C library, loader and start-up code by module' 'app;[libcap.so] 1
app;ldap 1
app;libcrypto.so.3`x 2
app;libcurl.so`y;libc++.so`z 1
app;main;read_[l] 5' fg-filter --hide-system system.folded
status '--origin: an unknown word' 2 fg-filter --origin own origins.folded
status '--origin after --reverse' 2 fg-filter --reverse --origin user origins.folded
done_testing
