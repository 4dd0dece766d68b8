/*
 * pmcstat: call graphs of FreeBSD's pmcstat -G, callers below their callees:
 *
 *	@ inst_retired.any [35705 samples]
 *
 *	20.86%  [7447]     zfs_lz4_compress @ /boot/kernel/zfs.ko
 *	 100.0%  [7447]      zio_compress_data
 *	  100.0%  [7447]       zio_write_compress @ /boot/kernel/kernel
 *
 * A module is printed only where it changes. Samples of a function that its callers do not
 * account for have unknown callers.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/indent.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"

/* Reads ` 50.62%  [2610]      name @ module`; false for any other line. */
static bool
read_line(struct indent *t, struct text *module, struct str s)
{
	struct frame f = {0};
	size_t column = scan_blanks(&s), at;
	uint64_t samples;
	value percent;

	if (!scan_decimal(&s, &percent) || !scan_word(&s, "%"))
		return false;
	scan_blanks(&s);
	if (!scan_word(&s, "[") || !scan_number(&s, &samples) || !scan_word(&s, "]"))
		return false;
	scan_blanks(&s);
	at = str_find_last(s, " @ ");
	f.function = (struct str){s.s, at};
	if (at < s.len) {
		text_cut(module, 0);
		text_str(module, str_from(s, at + strlen(" @ ")));
	}
	f.module = text_as_str(module);
	f.kind = str_starts(f.module, "/boot/") ? FRAME_KERNEL : frame_kind_of(f.module);
	indent_line(t, column, &f, value_of(samples));
	return true;
}

static void
read_input(struct reader *r)
{
	struct text module = {0};
	struct indent t = {0};
	struct str line;
	bool named = false;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	indent_init(&t, r, 0, INDENT_TOTAL);
	t.callers = true;
	t.step = 1;
	t.whole = t.based = true;
	while (reader_line(r, &line)) {
		struct str s = line;

		if (scan_word(&s, "@ ")) {
			indent_end(&t);
			s.len = str_find(s, " [");
			t.event = sampler_event(r->sampler, s, str_of("samples"));
			named = true;
			continue;
		}
		if (!named) /* the start of the file is missing */
			t.event = sampler_event(r->sampler, (struct str){0}, str_of("samples"));
		named = true;
		if (line.len > 0 && !read_line(&t, &module, line)) {
			reader_malformed(r, "not a line of pmcstat's call graph");
			if (memchr(line.s, '[', line.len) != NULL)
				indent_broken(&t);
		}
	}
	indent_end(&t);
	indent_free(&t);
	text_free(&module);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;

	for (int i = 0; i < 20 && scan_line(&rest, &line); i++) {
		value v;

		if (scan_word(&line, "@ ") && str_ends(line, " samples]"))
			return 97;
		if (scan_decimal(&line, &v) && scan_word(&line, "%  [") &&
		    str_find(line, "] ") < line.len)
			return 80;
	}
	return 0;
}

const struct format pmcstat_format = {
    .provides = DATA_MODULE | DATA_KIND | DATA_EVENT,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
