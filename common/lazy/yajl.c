/*
 * yajl: the functions in use here.
 */
#include "lazy/sonames.h"

#ifdef SONAME_yajl

#include <stdarg.h>
#include <yajl/yajl_parse.h>

#include "lazy/sharedlib.h"

static struct sharedlib lazy_library = {.soname = SONAME_yajl};

LAZY(yajl_handle, yajl_alloc, (const yajl_callbacks *a, yajl_alloc_funcs *b, void *c), (a, b, c))
LAZY(yajl_status, yajl_complete_parse, (yajl_handle a), (a))
LAZY(void, yajl_free, (yajl_handle a), (a))
LAZY(void, yajl_free_error, (yajl_handle a, unsigned char *b), (a, b))
LAZY(size_t, yajl_get_bytes_consumed, (yajl_handle a), (a))
LAZY(unsigned char *, yajl_get_error, (yajl_handle a, int b, const unsigned char *c, size_t d),
    (a, b, c, d))
LAZY(yajl_status, yajl_parse, (yajl_handle a, const unsigned char *b, size_t c), (a, b, c))

/* Only for options with one int; of others it takes pointers. */
int
yajl_config(yajl_handle a, yajl_option b, ...)
{
	__typeof__(yajl_config) *f =
	    (__typeof__(yajl_config) *)sharedlib_find(&lazy_library, "yajl_config");
	va_list more;
	int value;

	va_start(more, b);
	value = va_arg(more, int);
	va_end(more);
	return f(a, b, value);
}

#endif
