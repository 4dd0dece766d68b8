/*
 * lines: read(2) into a caller's block, after the rest of the previous block; the block ends at
 * the last complete record.
 */
#include "base/lines.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"

#define NOWHERE SIZE_MAX
#define CARRY (16 * 1024) /* bytes: more than most records */

struct lines {
	struct source *source;
	lines_cut *cut;
	pthread_mutex_t lock;
	char *carry; /* bytes of the next block */
	size_t ncarry, carry_size;
	bool started, ended, skipping; /* skipping: inside an overlong line */
	bool unterminated; /* the last line has no newline */
	size_t mark; /* bytes of a byte order mark still to skip */
	enum { BYTES, UTF16LE, UTF16BE } encoding;
	char raw[2048]; /* UTF-16 still to convert */
	size_t nraw;
	char *peeked; /* lines_peek's result for UTF-16 */
	uint64_t seq;
	uint32_t *lines; /* number of lines by block */
	size_t nlines, lines_size;
	/* Number of overlong lines, and location of the first: */
	uint64_t overlong;
	size_t overlong_at; /* offset in the current block or carry, until the block is known */
	uint64_t overlong_seq;
	uint32_t overlong_line;
	/* Used by lines_line: */
	struct lines_block block;
	size_t at_block;
	uint64_t number, before_block;
	/* Used for a part of a file (lines_split, lines_ahead): */
	bool split;
	uint64_t at, end; /* offsets in the file: the part's next byte and its end */
	struct lines *before, *after; /* the neighbouring parts */
	lines_prefix *prefix; /* of each line, to be removed; or NULL */
	const void *prefix_state;
};

size_t
lines_cut_line(const char *data, size_t len)
{
	(void)data;
	return len;
}

struct lines *
lines_over(struct source *source, lines_cut *cut)
{
	struct lines *in = cli_alloc(1, sizeof *in);

	in->source = source;
	in->cut = cut;
	in->overlong_at = NOWHERE;
	pthread_mutex_init(&in->lock, NULL);
	return in;
}

struct lines *
lines_open(const char *path, lines_cut *cut)
{
	return lines_over(source_open(path), cut);
}

struct source *
lines_source(struct lines *in)
{
	return in->source;
}

static unsigned
utf16_unit(const char *s, bool big)
{
	const unsigned char *p = (const unsigned char *)s;

	return big ? p[0] << 8u | p[1] : p[1] << 8u | p[0];
}

/* Writes c as UTF-8; returns the position after it. */
static char *
put_utf8(char *to, unsigned c)
{
	static const unsigned char first[] = {0, 0, 0xc0, 0xe0, 0xf0}; /* leading byte by length */
	int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (int i = n - 1; i > 0; i--, c >>= 6)
		to[i] = (char)(0x80 | (c & 0x3f));
	to[0] = (char)(first[n] | c);
	return to + n;
}

/* Converts UTF-16 to UTF-8 until `to` is full; moves the rest to the front of from. */
static size_t
convert(struct lines *in, char *from, size_t *nfrom, char *to, size_t len)
{
	bool big = in->encoding == UTF16BE;
	char *at = from, *end = from + *nfrom, *start = to;

	while (end - at >= 2 && len - (size_t)(to - start) >= 4) {
		unsigned c = utf16_unit(at, big), low;

		if (c >> 10 == 0xd800 >> 10 && end - at < 4)
			break;
		at += 2;
		if (c >> 10 == 0xd800 >> 10 && (low = utf16_unit(at, big)) >> 10 == 0xdc00 >> 10) {
			c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
			at += 2;
		}
		to = put_utf8(to, c >> 11 == 0xd800 >> 11 ? 0xfffd : c); /* unpaired surrogate */
	}
	*nfrom = (size_t)(end - at);
	memmove(from, at, *nfrom); /* keeps an incomplete character */
	return (size_t)(to - start);
}

/*
 * True if bytes with a UTF-16 mark are plausible UTF-16: otherwise nearly no character would be
 * one that profiles contain.
 */
static bool
is_utf16(const char *p, size_t len, bool big)
{
	size_t printable = 0, units = len / 2;

	for (size_t i = 0; i < units; i++) {
		unsigned unit = utf16_unit(p + 2 * i, big);

		if (unit == 0)
			return false;
		printable += (unit >= ' ' && unit < 127) || (unit >= '\t' && unit <= '\r');
	}
	return printable * 8 >= units;
}

/* Detects the encoding. */
static void
start(struct lines *in)
{
	const unsigned char *p;
	size_t n;

	in->started = true;
	p = source_peek(in->source, &n);
	if (n >= 3 && p[0] == 0xef && p[1] == 0xbb && p[2] == 0xbf) {
		in->mark = 3;
	} else if (n >= 2 && ((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff)) &&
		   is_utf16((const char *)p + 2, n - 2, p[0] == 0xfe)) {
		in->mark = 2;
		in->encoding = p[0] == 0xff ? UTF16LE : UTF16BE;
	}
}

/* Reads bytes, UTF-16 converted to UTF-8; 0 at the end. len is at least 4. */
static size_t
read_text(struct lines *in, char *buf, size_t len)
{
	size_t n = 0;

	if (in->split) {
		if (len > in->end - in->at)
			len = (size_t)(in->end - in->at);
		n = source_pread(in->source, buf, len, in->at);
		in->at += n;
		return n;
	}
	if (in->mark > 0) {
		source_skip(in->source, in->mark);
		in->mark = 0;
	}
	if (in->encoding == BYTES)
		return source_read(in->source, buf, len);
	while (n == 0) {
		size_t more =
		    source_read(in->source, in->raw + in->nraw, sizeof in->raw - in->nraw);

		if (more == 0 && in->nraw < 4)
			return 0;
		in->nraw += more;
		n = convert(in, in->raw, &in->nraw, buf, len);
	}
	return n;
}

size_t
lines_bytes(struct lines *in, char *buf, size_t len)
{
	if (!in->started)
		start(in);
	return read_text(in, buf, len);
}

static void
block_reserve(struct lines_block *b, size_t size)
{
	vec_fit(b->data, b->size, size + LINES_PAD);
}

void
lines_cut_with(struct lines *in, lines_cut *cut)
{
	in->cut = cut;
}

const char *
lines_peek(struct lines *in, size_t *len)
{
	const char *p;

	if (!in->started)
		start(in);
	p = (const char *)source_peek(in->source, len) + in->mark;
	*len -= in->mark;
	if (in->encoding != BYTES) {
		char *copy = cli_alloc(*len + 1, 1);

		memcpy(copy, p, *len);
		free(in->peeked);
		in->peeked = cli_alloc(2 * *len + 4, 1); /* two bytes become at most three */
		*len = convert(in, copy, len, in->peeked, 2 * *len + 4);
		free(copy);
		return in->peeked;
	}
	return p;
}

/* Returns the first `cut` bytes of the block; the next block starts with the rest. */
static void
give(struct lines *in, struct lines_block *b, size_t cut, size_t len)
{
	vec_fit(in->carry, in->carry_size, len - cut);
	if (len > cut)
		memcpy(in->carry, b->data + cut, len - cut);
	in->ncarry = len - cut;
	b->len = cut;
	if (in->overlong_at == NOWHERE)
		return;
	if (in->overlong_at >= cut) {
		in->overlong_at -= cut;
		return;
	}
	in->overlong_seq = in->seq;
	for (size_t i = 0; i < in->overlong_at; i++)
		in->overlong_line += b->data[i] == '\n';
	in->overlong_at = NOWHERE;
}

/*
 * Drops the part of n bytes that belongs to an overlong line; returns the length of the rest,
 * from its newline on.
 */
static size_t
skip_overlong(struct lines *in, char *data, size_t n)
{
	char *newline = memchr(data, '\n', n);

	if (newline == NULL)
		return 0;
	in->skipping = false;
	n -= (size_t)(newline - data);
	memmove(data, newline, n);
	return n;
}

/*
 * Where to split data whose first `line` bytes are complete lines, 0: not yet. Splits a record
 * longer than LINES_MAX at the last line end before that limit, independent of the sizes of the
 * reads.
 */
static size_t
cut_at(struct lines *in, const char *data, size_t line)
{
	size_t whole = line, cut;

	if (line > LINES_MAX + 4)
		whole = (size_t)((char *)memrchr(data, '\n', LINES_MAX + 4) + 1 - data);
	cut = in->cut(data, whole);
	return cut == 0 && whole < line ? whole : cut;
}

static bool
fill(struct lines *in, struct lines_block *b)
{
	size_t len = in->ncarry, want = LINES_BLOCK, line;
	char *last;

	if (!in->started)
		start(in);
	/* The next one is larger by the rest of this block. */
	block_reserve(b, len + want + (b->size == 0 ? CARRY : 0));
	if (len > 0)
		memcpy(b->data, in->carry, len);
	in->ncarry = 0;
	last = memrchr(b->data, '\n', len);
	line = last != NULL ? (size_t)(last + 1 - b->data) : 0; /* start of the incomplete line */
	while (!in->ended) {
		/* The length limit must not depend on the sizes of the reads. */
		size_t space = LINES_MAX + 1 - (len - line), n, cut;

		if (space < 4 && in->encoding != BYTES)
			space = 4;
		block_reserve(b, len + want);
		n = read_text(in, b->data + len, want < space ? want : space);
		if (n == 0) {
			in->ended = true;
			break;
		}
		if (in->skipping)
			n = skip_overlong(in, b->data + len, n);
		last = memrchr(b->data + len, '\n', n);
		len += n;
		if (last != NULL) {
			line = (size_t)(last + 1 - b->data);
			cut = cut_at(in, b->data, line);
			if (cut != 0) {
				give(in, b, cut, len);
				return true;
			}
		} else if (len - line > LINES_MAX) {
			/*
			 * Makes it a comment, which does not end a record, and preserves line
			 * numbers.
			 */
			if (in->overlong++ == 0)
				in->overlong_at = line;
			in->skipping = true;
			memcpy(b->data + line, "# ", 2);
			len = line + 2;
		}
		if (want < len)
			want = len; /* search again at twice the length */
	}
	if (source_damaged(in->source))
		len = line > 0 ? in->cut(b->data, line) : 0;
	if (len > 0 && b->data[len - 1] != '\n') {
		in->unterminated = true;
		b->data[len++] = '\n';
	}
	give(in, b, len, len);
	return len > 0;
}

/* Removes the prefix of each line of a block. */
static void
strip(const struct lines *in, struct lines_block *b)
{
	char *to = b->data;
	const char *at = b->data, *end = at + b->len;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t len = (size_t)(newline - at), n = in->prefix(in->prefix_state, at, len);

		memmove(to, at + n, len + 1 - n);
		to += len + 1 - n;
		at = newline + 1;
	}
	b->len = (size_t)(to - b->data);
}

bool
lines_next(struct lines *in, struct lines_block *b)
{
	bool more;

	pthread_mutex_lock(&in->lock);
	more = fill(in, b);
	b->seq = in->seq;
	in->seq += more;
	pthread_mutex_unlock(&in->lock);
	source_progress(in->source);
	if (more && in->prefix != NULL)
		strip(in, b);
	return more;
}

void
lines_strip(struct lines *in, lines_prefix *length, const void *state)
{
	in->prefix = length;
	in->prefix_state = state;
}

bool
lines_line(struct lines *in, struct str *line)
{
	const char *end;

	if (in->at_block == in->block.len) {
		if (in->seq > 0)
			lines_count(in, in->block.seq, (uint32_t)(in->number - in->before_block));
		in->before_block = in->number;
		in->at_block = 0;
		if (!lines_next(in, &in->block))
			return false;
	}
	line->s = in->block.data + in->at_block;
	end = memchr(line->s, '\n', in->block.len - in->at_block);
	line->len = (size_t)(end - line->s);
	in->at_block += line->len + 1;
	if (line->len > 0 && end[-1] == '\r')
		line->len--;
	in->number++;
	return true;
}

uint64_t
lines_at(const struct lines *in)
{
	return in->number;
}

/* The first end of a record from `at` on, or 0 if none is near. */
static uint64_t
record_end(struct lines *in, uint64_t at, char *window)
{
	size_t n = source_pread(in->source, window, LINES_BLOCK, at), cut;
	char *first = memchr(window, '\n', n), *last;

	if (first == NULL)
		return 0;
	first++;
	last = memrchr(first, '\n', (size_t)(window + n - first));
	if (last == NULL)
		return 0;
	cut = in->cut(first, (size_t)(last + 1 - first));
	return cut != 0 ? at + (uint64_t)(first - window) + cut : 0;
}

/* Starts reading by offsets, if possible. */
static bool
by_offset(struct lines *in)
{
	if (!in->started)
		start(in);
	return in->encoding == BYTES && in->prefix == NULL && source_seekable(in->source);
}

/* The offset of the next byte. */
static uint64_t
offset(const struct lines *in)
{
	return in->split ? in->at : source_at(in->source) + in->mark;
}

/* A part of the file from an offset on. */
static struct lines *
part_from(struct lines *before, uint64_t at)
{
	struct lines *part = lines_over(before->source, before->cut);

	part->started = part->split = true;
	part->at = at;
	part->end = UINT64_MAX;
	part->before = before;
	return part;
}

struct lines *
lines_ahead(struct lines *in)
{
	assert(in->ncarry == 0);
	return by_offset(in) ? part_from(in, offset(in)) : NULL;
}

unsigned
lines_split(struct lines *in, struct lines **part, unsigned n)
{
	uint64_t now, left;
	unsigned made = 1;
	char *window;

	part[0] = in;
	if (!by_offset(in))
		return 1;
	now = offset(in);
	if (now >= source_size(in->source))
		return 1;
	left = source_size(in->source) - now;
	if (left / n < 4 * LINES_BLOCK)
		n = (unsigned)(left / (4 * LINES_BLOCK));
	if (n < 2)
		return 1;
	window = cli_realloc(NULL, LINES_BLOCK + LINES_PAD, 1);
	in->split = true;
	in->at = now;
	in->end = UINT64_MAX;
	for (unsigned i = 1; i < n; i++) {
		uint64_t cut = record_end(in, now + left / n * i, window);
		struct lines *next, *last = part[made - 1];

		if (cut <= last->at)
			continue;
		next = part_from(last, cut);
		last->end = cut;
		last->after = next;
		part[made++] = next;
	}
	free(window);
	return made;
}

void
lines_unsplit(struct lines *in, const struct lines *from, uint64_t lines)
{
	const struct lines *last = in;

	while (last->after != NULL)
		last = last->after;
	if (from != NULL) {
		in->at = from->before->end;
		in->end = UINT64_MAX;
		in->ended = false;
	} else {
		in->unterminated |= last->unterminated;
	}
	for (uint32_t n; lines > 0; lines -= n) {
		n = lines < UINT32_MAX ? (uint32_t)lines : UINT32_MAX;
		lines_count(in, in->seq++, n);
	}
	if (in->after != NULL)
		lines_close(in->after);
	in->after = NULL;
}

void
lines_count(struct lines *in, uint64_t seq, uint32_t lines)
{
	pthread_mutex_lock(&in->lock);
	if (seq >= in->nlines) {
		vec_fit(in->lines, in->lines_size, seq + 1);
		memset(in->lines + in->nlines, 0, (seq + 1 - in->nlines) * sizeof *in->lines);
		in->nlines = seq + 1;
	}
	in->lines[seq] = lines;
	pthread_mutex_unlock(&in->lock);
}

uint64_t
lines_number(const struct lines *in, uint64_t seq, uint32_t line)
{
	uint64_t sum = 1 + (uint64_t)line;

	for (uint64_t i = 0; i < seq && i < in->nlines; i++)
		sum += in->lines[i];
	for (in = in->before; in != NULL; in = in->before)
		for (uint64_t i = 0; i < in->nlines; i++)
			sum += in->lines[i];
	return sum;
}

const char *
lines_name(const struct lines *in)
{
	return source_name(in->source);
}

bool
lines_unterminated(const struct lines *in)
{
	return in->unterminated && source_regular(in->source);
}

uint64_t
lines_finish(const struct lines *in, bool strict)
{
	const struct lines *first = NULL;
	uint64_t overlong = 0;

	for (const struct lines *part = in; part != NULL; part = part->after) {
		if (overlong == 0 && part->overlong != 0)
			first = part;
		overlong += part->overlong;
	}
	if (overlong != 0) {
		cli_warn("%s:%llu: line longer than %d MB; left out", lines_name(in),
		    (unsigned long long)lines_number(
			first, first->overlong_seq, first->overlong_line),
		    LINES_MAX >> 20);
		if (strict)
			cli_exit_error();
	}
	source_finish(in->source, strict);
	return overlong;
}

void
lines_block_free(struct lines_block *b)
{
	free(b->data);
	*b = (struct lines_block){0};
}

void
lines_close(struct lines *in)
{
	if (in->after != NULL)
		lines_close(in->after);
	if (in->before == NULL)
		source_close(in->source);
	pthread_mutex_destroy(&in->lock);
	lines_block_free(&in->block);
	free(in->carry);
	free(in->peeked);
	free(in->lines);
	free(in);
}
