/*
 * log: answers are appended to a file by all processes, one write(2) each. It becomes a capture
 * when the recording has ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/vec.h"
#include "capture.h"

struct head {
	uint32_t step, key, bytes;
	int32_t error;
	int64_t result;
};

static int log_fd = -1;

static char *
path_in(const char *folder, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", folder, name) < 0)
		capture_die("out of memory");
	return path;
}

void
log_open(const char *folder)
{
	char *path = path_in(folder, "log");
	int fd = (int)SYS(openat, AT_FDCWD, path, O_CREAT | O_TRUNC | O_RDWR | O_APPEND, 0600);

	if (fd < 0)
		capture_die("%s: %s", path, strerror(errno));
	log_fd = (int)SYS(
	    fcntl, fd, F_DUPFD_CLOEXEC, CAPTURE_DESCRIPTORS); /* out of the way of fg-record's */
	SYS(close, fd);
	free(path);
}

void
log_add(const char *key, int64_t result, const void *bytes, size_t n)
{
	const int error = errno;
	struct head h = {.step = capture_shared->step,
	    .key = (uint32_t)strlen(key) + 1,
	    .bytes = (uint32_t)n,
	    .error = result < 0 ? error : 0,
	    .result = result};
	struct iovec part[] = {
	    {&h, sizeof h}, {(void *)(uintptr_t)key, h.key}, {(void *)(uintptr_t)bytes, n}};

	SYS(writev, log_fd, part, n > 0 ? 3 : 2);
	errno = error;
}

int64_t
keep(const char *key, int64_t result, const void *bytes, size_t n)
{
	log_add(key, result, bytes, n);
	return result;
}

static bool
begins(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static int
by_number(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Kernel addresses in the records of rings: any word that may be one. */
static uint64_t *
kernel_addresses(const struct answer *e, size_t n, size_t *count)
{
	uint64_t *found = NULL;
	size_t nfound = 0, cap = 0;

	for (size_t i = 0; i < n; i++) {
		if (!begins(e[i].key, "ring "))
			continue;
		for (size_t at = 0; at + 8 <= e[i].n; at += 8) {
			uint64_t v;

			memcpy(&v, e[i].bytes + at, sizeof v);
			if (v < UINT64_C(0xffff800000000000) || v > UINT64_C(0xfffffffffffff000))
				continue;
			vec_fit(found, cap, nfound + 1);
			found[nfound++] = v;
		}
	}
	qsort(found, nfound, sizeof *found, by_number);
	*count = nfound;
	return found;
}

/*
 * Leaves of kallsyms, sorted by address or not, the functions that records may be in and those
 * right after them, which end them; and those that enter system calls.
 */
static void
cut_kallsyms(struct answer *e, const uint64_t *at, size_t n)
{
	char *text = strndup((const char *)e->bytes, e->n), *out = cli_realloc(NULL, e->n + 1, 1);
	size_t length = 0, lines = 0;
	uint64_t *starts = cli_realloc(NULL, (e->n / 16 + 1) * sizeof *starts, 1);

	for (char *p = text; *p != '\0'; p = strchr(p, '\n') + 1) {
		starts[lines++] = strtoull(p, NULL, 16);
		if (strchr(p, '\n') == NULL)
			break;
	}
	qsort(starts, lines, sizeof *starts, by_number);
	for (char *p = text, *end; *p != '\0'; p = end + 1) {
		const uint64_t start = strtoull(p, NULL, 16);
		size_t next = 0, before = lines, k = 0, high = n;
		bool wanted;

		end = strchr(p, '\n');
		if (end == NULL)
			break;
		*end = '\0';
		while (next < before) { /* the first start after this one */
			const size_t middle = (next + before) / 2;

			if (starts[middle] <= start)
				next = middle + 1;
			else
				before = middle;
		}
		while (k < high) { /* the first address from this start on */
			const size_t middle = (k + high) / 2;

			if (at[middle] < start)
				k = middle + 1;
			else
				high = middle;
		}
		wanted = k < n && (next >= lines || at[k] < starts[next]);
		/* The one that ends a wanted function. */
		for (size_t prior = next; !wanted && prior-- > 0;)
			if (starts[prior] < start) {
				wanted = k > 0 && at[k - 1] >= starts[prior];
				break;
			}
		if (wanted || strstr(p, " __x64_sys_") != NULL)
			length += (size_t)sprintf(out + length, "%s\n", p);
	}
	e->bytes = (unsigned char *)out;
	e->n = length;
	free(starts);
	free(text);
}

static struct answer *
read_log(const char *path, size_t *count)
{
	FILE *f = fopen(path, "re");
	long size;
	unsigned char *all;
	struct answer *e = NULL;
	size_t n = 0, cap = 0;
	struct head h;

	if (f == NULL || fseek(f, 0, SEEK_END) != 0 || (size = ftell(f)) < 0)
		capture_die("%s: %s", path, strerror(errno));
	rewind(f);
	all = cli_realloc(NULL, (size_t)size + 1, 1);
	if (fread(all, 1, (size_t)size, f) != (size_t)size)
		capture_die("%s: cannot be read", path);
	fclose(f);
	for (unsigned char *p = all; p < all + size;) {
		vec_fit(e, cap, n + 1);
		memcpy(&h, p, sizeof h);
		p += sizeof h;
		e[n] = (struct answer){.key = (const char *)p,
		    .order = n,
		    .step = h.step,
		    .error = h.error,
		    .result = h.result,
		    .bytes = p + h.key,
		    .n = h.bytes};
		p += h.key + h.bytes;
		n++;
	}
	*count = n;
	return e;
}

void
log_pack(const char *folder)
{
	char *log = path_in(folder, "log");
	size_t n, naddress;
	struct answer *e = read_log(log, &n);
	uint64_t *address = kernel_addresses(e, n, &naddress);

	for (size_t i = 0; i < n; i++)
		if (strcmp(e[i].key, "open /proc/kallsyms") == 0 ||
		    strcmp(e[i].key, "open+ /proc/kallsyms") == 0)
			cut_kallsyms(&e[i], address, naddress);
	pack(folder, e, n);
	if (unlink(log) != 0)
		capture_die("%s: %s", log, strerror(errno));
}
