#!/bin/sh
# GCC gives functions of local types (lambdas), static functions
# and those of anonymous namespaces no linkage name. Their names come from DWARF and must be spelled
# as the symbol's: without optimization each function has a symbol to compare with.
# tier: quick
. "$(dirname "$0")/lib.sh"
symbol="$UNIT/symbol"
CXX=${CXX:-c++}

cat >names.cc <<'END'
namespace {
template <typename T> struct hidden {
	T v;
	template <typename F> T apply(F f) const { return f(v); }
	static const hidden *self(const hidden *const *p) { return *p; }
	struct inner { unsigned long n; operator bool() const { return n != 0; } };
};
template <typename T, int N> struct table { T a[N]; };
template <typename T, bool> struct part { T v; T get() { return v; } };
template <typename T> struct part<T *, true> { T *v; T *get() { return v; } };
template <unsigned long N, char C, typename... A> unsigned long count(A...) { return N + C + sizeof...(A); }
template <typename T> bool operator<(const hidden<T> &a, const hidden<T> &b) { return a.v < b.v; }
template <typename T> bool operator<<(const hidden<T> &a, long b) { return a.v < b; }
enum class kind { one, two };
template <kind K> int of() { return int(K); }
struct plain { int m; int get(int x) const { return m + x; } };
typedef struct { int x; } nameless;
int use(nameless *n) { return n->x; }
int member(int plain::*m, int (plain::*f)(int) const, const plain &p) { return p.*m + (p.*f)(1); }
int arrays(const char (&a)[4], int (*f)(const char *, ...), unsigned short **s) { return a[0] + f(a, **s); }
int vary(const char *s, ...) { return *s; }
}
namespace app {
template <typename F> static long twice(F f) { return f(1) + f(2); }
template <typename F> static long refer(F &&f, const int *) { return f(3); }
static long numbers(int n)
{
	auto a = [&](int x) { return x + n; };
	auto b = [&](int x) { return x * n; };
	auto c = [&](long x) { return x - n; };
	auto d = [](auto x, auto &y) { return x + y; };
	auto e = [n](auto &&x) { return x + n; };
	int k = 7;
	long deep = twice([&](int x) {
		struct local { int v; int get(const char *) { return v; } };
		auto inner = [x](unsigned char y) { return x + y; };
		return local{inner(3)}.get("");
	});
	return twice(a) + twice(b) + twice(c) + d(1, k) + d(2L, k) + e(k) + e(4L) + refer(a, &k) + deep;
}
struct shop {
	int price;
	int sell(const int n) const { auto f = [this](int x) { return x + price; }; return f(n); }
	static int open() { static int (*f)(int) = [](int x) { return x; }; return f(2); }
};
}
static int plus(int a) { return a + 1; }
static long (*global)(long) = [](long x) { return x * 2; };
int main(int argc, char **)
{
	unsigned short s = 1, *sp = &s;
	hidden<int> h{argc}, g{2};
	const hidden<int> *hp = &h;
	hidden<int>::inner i{3};
	part<char *, true> p{};
	part<long long, false> q{};
	nameless n{1};
	auto f = [&](int x) { return plus(x); };
	return h.apply(f) + h.apply(plus) + (hidden<int>::self(&hp) != 0) + bool(i) + (h < g) + (h << 3L) +
	       int(count<3, 'a'>(1, 2L, "x")) + of<kind::two>() + use(&n) + (p.get() != 0) + int(q.get()) +
	       member(&plain::m, &plain::get, plain{1}) + arrays("abc", vary, &sp) + int(app::numbers(argc)) +
	       app::shop{1}.sell(2) + app::shop::open() + int(global(1)) + (table<const int *, 3>{}.a[0] != 0);
}
END

if [ "$("$symbol" demangle _Z1fv)" = '- | -' ]; then
	skip 'names of C++ functions without linkage names' 'built without libiberty' libiberty-dev
elif ! $CXX --version 2>/dev/null | grep -q 'Free Software Foundation'; then
	skip 'names of C++ functions without linkage names' 'no g++: other compilers write linkage names' g++
elif $CXX -std=c++17 -O0 -g -o names names.cc 2>log; then
	"$UNIT/cxxname" -v names >out
	output 'names of C++ functions without linkage names' \
		"$(printf 'linkage name: 5 equal, 0 differ\nsymbol only: 35 equal, 0 differ')" cat out
	# Inlined, they have no symbol.
	addresses() { nm -S "$1" | perl -ne '/^(\w+) (\w+) [tTwW] / and print map { sprintf "0x%x\n", hex($1) + $_ } 0 .. hex($2) - 1'; }
	addresses names | xargs "$symbol" file "$tmp/names" | sort -u >symbols
	if $CXX -std=c++17 -O2 -g -o inlined names.cc 2>log; then
		addresses inlined | xargs "$symbol" -i file "$tmp/inlined" | sed 's/_\[i\]$//' | sort -u >inner
		check 'lambdas are inlined' sh -c '[ "$(grep -c "lambda.*#" inner)" -ge 6 ]'
		output 'inlined functions have the same names' '' comm -13 symbols inner
	fi
else
	skip 'names of C++ functions without linkage names' "not compiled: $(head -1 log)"
fi

done_testing
