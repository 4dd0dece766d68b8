/*
 * fileheader: parses struct perf_file_header or struct perf_pipe_header
 * (tools/perf/util/header.h) and the sections with events and features. Offsets, sizes and
 * counts are untrusted: memory is allocated only for bytes that the file has.
 */
#include "fg-collapse/perfdata/fileheader.h"

#include <byteswap.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cli.h"
#include "fg-collapse/magic.h"

#define PIPE_HEADER 16 /* bytes */
#define FILE_HEADER 104
#define OLD_HEADER 72 /* header without features */
#define FEATURE_MAX ((uint64_t)256 << 20) /* limit of bytes read of one feature */
#define ATTR_MAX 4096 /* no perf_event_attr is larger than a page */

struct section {
	uint64_t offset, size;
};

struct file {
	struct reader *reader;
	struct source *source;
	bool swapped;
};

bool
fileheader_is_archive(const void *bytes, size_t n)
{
	const char *s = bytes;

	/* bzip2, or a tar of files named by build ID */
	return (n > 10 && memcmp(s, "BZh", 3) == 0 && memcmp(s + 4, "1AY&SY", 6) == 0) ||
	       (n > 512 && memcmp(s + 257, "ustar", 5) == 0 &&
		   memmem(s, 100, ".build-id", 9) != NULL);
}

char *
fileheader_file_of(char *path)
{
	struct stat st;
	char *data;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return path;
	if (asprintf(&data, "%s/data", path) < 0)
		cli_die("out of memory");
	if (stat(data, &st) == 0 && S_ISREG(st.st_mode))
		return data;
	free(data);
	return path;
}

static uint64_t
u64_at(const struct file *f, const unsigned char *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return f->swapped ? bswap_64(v) : v;
}

static struct section
section_at(const struct file *f, const unsigned char *p)
{
	return (struct section){u64_at(f, p), u64_at(f, p + 8)};
}

/* Reads the section, at most `most` bytes, into memory that the caller frees; *n is the number
 * of bytes read. */
static unsigned char *
read_section(const struct file *f, const struct section *s, uint64_t most, size_t *n)
{
	uint64_t size = source_size(f->source);
	unsigned char *bytes;

	*n = 0;
	if (s->offset >= size || s->size == 0)
		return NULL;
	*n = (size_t)(s->size < size - s->offset ? s->size : size - s->offset);
	if (*n > most)
		*n = (size_t)most;
	bytes = cli_alloc(*n, 1);
	*n = source_pread(f->source, bytes, *n, s->offset);
	return bytes;
}

static void
read_ids(const struct file *f, const struct section *s, struct attrs *attrs, int number)
{
	size_t n;
	unsigned char *ids = read_section(f, s, FEATURE_MAX, &n);

	if (n < s->size)
		reader_malformed_byte(f->reader, s->offset, "the ids are truncated");
	for (size_t i = 0; i + 8 <= n; i += 8)
		attrs_add_id(attrs, u64_at(f, ids + i), (size_t)number);
	free(ids);
}

/* Reads entries of a perf_event_attr, each followed by the position of its ids. */
static void
read_attrs(const struct file *f, const struct section *s, uint64_t each, struct attrs *attrs)
{
	uint64_t left = source_size(f->source); /* limit, because sections of ids do not overlap */
	size_t n;
	unsigned char *bytes;

	if (each < 16 + 64 || each > ATTR_MAX)
		cli_die("%s: event descriptions of %" PRIu64 " bytes: not a recording of perf",
		    lines_name(f->reader->lines), each);
	bytes = read_section(f, s, each * ATTRS_MAX, &n);
	if (n < s->size)
		reader_malformed_byte(f->reader, s->offset, "the event list is truncated");
	for (size_t i = 0; i + each <= n; i += each) {
		struct section ids = section_at(f, bytes + i + each - 16);
		int number = attrs_add(attrs, bytes + i, each - 16, f->swapped);

		if (number < 0)
			continue;
		if (ids.size > left) {
			reader_malformed_byte(
			    f->reader, s->offset + i, "an event with ids of another event");
			continue;
		}
		left -= ids.size;
		read_ids(f, &ids, attrs, number);
	}
	free(bytes);
}

static void
read_features(const struct file *f, const unsigned char *bits, uint64_t at, struct attrs *attrs,
    struct features *features)
{
	const uint64_t size = source_size(f->source);
	uint64_t end = at;
	unsigned char next[PERFDATA_MAGIC];

	for (unsigned number = 0; number < FEATURE_BITS; number++) {
		unsigned char place[16];
		struct section s;
		unsigned char *bytes;
		size_t n;

		/* A bit map of 64-bit words. */
		if (!(u64_at(f, bits + number / 64 * 8) >> number % 64 & 1))
			continue;
		if (source_pread(f->source, place, sizeof place, at) < sizeof place) {
			reader_malformed_byte(f->reader, at, "the feature list is truncated");
			return;
		}
		s = section_at(f, place);
		at += sizeof place;
		if (s.offset < size && s.size <= size - s.offset && s.offset + s.size > end)
			end = s.offset + s.size;
		bytes = read_section(f, &s, FEATURE_MAX, &n);
		if (n < s.size || !features_read(features, number, bytes, n, f->swapped, attrs))
			reader_malformed_byte(f->reader, at - sizeof place, "a malformed feature");
		free(bytes);
	}
	storedsyms_finish(&features->stored);
	if (end < at)
		end = at;
	if (magic_is_perfdata(next, source_pread(f->source, next, sizeof next, end)))
		reader_malformed_byte(f->reader, end,
		    "a second recording follows the first; give each as a file of its own");
}

static void
read_file(struct fileheader *h, struct file *f, const unsigned char *head, struct attrs *attrs,
    struct features *features)
{
	struct section data = section_at(f, head + 40), attr = section_at(f, head + 24);
	uint64_t size = source_size(f->source), each = u64_at(f, head + 16);
	uint64_t header = u64_at(f, head + 8);

	read_attrs(f, &attr, each, attrs);
	h->data = data.offset;
	if (data.size == 0) { /* perf record was killed before it wrote the size */
		if (data.offset < size)
			reader_malformed_byte(
			    f->reader, 40, "perf record was interrupted: the features are missing");
		h->data_end = size;
		return;
	}
	h->data_end = data.size < UINT64_MAX - data.offset ? data.offset + data.size : UINT64_MAX;
	if (h->data_end > size) {
		reader_malformed_byte(f->reader, size, "the file is truncated");
		h->data_end = size;
	} else if (header >= FILE_HEADER) {
		read_features(f, head + 72, h->data_end, attrs, features);
	}
}

void
fileheader_read(
    struct fileheader *h, struct reader *r, struct attrs *attrs, struct features *features)
{
	struct file f = {.reader = r, .source = lines_source(r->lines)};
	unsigned char head[FILE_HEADER] = {0};
	const char *name = lines_name(r->lines);
	const unsigned char *first;
	size_t n, whole;

	first = source_peek(f.source, &n);
	if (n > 0)
		memcpy(head, first, n < sizeof head ? n : sizeof head);
	if (fileheader_is_archive(first, n))
		cli_die("%s: an archive of programs by perf archive; use mkdir archive; tar -xf "
			"'%s' -C archive; fg-collapse --buildids archive perf.data",
		    name, name);
	if (!magic_is_perfdata(head, n))
		cli_die("%s: not a recording of perf", name);
	if (n < PIPE_HEADER)
		cli_die("%s: truncated within the header, at offset %zu", name, n);
	f.swapped = memcmp(head, "2ELIFREP", 8) == 0 || memcmp(head, "ELIFFREP", 8) == 0;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	f.swapped = !f.swapped;
#endif
	h->swapped = f.swapped;
	h->pipe = u64_at(&f, head + 8) == PIPE_HEADER;
	if (h->pipe) {
		source_skip(f.source, PIPE_HEADER);
		return;
	}
	if (n < OLD_HEADER)
		cli_die("%s: truncated within the header, at offset %zu", name, n);
	if (!source_seekable(f.source))
		source_whole(f.source, &whole);
	read_file(h, &f, head, attrs, features);
	if (h->data > h->data_end)
		cli_die("%s: its data section starts at offset %" PRIu64 ", past the end of the "
			"file",
		    name, h->data);
}
