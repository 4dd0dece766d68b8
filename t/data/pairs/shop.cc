#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
namespace shop
{
struct Price {
	virtual double of(int n) const = 0;
	virtual ~Price()
	{
	}
};
struct Plain : Price {
	double
	of(int n) const override
	{
		return n * 1.5;
	}
};
struct Reduced : Price {
	std::unique_ptr<Price> p;
	explicit Reduced(Price *q) : p(q)
	{
	}
	double
	of(int n) const override
	{
		return p->of(n) * .9;
	}
};
template <class T> struct Tree {
	T v;
	std::unique_ptr<Tree> l, r;
	explicit Tree(T x) : v(std::move(x))
	{
	}
	void
	insert(const T &x)
	{
		auto &s = x < v ? l : r;
		if (s)
			s->insert(x);
		else
			s = std::make_unique<Tree>(x);
	}
	int
	depth() const
	{
		return 1 + std::max(l ? l->depth() : 0, r ? r->depth() : 0);
	}
};
struct Order {
	int id;
	std::string name;
	double amount;
};
std::string
word()
{
	std::string s;
	for (int i = 0; i < 6; i++)
		s += char('a' + rand() % 26);
	return s;
}
std::vector<Order>
orders()
{
	std::vector<Order> v;
	for (int i = 0; i < 200; i++)
		v.push_back({rand() % 50, word(), rand() / 7.0});
	return v;
}
int
fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
template <class F>
void
each(std::vector<Order> &v, F f)
{
	for (auto &o : v)
		f(o);
}
double
prices(int n)
{
	Reduced p(new Reduced(new Plain));
	double s = 0;
	for (int i = 0; i < n; i++)
		s += p.of(i);
	return s;
}
int
trees()
{
	Tree<int> a(0);
	Tree<std::string> b("m");
	for (int i = 0; i < 200; i++) {
		a.insert(rand());
		b.insert(word());
	}
	return a.depth() + b.depth();
}
int
sorted(std::vector<Order> &v)
{
	std::sort(
	    v.begin(), v.end(), [](const Order &a, const Order &b) { return a.name < b.name; });
	return v[0].id;
}
double
sums(std::vector<Order> &v)
{
	std::map<int, double> m;
	std::unordered_map<std::string, double> u;
	each(v, [&](Order &o) {
		m[o.id] += o.amount;
		u[o.name] += 1;
	});
	return std::accumulate(m.begin(), m.end(), 0.0, [](double s, auto &p) {
		return s + p.second;
	}) + u.size();
}
int
words(std::vector<Order> &v)
{
	static const std::regex r("[aeiou]+");
	int n = 0;
	for (int i = 0; i < 20; i++)
		n += std::regex_replace(v[i].name, r, "_").size();
	return n;
}
int
texts(std::vector<Order> &v)
{
	std::ostringstream o;
	for (auto &x : v)
		o << x.name << ' ' << x.id << ' ' << x.amount << '\n';
	std::istringstream in(o.str());
	std::string w;
	int n = 0;
	while (in >> w)
		n += w.size();
	return n;
}
double
variants(std::vector<Order> &v)
{
	std::vector<std::variant<int, double, std::string>> a;
	for (auto &o : v) {
		a.emplace_back(o.id);
		a.emplace_back(o.amount);
		a.emplace_back(o.name);
	}
	double s = 0;
	for (auto &x : a)
		s += std::visit(
		    [](auto &y) -> double {
			    if constexpr (std::is_same_v<std::decay_t<decltype(y)>, std::string>)
				    return y.size();
			    else
				    return y;
		    },
		    x);
	return s;
}
int
sets(std::vector<Order> &v)
{
	std::set<std::string> s;
	for (auto &o : v)
		s.insert(o.name);
	std::function<bool(const std::string &)> f = [](const std::string &x) {
		return x[0] < 'm';
	};
	return std::count_if(s.begin(), s.end(), f);
}
double
round()
{
	auto v = orders();
	return fib(18) + prices(2000) + trees() + sorted(v) + sums(v) + words(v) + texts(v) +
	       variants(v) + sets(v);
}
} // namespace shop

/* Computes for as many seconds of CPU time as the argument says. */
int
main(int, char **a)
{
	double x = 0;
	while (clock() / CLOCKS_PER_SEC < atoi(a[1]))
		x += shop::round();
	printf("%f\n", x);
}
