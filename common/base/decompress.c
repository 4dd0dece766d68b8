/*
 * decompress: a table of formats, each over its library's stream; gzip in one step by libdeflate.
 */
#include "base/decompress.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_LIBDEFLATE
#include <libdeflate.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif

#include "base/cli.h"

struct decompress {
	const struct decompression *kind;
	const char *why;
	union {
		z_stream gzip;
#ifdef HAVE_ZSTD
		ZSTD_DCtx *zstd;
#endif
#ifdef HAVE_LZMA
		lzma_stream xz;
#endif
	};
};

struct decompression {
	const char *name;
	const char *missing; /* library missing in this build, or NULL */
	void (*begin)(struct decompress *u);
	enum decompress_state (*step)(struct decompress *u, const unsigned char **in, size_t *nin,
	    unsigned char *out, size_t space, size_t *nout);
	void (*end)(struct decompress *u);
	size_t nmagic;
	unsigned char magic[DECOMPRESS_MAGIC], mask[DECOMPRESS_MAGIC];
};

static void
gzip_begin(struct decompress *u)
{
	if (inflateInit2(&u->gzip, 16 + MAX_WBITS) != Z_OK)
		cli_die("out of memory");
}

static enum decompress_state
gzip_step(struct decompress *u, const unsigned char **in, size_t *nin, unsigned char *out,
    size_t space, size_t *nout)
{
	z_stream *z = &u->gzip;
	int got;

	z->next_in = (unsigned char *)(uintptr_t)*in; /* zlib does not modify it */
	z->avail_in = (uInt)(*nin < UINT32_MAX ? *nin : UINT32_MAX);
	z->next_out = out;
	z->avail_out = (uInt)(space < UINT32_MAX ? space : UINT32_MAX);
	got = inflate(z, Z_NO_FLUSH);
	*nin -= (size_t)(z->next_in - *in);
	*in = z->next_in;
	*nout = (size_t)(z->next_out - out);
	if (got == Z_STREAM_END)
		return DECOMPRESS_END;
	if (got == Z_OK || got == Z_BUF_ERROR)
		return DECOMPRESS_MORE;
	if (got == Z_MEM_ERROR)
		cli_die("out of memory");
	u->why = z->msg != NULL ? z->msg : "needs a dictionary";
	return DECOMPRESS_BAD;
}

static void
gzip_end(struct decompress *u)
{
	inflateEnd(&u->gzip);
}

#ifdef HAVE_ZSTD
static void
zstd_begin(struct decompress *u)
{
	u->zstd = ZSTD_createDCtx();
	if (u->zstd == NULL)
		cli_die("out of memory");
	/* Like zstd(1) by default: refuses larger windows, of --long=28 and more. */
	ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, 27);
}

static enum decompress_state
zstd_step(struct decompress *u, const unsigned char **in, size_t *nin, unsigned char *out,
    size_t space, size_t *nout)
{
	ZSTD_inBuffer from = {*in, *nin, 0};
	ZSTD_outBuffer to = {out, space, 0};
	size_t left = ZSTD_decompressStream(u->zstd, &to, &from);

	*in += from.pos;
	*nin -= from.pos;
	*nout = to.pos;
	if (ZSTD_isError(left)) {
		u->why = ZSTD_getErrorName(left);
		return DECOMPRESS_BAD;
	}
	return left == 0 ? DECOMPRESS_END : DECOMPRESS_MORE;
}

static void
zstd_end(struct decompress *u)
{
	ZSTD_freeDCtx(u->zstd);
}

#define ZSTD_MISSING NULL
#else
#define ZSTD_MISSING "libzstd"
#define zstd_begin NULL
#define zstd_step NULL
#define zstd_end NULL
#endif

#ifdef HAVE_LZMA
static void
xz_begin(struct decompress *u)
{
	u->xz = (lzma_stream)LZMA_STREAM_INIT;
	if (lzma_stream_decoder(&u->xz, DECOMPRESS_MEMORY, 0) != LZMA_OK)
		cli_die("out of memory");
}

static enum decompress_state
xz_step(struct decompress *u, const unsigned char **in, size_t *nin, unsigned char *out,
    size_t space, size_t *nout)
{
	lzma_ret got;

	u->xz.next_in = *in;
	u->xz.avail_in = *nin;
	u->xz.next_out = out;
	u->xz.avail_out = space;
	got = lzma_code(&u->xz, LZMA_RUN);
	*in = u->xz.next_in;
	*nin = u->xz.avail_in;
	*nout = space - u->xz.avail_out;
	switch (got) {
	case LZMA_OK:
	case LZMA_BUF_ERROR: return DECOMPRESS_MORE;
	case LZMA_STREAM_END: return DECOMPRESS_END;
	case LZMA_MEM_ERROR: cli_die("out of memory");
	case LZMA_MEMLIMIT_ERROR: u->why = "needs more than 256 MB of memory"; break;
	case LZMA_OPTIONS_ERROR: u->why = "created by a newer xz"; break;
	default: u->why = "data check failed"; break;
	}
	return DECOMPRESS_BAD;
}

static void
xz_end(struct decompress *u)
{
	lzma_end(&u->xz);
}

#define XZ_MISSING NULL
#else
#define XZ_MISSING "liblzma"
#define xz_begin NULL
#define xz_step NULL
#define xz_end NULL
#endif

/* RFC 1952 with deflate, its only method; RFC 8878 with skippable frames; the xz format. */
static const struct decompression kinds[] = {
    {"gzip", NULL, gzip_begin, gzip_step, gzip_end, 3, {0x1f, 0x8b, 8}, {255, 255, 255}},
    {"zstd", ZSTD_MISSING, zstd_begin, zstd_step, zstd_end, 4, {0x28, 0xb5, 0x2f, 0xfd},
	{255, 255, 255, 255}},
    {"zstd", ZSTD_MISSING, zstd_begin, zstd_step, zstd_end, 4, {0x50, 0x2a, 0x4d, 0x18},
	{0xf0, 255, 255, 255}},
    {"xz", XZ_MISSING, xz_begin, xz_step, xz_end, 6, {0xfd, '7', 'z', 'X', 'Z', 0},
	{255, 255, 255, 255, 255, 255}},
};

const struct decompression *
decompress_kind(const unsigned char *data, size_t len)
{
	for (const struct decompression *k = kinds; k < kinds + sizeof kinds / sizeof kinds[0];
	     k++) {
		size_t i = 0;

		while (i < k->nmagic && i < len && (data[i] & k->mask[i]) == k->magic[i])
			i++;
		if (i == k->nmagic)
			return k;
	}
	return NULL;
}

const char *
decompress_name(const struct decompression *k)
{
	return k->name;
}

const char *
decompress_missing(const struct decompression *k)
{
	return k->missing;
}

struct decompress *
decompress_new(const struct decompression *k)
{
	struct decompress *u;

	if (k->missing != NULL)
		return NULL;
	u = cli_alloc(1, sizeof *u);
	u->kind = k;
	k->begin(u);
	return u;
}

enum decompress_state
decompress_step(struct decompress *u, const unsigned char **in, size_t *nin, unsigned char *out,
    size_t space, size_t *nout)
{
	return u->kind->step(u, in, nin, out, space, nout);
}

#ifdef HAVE_LIBDEFLATE

#define GZIP_LEAST 18 /* bytes: header and trailer */
#define RATIO_MAX 1032 /* bytes that one byte of deflate's format can become */

size_t
decompress_size(const struct decompression *k, const unsigned char *in, size_t nin)
{
	size_t size = 0;

	if (k->step != gzip_step || nin < GZIP_LEAST)
		return 0;
	for (int i = 1; i <= 4; i++)
		size = size << 8 | in[nin - (size_t)i];
	return size / RATIO_MAX <= nin ? size : 0;
}

bool
decompress_whole(const struct decompression *k, const unsigned char *in, size_t nin,
    unsigned char *out, size_t size)
{
	struct libdeflate_decompressor *d;
	size_t used, got;
	bool whole;

	if (k->step != gzip_step || (d = libdeflate_alloc_decompressor()) == NULL)
		return false;
	whole = libdeflate_gzip_decompress_ex(d, in, nin, out, size, &used, &got) ==
		    LIBDEFLATE_SUCCESS &&
		used == nin && got == size;
	libdeflate_free_decompressor(d);
	return whole;
}

#else

size_t
decompress_size(const struct decompression *k, const unsigned char *in, size_t nin)
{
	(void)k;
	(void)in;
	(void)nin;
	return 0;
}

bool
decompress_whole(const struct decompression *k, const unsigned char *in, size_t nin,
    unsigned char *out, size_t size)
{
	(void)k;
	(void)in;
	(void)nin;
	(void)out;
	(void)size;
	return false;
}

#endif

const char *
decompress_why(const struct decompress *u)
{
	return u->why;
}

void
decompress_free(struct decompress *u)
{
	if (u == NULL)
		return;
	u->kind->end(u);
	free(u);
}
