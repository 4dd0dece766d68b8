/*
 * static: a static program loads no library. libdw's archive asks for libdebuginfod when the
 * program starts, and that of another C library would be loaded with its own beside ours.
 */
#include <stddef.h>

void *__wrap_dlopen(const char *name, int flags);

/* In place of dlopen(3), by --wrap=dlopen in the Makefile with STATIC=1. */
void *
__wrap_dlopen(const char *name, int flags)
{
	(void)name;
	(void)flags;
	return NULL;
}
