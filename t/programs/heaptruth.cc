/*
 * heaptruth.cc: as heaptruth.c, by operator new, strings and vectors.
 */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline, noclone))

static double mean;

struct figures {
	const char *name;
	double bytes[2] = {0, 0}, variance[2] = {0, 0}, blocks = 0, blocks_variance = 0;

	void
	took(double n, bool live)
	{
		const double p = -std::expm1(-n / mean);

		for (int k = 0; k <= live; k++) {
			bytes[k] += n;
			variance[k] += n * n * (1 - p) / p;
		}
		blocks += 1;
		blocks_variance += (1 - p) / p;
	}
	void
	print() const
	{
		std::printf("%s allocated %.0f %.0f\n", name, bytes[0], variance[0]);
		std::printf("%s allocations %.0f %.0f\n", name, blocks, blocks_variance);
		std::printf("%s live %.0f %.0f\n", name, bytes[1], variance[1]);
	}
};

struct point {
	char bytes[48];
};

static char *volatile kept;
static std::string *volatile kept_string;
static NOINLINE char *arrays(size_t n) { return kept = new char[n]; }
static NOINLINE point *objects() { auto *p = new point; kept = p->bytes; return p; }
static NOINLINE void text(std::string &to, size_t n) { to = std::string(n, 'x'); kept_string = &to; }
static NOINLINE void grows(std::vector<point> &to) { to.push_back(point()); }

int
main(int argc, char **argv)
{
	static std::string texts[1000];
	static std::vector<point> points;
	figures a{"arrays"}, o{"objects"}, t{"text"}, g{"grows"};
	unsigned x = 1;

	mean = argc > 1 ? std::atof(argv[1]) : 524288;
	for (int i = 0; i < 20000; i++) {
		x = x * 1103515245 + 12345;
		const size_t n = 1 + (x >> 8) % (i % 100 == 0 ? 1000000 : 3000);
		char *p = arrays(n);

		a.took(n, i % 3 == 0);
		if (i % 3 != 0)
			delete[] p;
	}
	for (int i = 0; i < 100000; i++) {
		point *p = objects();

		o.took(sizeof *p, i % 2 == 0);
		if (i % 2 != 0)
			delete p;
	}
	for (int i = 0; i < 5000; i++) {
		text(texts[i % 1000], 16 + i * 7 % 20000);
		t.took(17 + i * 7 % 20000, i >= 4000);
	}
	for (size_t i = 0, capacity = 0; i < 200000; i++) {
		grows(points);
		if (points.capacity() != capacity) {
			capacity = points.capacity();
			g.took(capacity * sizeof(point), capacity >= 200000);
		}
	}
	for (const figures *f : {&a, &o, &t, &g})
		f->print();
	std::fflush(stdout);
	_Exit(0);
}
