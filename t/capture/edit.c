/*
 * edit: changes to the answers of a capture before a replay, for fuzzing. A file of changes has 16
 * bytes for each, so that any bytes are changes; fewer at its end are ignored.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture.h"

#define EDITS 4096 /* of one file, at most */
#define COPIED 64 /* bytes */

struct edit {
	uint8_t set; /* of the answers */
	uint8_t how;
	uint16_t which; /* answer of the set */
	uint32_t at; /* byte of the answer */
	uint64_t value;
};

/* Answers with bytes of a recorded process: its memory, its files, and files in /proc. */
static const char *const set[] = {"memory ", "memory ", "memory ", "memory ", "memory ", "page ",
    "page ", "open /proc/", "open+ /proc/"};

static const uint64_t special[] = {0, 1, 7, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000,
    0xffffffff, UINT64_C(1) << 40, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX - 7, UINT64_MAX};

/* A place in a set of answers; the number of bytes from there on. */
static size_t
place(const char *prefix, uint64_t which, uint64_t at, unsigned char **byte)
{
	const struct answer *first;
	const size_t n = archive_range(prefix, &first);

	if (n == 0 || first[which % n].n == 0)
		return 0;
	at %= first[which % n].n;
	*byte = (unsigned char *)first[which % n].bytes + at; /* of the archive */
	return first[which % n].n - (size_t)at;
}

/* The address of a byte in one of the pages of memory; 0: there is none. */
static uint64_t
address_in(uint64_t which, uint64_t at)
{
	const struct answer *first;
	const size_t n = archive_range("memory ", &first);
	unsigned long long page = 0;

	if (n > 0 && sscanf(first[which % n].key, "memory %*d %llx", &page) == 1)
		page += at % 4096;
	return page;
}

static void
change(const struct edit *e)
{
	const char *prefix = set[e->set % (sizeof set / sizeof *set)];
	/* Numbers and addresses are at multiples of their size. */
	const uint32_t word = e->at & ~UINT32_C(7);
	const uint16_t other = (uint16_t)(e->value >> 48);
	unsigned char *to = NULL, *from = NULL;
	size_t n = place(prefix, e->which, (e->how & 7) < 2 ? e->at : word, &to), part;
	uint64_t value = 0;

	/* Pages are mostly zeros. Without this bit, changes the next word with a value. */
	for (; (e->how & 8) == 0 && n >= 8 && memcmp(to, &value, 8) == 0; n -= 8)
		to += 8;
	if (n == 0)
		return;
	memcpy(&value, to, n < 8 ? n : 8);
	switch (e->how & 7) {
	case 0: *to = (unsigned char)e->value; return;
	case 1:
		value = special[e->value % (sizeof special / sizeof *special)];
		memcpy(to, &value, n < 4 ? n : 4);
		return;
	case 2: value = special[e->value % (sizeof special / sizeof *special)]; break;
	case 3: value = e->value; break;
	case 4: value += (uint64_t)(int64_t)(int16_t)e->value; break;
	case 5: value = address_in(other, e->value); break;
	case 6: /* of the same kind, or not */
		part =
		    place(set[other % (sizeof set / sizeof *set)], e->value >> 32, e->value, &from);
		part = part < n ? part : n;
		memmove(to, from, part < COPIED ? part : COPIED);
		return;
	case 7: /* exchanges two words */
		part = place(prefix, other, e->value & ~UINT64_C(7), &from);
		if (part < 8 || n < 8)
			return;
		memmove(to, from, 8);
		memcpy(from, &value, 8);
		return;
	}
	memcpy(to, &value, n < 8 ? n : 8);
}

void
archive_edit(const char *path)
{
	static struct edit edits[EDITS];
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	const ssize_t got = fd < 0 ? -1 : read(fd, edits, sizeof edits);

	if (got < 0)
		capture_die("%s: %s", path, strerror(errno));
	close(fd);
	for (size_t i = 0; i < (size_t)got / sizeof *edits; i++)
		change(&edits[i]);
}
