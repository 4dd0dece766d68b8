/*
 * deflate: functions of libdeflate, loaded at their first call.
 */
#include "lazy/sonames.h"

#ifdef SONAME_deflate

#include <libdeflate.h>

#include "lazy/sharedlib.h"

static struct sharedlib lazy_library = {.soname = SONAME_deflate};

LAZY(struct libdeflate_compressor *, libdeflate_alloc_compressor, (int a), (a))
LAZY(struct libdeflate_decompressor *, libdeflate_alloc_decompressor, (void), ())
LAZY(void, libdeflate_free_compressor, (struct libdeflate_compressor * a), (a))
LAZY(void, libdeflate_free_decompressor, (struct libdeflate_decompressor * a), (a))
LAZY(size_t, libdeflate_gzip_compress,
    (struct libdeflate_compressor * a, const void *b, size_t c, void *d, size_t e), (a, b, c, d, e))
LAZY(size_t, libdeflate_gzip_compress_bound, (struct libdeflate_compressor * a, size_t b), (a, b))
LAZY(enum libdeflate_result, libdeflate_gzip_decompress_ex,
    (struct libdeflate_decompressor * a, const void *b, size_t c, void *d, size_t e, size_t *f,
	size_t *g),
    (a, b, c, d, e, f, g))
LAZY(enum libdeflate_result, libdeflate_zlib_decompress,
    (struct libdeflate_decompressor * a, const void *b, size_t c, void *d, size_t e, size_t *f),
    (a, b, c, d, e, f))

#endif
