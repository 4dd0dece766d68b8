/* Ends the program when memory runs out; libdw calls this function, which musl lacks. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void error(int status, int number, const char *format, ...);

void
error(int status, int number, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vfprintf(stderr, format, ap);
	va_end(ap);
	fprintf(stderr, ": %s\n", strerror(number));
	exit(status);
}
