/*
 * recordstream: splits the input into records. Compressed records are decompressed one buffer at
 * a time and the result is split too, because a record may span two of them.
 */
#include "fg-collapse/perfdata/recordstream.h"

#include <byteswap.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

/* Largest compressed record that perf writes (PERF_SAMPLE_MAX_SIZE - 1). */
#define PACKED_MAX 65535

void
recordstream_fault(struct recordstream *s, uint64_t offset, const char *why)
{
	recordqueue_fault(s->relay, s->part, offset, why);
}

void
recordstream_init(struct recordstream *s, struct source *source, uint32_t part,
    struct recordqueue *relay, bool swapped)
{
	*s = (struct recordstream){.relay = relay, .source = source, .part = part};
	s->at = source_at(s->source);
	s->outer.swapped = s->inner.swapped = swapped;
	s->outer.offset = s->at;
	s->inner.still = true;
}

void
recordstream_limit(struct recordstream *s, uint64_t at, uint64_t limit)
{
	s->placed = true;
	s->at = s->outer.offset = at;
	s->limit = limit;
}

void
recordstream_free(struct recordstream *s)
{
	recordsplit_free(&s->outer);
	recordsplit_free(&s->inner);
	block_release(s->compressed);
	if (s->decoder != NULL)
		decompress_free(s->decoder);
}

/* Reads up to n bytes from the current position. */
static size_t
get(struct recordstream *s, void *to, size_t n)
{
	size_t got;

	if (!s->placed) {
		got = source_get(s->source, to, n);
	} else {
		if (n > s->limit - s->at)
			n = (size_t)(s->limit - s->at);
		got = source_pread(s->source, to, n, s->at);
	}
	s->at += got;
	s->ended |= got == 0 || (s->placed && s->at >= s->limit);
	return got;
}

/* Reads more bytes into the outer splitter; false at the end. */
static bool
fill(struct recordstream *s)
{
	unsigned char *to;
	size_t space;

	if (s->ended)
		return false;
	to = recordsplit_space(&s->outer, &space);
	if (space > 256 * 1024)
		space = 256 * 1024;
	recordsplit_filled(&s->outer, get(s, to, space));
	if (s->part == 0)
		source_progress(s->source);
	return true;
}

/* Skips s->skip bytes, first those already read. */
static void
skip_now(struct recordstream *s)
{
	size_t left;

	recordsplit_rest(&s->outer, &left);
	if (left > s->skip)
		left = (size_t)s->skip;
	recordsplit_skip(&s->outer, left);
	s->skip -= left;
	if (s->skip == 0)
		return;
	if (s->placed) {
		uint64_t n = s->skip < s->limit - s->at ? s->skip : s->limit - s->at;

		s->at += n;
		s->outer.offset += n;
		s->ended |= s->at >= s->limit;
	} else {
		s->outer.offset += source_skip(s->source, s->skip);
	}
	s->skip = 0;
}

void
recordstream_skip(struct recordstream *s, uint64_t n)
{
	s->skip = n;
	skip_now(s);
}

size_t
recordstream_read(struct recordstream *s, void *to, size_t n)
{
	size_t done = 0, left;
	const unsigned char *rest;

	while (done < n) {
		rest = recordsplit_rest(&s->outer, &left);
		if (left == 0) {
			if (!fill(s))
				break;
			continue;
		}
		if (left > n - done)
			left = n - done;
		memcpy((unsigned char *)to + done, rest, left);
		recordsplit_skip(&s->outer, left);
		done += left;
	}
	return done;
}

/* Decompresses some bytes into the inner splitter; false if none are left. */
static bool
decompress_some(struct recordstream *s)
{
	unsigned char *to;
	size_t space, got = 0;

	if (s->compressed == NULL || (s->nin == 0 && !s->pending))
		return false;
	if (s->decoder == NULL) {
		const struct decompression *kind = decompress_kind(s->in, s->nin);

		if (kind != NULL && strcmp(decompress_name(kind), "zstd") == 0) {
			s->decoder = decompress_new(kind);
			if (s->decoder == NULL)
				cli_die("%s: compressed with zstd; this fg-collapse was built "
					"without zstd support",
				    source_name(s->source));
		}
		if (s->decoder == NULL) { /* the data depend on the lost record */
			s->lost++;
			s->nin = 0;
			return false;
		}
	}
	to = recordsplit_space(&s->inner, &space);
	switch (decompress_step(s->decoder, &s->in, &s->nin, to, space, &got)) {
	case DECOMPRESS_BAD:
		recordstream_fault(s, s->inner.offset, "damaged compressed data");
		s->lost++;
		decompress_free(s->decoder);
		s->decoder = NULL;
		s->nin = 0;
		got = 0;
		break;
	case DECOMPRESS_END:
		decompress_free(s->decoder);
		s->decoder = NULL;
		break;
	case DECOMPRESS_MORE: break;
	}
	recordsplit_filled(&s->inner, got);
	s->pending = got == space && s->decoder != NULL;
	s->out_all += got;
	if (s->out_all > source_bound(s->in_all)) {
		recordstream_fault(
		    s, s->inner.offset, "compressed data are too large (see --max-size)");
		s->nin = 0;
		s->pending = false;
		s->out_all = 0;
		s->ended = true;
		recordsplit_free(&s->outer);
	}
	return true;
}

/* Begins to decompress n bytes that follow in the outer splitter. */
static void
begin_compressed(struct recordstream *s, size_t head, size_t n, size_t whole)
{
	size_t left;
	const unsigned char *at = recordsplit_rest(&s->outer, &left);

	block_release(s->compressed);
	s->compressed = s->outer.block;
	block_hold(s->compressed);
	s->in = at + head;
	s->nin = n;
	s->pending = false;
	s->in_all += n;
	s->inner.offset = s->outer.offset;
	s->skip = whole;
	skip_now(s);
}

static uint64_t
round8(uint64_t n)
{
	return (n + 7) & ~UINT64_C(7);
}

/* True if the outer splitter has n bytes, after reading more if necessary. */
static bool
there(struct recordstream *s, size_t n)
{
	size_t left;

	for (recordsplit_rest(&s->outer, &left); left < n; recordsplit_rest(&s->outer, &left))
		if (!fill(s))
			return false;
	return true;
}

static bool
begins_compressed(
    const struct recordstream *s, const unsigned char *at, size_t left, struct perf_event_header *h)
{
	if (left < sizeof *h)
		return false;
	*h = recordsplit_header(&s->outer, at);
	return h->type == RECORD_COMPRESSED || h->type == RECORD_COMPRESSED2;
}

/*
 * Offset of the record after a compressed one of n bytes: perf pads to 8 bytes, except
 * some records whose size had wrapped (tools/perf/builtin-record.c, record__pushfn).
 */
static size_t
after_compressed(struct recordstream *s, size_t n)
{
	const size_t even = (size_t)round8(n);
	struct perf_event_header h;
	const unsigned char *at;
	size_t left, size;

	there(s, n + sizeof(struct perf_event_header));
	at = recordsplit_rest(&s->outer, &left);
	if (n == even || left < even)
		return n;
	return begins_compressed(s, at + n, left - n, &h) ||
		       (recordsplit_sensible(&s->outer, at + n, left - n, &size) &&
			   !recordsplit_sensible(&s->outer, at + even, left - even, &size))
		   ? n
		   : even;
}

/* True if a record, or the end of the input, follows a compressed record of n bytes. */
static bool
leads_on(struct recordstream *s, size_t n)
{
	struct perf_event_header h;
	const unsigned char *at;
	size_t left, size, next;

	if (!there(s, n))
		return false;
	next = after_compressed(s, n);
	at = recordsplit_rest(&s->outer, &left);
	return left == next || begins_compressed(s, at + next, left - next, &h) ||
	       recordsplit_sensible(&s->outer, at + next, left - next, &size);
}

/* Size of the first of several compressed records: perf fills each to the maximum. */
static size_t
first_of_push(struct recordstream *s)
{
	size_t left;
	const unsigned char *at;

	if (!there(s, PACKED_MAX + 1) && !there(s, PACKED_MAX))
		return 0;
	there(s, PACKED_MAX + 16);
	at = recordsplit_rest(&s->outer, &left);
	for (size_t i = PACKED_MAX; i > 16; i--)
		if (left >= i + 8) {
			struct perf_event_header h = recordsplit_header(&s->outer, at + i);

			if (h.type == RECORD_COMPRESSED2 && h.misc == 0 && h.size > 16)
				return i;
		}
	return 0;
}

/*
 * Reads a compressed record, whose lengths can be wrong. perf 6.16 to 6.18 writes the length of a
 * complete push into the first of its records (tools/perf/builtin-record.c, record__pushfn):
 * header.size is then its low 16 bits, rounded up, and the others have no data_size. A record of
 * 65536 bytes has the size 0.
 */
static bool
take_compressed(struct recordstream *s, const struct perf_event_header *h)
{
	const bool second = h->type == RECORD_COMPRESSED2;
	const size_t head = second ? 16 : 8;
	size_t left, whole = h->size == 0 ? RECORD_MAX : h->size;
	const unsigned char *at;
	uint64_t data, total;

	if (s->push > 0) {
		if (whole <= head || !there(s, whole))
			return false;
		s->push -= s->push < whole ? s->push : whole;
		begin_compressed(s, head, whole - head, whole);
		if (s->push == 0)
			recordstream_skip(s, -s->outer.offset & 7);
		return true;
	}
	if (!there(s, head))
		return false;
	if (!second) {
		if (!there(s, whole))
			return false;
		begin_compressed(s, head, whole - head, whole);
		return true;
	}
	at = recordsplit_rest(&s->outer, &left);
	memcpy(&data, at + 8, 8);
	if (s->outer.swapped)
		data = bswap_64(data);
	total = data < (UINT64_C(1) << 40) ? data + 16 : 0;
	if (round8(total) <= RECORD_MAX && (uint16_t)round8(total) == h->size) {
		if (!there(s, (size_t)total))
			return false;
		begin_compressed(s, head, (size_t)data, after_compressed(s, (size_t)total));
		return true;
	}
	if (round8(total) > RECORD_MAX && (uint16_t)round8(total) == h->size &&
	    (whole = first_of_push(s)) > 0) {
		s->push = total - whole;
		begin_compressed(s, head, whole - head, whole);
		return true;
	}
	/* One of the two lengths may be right. */
	if (total > head && total <= RECORD_MAX && leads_on(s, (size_t)total)) {
		begin_compressed(s, head, (size_t)data, after_compressed(s, (size_t)total));
		return true;
	}
	recordstream_fault(s, s->outer.offset, "a compressed record with a wrong length");
	if (whole <= head || !there(s, whole))
		return false;
	begin_compressed(s, head, whole - head, whole);
	return true;
}

/* Skips to the next valid records; false if there are none in the available bytes. */
static bool
resume_outer(struct recordstream *s)
{
	size_t left;

	recordstream_fault(s, s->outer.offset, "not a record");
	s->push = 0;
	while (!recordsplit_resume(&s->outer, s->ended)) {
		if (!fill(s)) {
			recordsplit_rest(&s->outer, &left);
			recordsplit_skip(&s->outer, left);
			return false;
		}
	}
	return true;
}

/* Skips to the next valid records in the decompressed data. False if there are none; the
 * caller retries after decompressing more. */
static bool
resume_inner(struct recordstream *s)
{
	size_t left;

	if (!s->astray)
		recordstream_fault(s, s->inner.offset, "not a record in the compressed data");
	s->astray = false;
	while (!recordsplit_resume(&s->inner, false)) {
		if (!decompress_some(s)) {
			s->astray = true;
			recordsplit_rest(&s->inner, &left);
			recordsplit_skip(&s->inner, left & ~(size_t)7);
			return false;
		}
	}
	return true;
}

/* True if a compressed record is at the front of the outer splitter. */
static bool
is_compressed(const struct recordstream *s, struct perf_event_header *h)
{
	size_t left;
	const unsigned char *at = recordsplit_rest(&s->outer, &left);

	return begins_compressed(s, at, left, h);
}

/* Handles the end of the source: reports a truncated record. */
static void
end(struct recordstream *s)
{
	size_t left;

	recordsplit_rest(&s->outer, &left);
	if (left > 0)
		recordstream_fault(s, s->outer.offset, "the last record is truncated");
	recordsplit_skip(&s->outer, left);
}

bool
recordstream_next(struct recordstream *s, struct record *r)
{
	struct perf_event_header h;

	for (;;) {
		if (!s->astray || resume_inner(s))
			switch (recordsplit_next(&s->inner, r)) {
			case CUT_RECORD: return true;
			case CUT_BAD: resume_inner(s); continue;
			case CUT_MORE: break;
			}
		if (decompress_some(s))
			continue;
		if (is_compressed(s, &h)) {
			if (!take_compressed(s, &h)) {
				end(s);
				return false;
			}
			continue;
		}
		if (s->push > 0) { /* the announced records are missing */
			s->push = 0;
			recordstream_fault(s, s->outer.offset, "compressed records are missing");
		}
		switch (recordsplit_next(&s->outer, r)) {
		case CUT_RECORD: return true;
		case CUT_BAD: resume_outer(s); continue;
		case CUT_MORE:
			if (!fill(s)) {
				end(s);
				return false;
			}
		}
	}
}
