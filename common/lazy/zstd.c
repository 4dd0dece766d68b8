/*
 * zstd: the functions in use here.
 */
#include "lazy/sonames.h"

#ifdef SONAME_zstd

#include <zstd.h>

#include "lazy/sharedlib.h"

static struct sharedlib lazy_library = {.soname = SONAME_zstd};

LAZY(size_t, ZSTD_DCtx_setParameter, (ZSTD_DCtx * a, ZSTD_dParameter b, int c), (a, b, c))
LAZY(ZSTD_DCtx *, ZSTD_createDCtx, (void), ())
LAZY(size_t, ZSTD_decompressStream, (ZSTD_DStream * a, ZSTD_outBuffer *b, ZSTD_inBuffer *c),
    (a, b, c))
LAZY(size_t, ZSTD_freeDCtx, (ZSTD_DCtx * a), (a))
LAZY(const char *, ZSTD_getErrorName, (size_t a), (a))
LAZY(unsigned, ZSTD_isError, (size_t a), (a))

#endif
