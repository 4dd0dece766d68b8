/*
 * payload: data for the viewer inside the SVG: compressed with gzip, which browsers decompress and
 * whose checksum detects damage; in base 91; split into <metadata> elements below libxml2's limit.
 */
#include <pthread.h>
#include <stdlib.h>
#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#else
#include <zlib.h>
#endif

#include "base/cli.h"
#include "fg-render/payload.h"
#include "fg-render/xml.h"

#define WORTH_A_THREAD (256 * 1024) /* bytes; with less, a thread saves only a few ms */
#define LEVEL 6 /* 9 takes three times as long for 1 % less */
#define LARGE (1024 * 1024) /* bytes; from here on time counts for more than size */
#define LEVEL_LARGE 4 /* 6 takes 1.7 times as long for 4 % less */

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

/* Writes bytes in base 91, as base91.awk does. */
static void
write_base91(struct output *o, const unsigned char *s, size_t len)
{
	static const char digit[] = "!\"#$%'()*+,-./0123456789:;=?@ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
	char out[4096];
	size_t n = 0;
	unsigned v = 0, bits = 0;

	for (size_t i = 0; i < len; i++) {
		v |= (unsigned)s[i] << bits;
		bits += 8;
		if (bits < 13)
			continue;
		out[n++] = digit[v % 8192 % 91];
		out[n++] = digit[v % 8192 / 91];
		v >>= 13;
		bits -= 13;
		if (n == sizeof out) {
			output_write(o, out, n);
			n = 0;
		}
	}
	output_write(o, out, n);
	if (bits > 0)
		output_char(o, digit[v % 91]);
	if (bits > 6)
		output_char(o, digit[v / 91]);
}

/* Bytes of an element: whole groups of 13 bits, so that their digits can be joined. */
#define SECTION (XML_SECTION / 16 * 13)

void
payload_constant(struct output *o, const char *name, const char *base91)
{
	output_printf(o, "<metadata data-of=\"%s\">", name);
	output_text(o, base91);
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
	k->threaded = raw->len > WORTH_A_THREAD;
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
