/*
 * source: base/source for t/source.t.
 *
 *	source info FILE		compression, seekable, size
 *	source peek FILE		what source_peek shows, before and after a read
 *	source small FILE		the bytes, read in small pieces
 *	source skip N FILE		the bytes after the first N
 *	source whole FILE [MAX]		the bytes, from memory; then 4 from the middle
 *	source pread OFFSET FILE	8 bytes from there
 *	source bound N			memory limit for N compressed bytes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/source.h"

static struct cli_option options[] = {{0}};
static const struct cli cli = {.synopsis = "", .purpose = "", .options = options};

static void
copy_rest(struct source *s)
{
	static char buf[256 * 1024];
	size_t n;

	while ((n = source_read(s, buf, sizeof buf)) > 0)
		fwrite(buf, 1, n, stdout);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	struct source *s;
	const unsigned char *p;
	unsigned char buf[1000];
	size_t n;

	cli_start(&cli, argv);
	if (strcmp(what, "bound") == 0) {
		printf("%llu\n", (unsigned long long)source_bound(strtoull(argv[2], NULL, 10)));
		return 0;
	}
	s = source_open(
	    strcmp(what, "skip") == 0 || strcmp(what, "pread") == 0 ? argv[3] : argv[2]);
	if (strcmp(what, "info") == 0) {
		const char *packing = source_compression(s);

		printf("%s %d", packing != NULL ? packing : "plain", source_seekable(s));
		if (source_seekable(s))
			printf(" %llu", (unsigned long long)source_size(s));
		printf("\n");
	} else if (strcmp(what, "peek") == 0) {
		p = source_peek(s, &n);
		printf("%zu %.*s %llu\n", n, 8, p, (unsigned long long)source_at(s));
		source_get(s, buf, sizeof buf);
		p = source_peek(s, &n);
		printf(
		    "%d %.*s %llu\n", n >= SOURCE_PEEK / 2, 8, p, (unsigned long long)source_at(s));
	} else if (strcmp(what, "small") == 0) {
		for (size_t want = 1; (n = source_get(s, buf, want)) > 0; want = want % 999 + 1)
			fwrite(buf, 1, n, stdout);
	} else if (strcmp(what, "skip") == 0) {
		uint64_t skipped = source_skip(s, strtoull(argv[2], NULL, 10));

		if (skipped != source_at(s))
			cli_die("%llu skipped", (unsigned long long)skipped);
		copy_rest(s);
	} else if (strcmp(what, "whole") == 0) {
		if (argc > 3)
			source_max_size = strtoull(argv[3], NULL, 10);
		p = source_whole(s, &n);
		fwrite(p, 1, n, stdout);
		for (size_t i = 0; i < SOURCE_PAD; i++)
			if (p[n + i] != 0)
				cli_die("no zeros after the end");
		if (!source_seekable(s) || source_size(s) != n ||
		    source_pread(s, buf, 4, n / 2) != (n - n / 2 < 4 ? n - n / 2 : 4) ||
		    memcmp(buf, p + n / 2, n - n / 2 < 4 ? n - n / 2 : 4) != 0)
			cli_die("memory is not the input");
	} else if (strcmp(what, "pread") == 0) {
		n = source_pread(s, buf, 8, strtoull(argv[2], NULL, 10));
		fwrite(buf, 1, n, stdout);
	}
	source_finish(s, false);
	source_close(s);
	return 0;
}
