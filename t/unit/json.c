/*
 * json: time to parse a file with the JSON library and empty callbacks, for `make bench`.
 */
#include <stdio.h>

#ifdef HAVE_YAJL

#include <yajl/yajl_parse.h>

static int
nothing(void *context)
{
	(void)context;
	return 1;
}

static int
boolean(void *context, int truth)
{
	(void)truth;
	return nothing(context);
}

static int
number(void *context, const char *s, size_t len)
{
	(void)s;
	(void)len;
	return nothing(context);
}

static int
string(void *context, const unsigned char *s, size_t len)
{
	return number(context, (const char *)s, len);
}

int
main(int argc, char **argv)
{
	static const yajl_callbacks callbacks = {nothing, boolean, NULL, NULL, number, string,
	    nothing, string, nothing, nothing, nothing};
	static unsigned char piece[65536];
	yajl_handle yajl = yajl_alloc(&callbacks, NULL, NULL);
	FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
	yajl_status status = yajl_status_ok;
	size_t n;

	if (f == NULL || yajl == NULL)
		return 2;
	yajl_config(yajl, yajl_dont_validate_strings, 1);
	while (status == yajl_status_ok && (n = fread(piece, 1, sizeof piece, f)) > 0)
		status = yajl_parse(yajl, piece, n);
	yajl_free(yajl);
	fclose(f);
	return status == yajl_status_ok ? 0 : 2;
}

#else

int
main(void)
{
	return 2;
}

#endif
