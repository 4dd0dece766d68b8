#!/bin/sh
# fg-render: how labels are shortened, in a font of ten pixels a character.
. "$(dirname "$0")/lib.sh"

while IFS='|' read -r room name want; do
	printf '%s 1\n' "$name" | fg-render --no-javascript --fontsize 10 --fontwidth 1 \
	    --width $((room * 10 + 26)) - >out.svg
	got=$(sed -n 's/^<text x="3" y="-2[0-9.]*">\(.*\)<\/text>$/\1/p' out.svg |
	    sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g')
	check "$room: $name: $got" test "$got" = "$want"
done <<'END'
9|push_back|push_back
8|push_back|push_ba…
60|f_[k]|f
60|f_[j]_[i]|f
60|libc`read|read
60|run (src/main.c:12)|run
60|run (src/main.c:12)_[i]|run
60|run (src)|run (src)
60|core::run::h0123456789abcdef|core::run
34|std::vector<int, std::allocator<int> >::push_back(int const&)|std::vector<…>::push_back(…)
25|std::vector<int, std::allocator<int> >::push_back(int const&)|std::vector<…>::push_back
22|std::vector<int, std::allocator<int> >::push_back(int const&)|vector<…>::push_back
20|std::vector<int, std::allocator<int> >::push_back(int const&)|vector<…>::push_back
12|std::vector<int, std::allocator<int> >::push_back(int const&)|push_back
5|std::vector<int, std::allocator<int> >::push_back(int const&)|push…
40|<alloc::vec::Vec<T> as core::ops::Drop>::drop|<…>::drop
8|<alloc::vec::Vec<T> as core::ops::Drop>::drop|drop
30|operator<<(std::ostream&, char const*)|operator<<(…)
12|operator<<(std::ostream&, char const*)|operator<<
14|a::operator<(b const&, c const&)|a::operator<
11|a::operator()(int, int)|operator()
23|java.util.HashMap.computeIfAbsent|HashMap.computeIfAbsent
22|java.util.HashMap.computeIfAbsent|computeIfAbsent
15|java.util.HashMap.computeIfAbsent|computeIfAbsent
11|do_syscall_64.part.0|do_syscall…
9|net/http.(*conn).serve|serve
17|net/http.(*conn).serve|(*conn).serve
8|[libstdc++.so.6.0.30]|[libstd…
9|com.Foo.<init>|<init>
12|日本語日本語|日本語日本語
11|日本語日本語|日本語日本…
4|日本語日本語|日…
END

printf 'abcdefg 1\n' | fg-render --no-javascript --fontsize 10 --fontwidth 1 --width 60 - >out.svg
check 'three characters are room enough' grep -q '>ab…<' out.svg
printf 'x 9\nabcdefg 91\n' | fg-render --no-javascript --fontsize 10 --fontwidth 1 --width 320 - >out.svg
check 'two are not' test "$(grep -c '>x<' out.svg)" = 0
done_testing
