/*
 * service MILLISECONDS [CHANGE TIMES]: a server under a varying load, on its own socket. From the
 * millisecond CHANGE on, its function digest does TIMES the work; prints that time in the format of
 * fg-record --interval.
 */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define WORK __attribute__((noinline, noclone))
#define KEYS (1 << 18)

struct request {
	char text[200];
};

static char key[KEYS][16];
static int duration, change_at = -1;
static double times = 1;
static struct timespec began;
static volatile uint32_t kept;

static double
since(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)(t.tv_sec - began.tv_sec) * 1e3 + (double)(t.tv_nsec - began.tv_nsec) / 1e6;
}

WORK static uint32_t
parse(const char *s)
{
	uint32_t sum = 0;

	for (int round = 0; round < 40; round++)
		for (const char *c = s; *c != '\0'; c++)
			sum = sum * 31 + (uint32_t)(*c == '&' ? round : *c);
	return sum;
}

WORK static int
look_up(uint32_t seed)
{
	int found = 0;

	for (int i = 0; i < 60; i++) {
		char want[16];
		size_t low = 0, high = KEYS;

		seed = seed * 1664525 + 1013904223;
		snprintf(want, sizeof want, "%08x", seed >> 14 << 14);
		while (low < high) {
			size_t mid = (low + high) / 2;

			if (strcmp(key[mid], want) < 0)
				low = mid + 1;
			else
				high = mid;
		}
		found += low < KEYS && strcmp(key[low], want) == 0;
	}
	return found;
}

WORK static uint32_t
digest(uint32_t x, int rounds)
{
	for (int i = 0; i < rounds; i++)
		x = (x ^ x >> 15) * 0x2c1b3c6d + (uint32_t)i;
	return x;
}

WORK static size_t
render(uint32_t x, int found)
{
	char page[400];
	size_t n = 0;

	for (int i = 0; i < 12; i++)
		n += (size_t)snprintf(page, sizeof page, "{\"id\":%u,\"found\":%d,\"part\":%.3f}",
		    x + (uint32_t)i, found, i / 7.0);
	return n;
}

static int
compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(uint32_t));
}

WORK static void
order(uint32_t x)
{
	uint32_t rows[256];

	for (size_t i = 0; i < 256; i++)
		rows[i] = x = x * 1664525 + 1013904223;
	qsort(rows, 256, sizeof *rows, compare);
	kept += rows[7];
}

WORK static void
serve(const struct request *r)
{
	uint32_t x = parse(r->text);
	int found = look_up(x);
	int rounds = 5000;

	if (change_at >= 0 && since() >= change_at)
		rounds = (int)(rounds * times);
	kept += digest(x, rounds);
	order(x);
	kept += (uint32_t)render(x, found);
}

static void *
server(void *socket)
{
	struct request r;

	while (read(*(int *)socket, &r, sizeof r) == sizeof r)
		serve(&r);
	return NULL;
}

/*
 * Sends requests at between a third and nearly all of the server's capacity, in waves and at
 * random.
 */
static void
send_requests(int socket)
{
	unsigned n = 0, seed = 5;

	while (since() < duration) {
		double load = 0.6 + 0.35 * sin(since() / 4000);
		struct request r = {""};
		int burst = (int)(12 * load) + rand_r(&seed) % 4;

		for (int i = 0; i < burst; i++) {
			snprintf(r.text, sizeof r.text, "GET /item?id=%u&user=%u&page=%d&sort=name",
			    n * 7919 % 100000, rand_r(&seed) % 5000, n % 17);
			n++;
			if (write(socket, &r, sizeof r) != sizeof r)
				return;
		}
		nanosleep(&(struct timespec){0, 1000000}, NULL);
	}
}

static void
say_when(void)
{
	struct timespec now;
	struct tm tm;
	char text[32];

	clock_gettime(CLOCK_REALTIME, &now);
	now.tv_sec += change_at / 1000;
	now.tv_nsec += change_at % 1000 * 1000000L;
	if (now.tv_nsec >= 1000000000) {
		now.tv_sec++;
		now.tv_nsec -= 1000000000;
	}
	gmtime_r(&now.tv_sec, &tm);
	strftime(text, sizeof text, "%Y%m%dT%H%M%S", &tm);
	printf("%s.%03ldZ\n", text, now.tv_nsec / 1000000);
	fflush(stdout);
}

int
main(int argc, char **argv)
{
	pthread_t thread;
	int pair[2];

	duration = argc > 1 ? atoi(argv[1]) : 1000;
	if (argc > 3) {
		change_at = atoi(argv[2]);
		times = atof(argv[3]);
	}
	for (uint32_t i = 0; i < KEYS; i++)
		snprintf(key[i], sizeof key[i], "%08x", i << 14);
	clock_gettime(CLOCK_MONOTONIC, &began);
	if (change_at >= 0)
		say_when();
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 ||
	    pthread_create(&thread, NULL, server, &pair[1]) != 0)
		return 1;
	send_requests(pair[0]);
	close(pair[0]);
	pthread_join(thread, NULL);
	return 0;
}
