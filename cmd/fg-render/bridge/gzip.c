/*
 * gzip: uses zlib's streaming interface, with constant memory.
 */
#include "fg-render/bridge/gzip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/cli.h"

#define LEVEL 3 /* of 9; level 6 takes twice the time for 10 % less output */
#define BUFFER (64 * 1024)

struct gzip {
	struct output *out;
	z_stream z;
	size_t n; /* bytes in raw */
	unsigned char raw[BUFFER], compressed[BUFFER];
};

static void
deflate_raw(struct gzip *g, int flush)
{
	g->z.next_in = g->raw;
	g->z.avail_in = (unsigned)g->n;
	do {
		g->z.next_out = g->compressed;
		g->z.avail_out = BUFFER;
		(void)deflate(&g->z, flush);
		output_write(g->out, g->compressed, BUFFER - g->z.avail_out);
	} while (g->z.avail_out == 0);
	g->n = 0;
}

struct gzip *
gzip_open(struct output *o)
{
	struct gzip *g = cli_alloc(1, sizeof *g);

	g->out = o;
	if (deflateInit2(&g->z, LEVEL, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		cli_die("out of memory");
	return g;
}

void
gzip_write(struct gzip *g, const void *data, size_t len)
{
	for (const unsigned char *s = data; len > 0;) {
		size_t n = len < BUFFER - g->n ? len : BUFFER - g->n;

		memcpy(g->raw + g->n, s, n);
		g->n += n;
		s += n;
		len -= n;
		if (g->n == BUFFER)
			deflate_raw(g, Z_NO_FLUSH);
	}
}

void
gzip_close(struct gzip *g)
{
	deflate_raw(g, Z_FINISH);
	deflateEnd(&g->z);
	free(g);
}
