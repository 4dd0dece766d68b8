/*
 * lzma: the functions in use here.
 */
#include "lazy/sonames.h"

#ifdef SONAME_lzma

#include <lzma.h>

#include "lazy/sharedlib.h"

static struct sharedlib lazy_library = {.soname = SONAME_lzma};

LAZY(lzma_ret, lzma_code, (lzma_stream * a, lzma_action b), (a, b))
LAZY(void, lzma_end, (lzma_stream * a), (a))
LAZY(lzma_ret, lzma_stream_decoder, (lzma_stream * a, uint64_t b, uint32_t c), (a, b, c))

#endif
