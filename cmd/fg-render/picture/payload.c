/*
 * payload: data for the viewer inside the SVG: compressed with gzip, which browsers decompress and
 * whose checksum detects damage; in base 91; split into <metadata> elements below libxml2's limit.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif

#include "base/cli.h"
#include "fg-render/picture/payload.h"
#include "fg-render/xml.h"

#define LARGE (256 * 1024) /* bytes; with less, a thread saves only a few ms */
#define LEVEL 6 /* 9 takes three times as long for 1 % less */
#define LEVEL_LARGE 4 /* 6 takes 1.3 times as long for 3 % less */

static int
level_of(const struct text *b)
{
	return b->len < LARGE ? LEVEL : LEVEL_LARGE;
}

/*
 * Compresses b into *out; returns the number of bytes written. The caller frees *out. Calls on
 * the first thread share a compressor: it has 650 kB, most of the memory of a small SVG.
 */
static size_t
zip(const struct text *b, unsigned char **out, bool threaded)
{
#ifdef HAVE_LIBDEFLATE
	static struct libdeflate_compressor *shared;
	bool shares = !threaded && level_of(b) == LEVEL;
	struct libdeflate_compressor *c = shares ? shared : NULL;
	size_t space, n;

	if (c == NULL && (c = libdeflate_alloc_compressor(level_of(b))) == NULL)
		cli_die("out of memory");
	space = libdeflate_gzip_compress_bound(c, b->len);
	*out = cli_alloc(space, 1);
	n = libdeflate_gzip_compress(c, b->len != 0 ? b->s : "", b->len, *out, space);
	if (shares)
		shared = c;
	else
		libdeflate_free_compressor(c);
	return n;
#else
	z_stream z = {.next_in = (unsigned char *)b->s, .avail_in = 0};
	size_t space, n = 0, rest = b->len;
	int done;

	(void)threaded;
	if (deflateInit2(&z, level_of(b), Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		cli_die("out of memory");
	space = deflateBound(&z, b->len);
	*out = cli_alloc(space, 1);
	do { /* zlib's counters are unsigned int */
		size_t in = rest < 1 << 30 ? rest : 1 << 30;

		z.avail_in = (unsigned)in;
		z.next_out = *out + n;
		z.avail_out = (unsigned)(space - n < 1 << 30 ? space - n : 1 << 30);
		done = deflate(&z, rest == in ? Z_FINISH : Z_NO_FLUSH);
		n = (size_t)(z.next_out - *out);
		rest -= in - z.avail_in;
	} while (done != Z_STREAM_END);
	deflateEnd(&z);
	return n;
#endif
}

/* Puts the lower 13 bits of v as two digits of base 91, least significant first. */
static inline char *
put_digits(char *to, uint64_t v)
{
	static const char digit[] = "!\"#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
	unsigned group = v & 8191;

	to[0] = digit[group % 91];
	to[1] = digit[group / 91];
	return to + 2;
}

/* Writes bytes in base 91, as base91.awk does. */
static void
write_base91(struct output *o, const unsigned char *s, size_t len)
{
	char out[4096], *to = out;
	uint64_t v, high, bits = 0;

	for (; len >= 13; s += 13, len -= 13) {
		memcpy(&v, s, sizeof v);
		memcpy(&high, s + 5, sizeof high);
		v = le64toh(v);
		high = le64toh(high) >> 12; /* from bit 40 + 12 = 4 * 13 on */
		for (int i = 0; i < 4; i++, v >>= 13)
			to = put_digits(to, v);
		for (int i = 0; i < 4; i++, high >>= 13)
			to = put_digits(to, high);
		if (to == out + sizeof out) {
			output_write(o, out, sizeof out);
			to = out;
		}
	}
	for (v = 0; len > 0; len--) {
		v |= (uint64_t)*s++ << bits;
		bits += 8;
		if (bits >= 13) {
			to = put_digits(to, v);
			v >>= 13;
			bits -= 13;
		}
	}
	to = bits > 0 ? put_digits(to, v) - (bits <= 6) : to;
	output_write(o, out, (size_t)(to - out));
}

/* Bytes of an element: whole groups of 13 bits, so that their digits can be joined. */
#define SECTION (XML_SECTION / 16 * 13)

void
payload_constant(struct output *o, const char *name, const char *base91)
{
	output_printf(o, "<metadata data-of=\"%s\">", name);
	output_direct(o, base91, strlen(base91));
	output_text(o, "</metadata>\n");
}

static void *
run(void *payload)
{
	struct payload *k = payload;

	k->len = zip(k->raw, &k->zipped, k->threaded);
	return NULL;
}

void
payload_begin(struct payload *k, const struct text *raw)
{
	*k = (struct payload){.raw = raw};
	k->threaded = raw->len >= LARGE;
	if (k->threaded && pthread_create(&k->thread, NULL, run, k) != 0)
		k->threaded = false;
	if (!k->threaded)
		run(k);
}

void
payload_end(struct payload *k, const char *name, struct output *o)
{
	if (k->threaded)
		pthread_join(k->thread, NULL);
	for (size_t at = 0, n; at < k->len; at += n) {
		n = k->len - at < SECTION ? k->len - at : SECTION;
		output_printf(o, "<metadata data-of=\"%s\">", name);
		write_base91(o, k->zipped + at, n);
		output_text(o, "</metadata>\n");
	}
	free(k->zipped);
}

void
payload_write(struct output *o, const char *name, const struct text *raw)
{
	struct payload k;

	payload_begin(&k, raw);
	payload_end(&k, name, o);
}

void
payload_gzip(struct output *o, const struct text *raw)
{
	unsigned char *zipped;
	size_t len = zip(raw, &zipped, false);

	output_write(o, zipped, len);
	free(zipped);
}
