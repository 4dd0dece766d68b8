/*
 * macsample: call graphs printed by macOS's sample,
 *
 *	Call graph:
 *	    825 Thread_15758523   DispatchQueue_1: com.apple.main-thread  (serial)
 *	    + 825 start  (in libdyld.dylib) + 1  [0x7fff737cf3d5]
 *	    +   800 main  (in rg) + 41  [0x10384b549]
 *	    +   ! 700 read  (in libsystem_kernel.dylib) + 10  [0x7fff739051ee]
 *
 * Frame names include modules; the root of each stack is its thread.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/options.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/indent.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"

/* Reads `main  (in rg) + 41  [0x10384b549]  main.rs:12` or `???  (in rg)  load address 0x10 +
 * 0x2 [0x3]`. */
static void
read_frame(struct indent *t, struct text *name, size_t column, struct str s, value count)
{
	struct frame f = {0};
	struct str function = s;
	size_t in = str_find_last(s, "  (in "), end;
	bool modules = !t->reader->options->no_modules;

	if (in < s.len) {
		f.module = str_from(s, in + strlen("  (in "));
		end = str_find(f.module, ") ");
		if (end == f.module.len)
			end = str_find(f.module, ")");
		f.module.len = end;
		f.kind = frame_kind_of(f.module);
		function.len = in;
	} else {
		function.len = str_find(s, "  [0x");
	}
	text_cut(name, 0);
	if (str_is(function, "???")) {
		f.function.len = 0;
	} else {
		if (modules && f.module.len > 0) {
			text_str(name, frame_module_name(f.module));
			text_char(name, '`');
		}
		plainname_add(name, function, false);
		f.function = text_as_str(name);
	}
	if (modules)
		f.module = (struct str){f.module.s, f.function.len > 0 ? 0 : f.module.len};
	indent_line(t, column, &f, count);
}

/* Reads a thread's name, with runs of blanks replaced by one. */
static void
read_thread(struct indent *t, struct text *name, size_t column, struct str s, value count)
{
	text_cut(name, 0);
	while (s.len > 0) {
		text_str(name, scan_until(&s, ' '));
		if (scan_blanks(&s) > 0 || s.len > 0)
			text_char(name, ' ');
	}
	indent_line(t, column, &(struct frame){.function = text_as_str(name)}, count);
}

static void
read_input(struct reader *r)
{
	struct text name = {0};
	struct indent t;
	struct str line;
	bool graph = false, blank = false;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	indent_init(
	    &t, r, sampler_event(r->sampler, (struct str){0}, str_of("samples")), INDENT_TOTAL);
	t.step = 2;
	t.whole = true;
	while (reader_line(r, &line)) {
		struct str s = line;
		size_t column = strspn(s.s, " +!:|"); /* the newline ends the span */
		value count;

		if (str_starts(s, "Call graph:")) {
			graph = true;
			blank = false;
			continue;
		}
		if (!graph && scan_word(&s, "Report Version:"))
			reader_version_text(r, VERSION_MACSAMPLE, str_trim(s));
		if (!graph || s.len == 0) {
			blank = true;
			continue;
		}
		if (column == 0 && !blank) {
			reader_malformed(r, "not a line of a call graph");
			continue;
		}
		blank = false;
		if (column == 0) { /* "Total number in stack", "Sort by top of stack", ... */
			indent_end(&t);
			graph = false;
			continue;
		}
		s = str_from(s, column < s.len ? column : s.len);
		if (!scan_decimal(&s, &count) || scan_blanks(&s) == 0) {
			reader_malformed(r, "not a line of a call graph");
			indent_broken(&t);
		} else if (str_starts(s, "Thread_") && str_find(s, "  (in ") == s.len)
			read_thread(&t, &name, column, s, count);
		else
			read_frame(&t, &name, column, s, count);
	}
	indent_end(&t);
	indent_free(&t);
	text_free(&name);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	bool analysis = false;

	while (scan_line(&rest, &line)) {
		analysis |= str_starts(line, "Analysis of sampling ");
		if (str_starts(line, "Call graph:"))
			return analysis ? 97 : 80;
	}
	return analysis ? 90 : 0;
}

const struct format macsample_format = {
    .provides = DATA_KIND | DATA_MODULE_PREFIX,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
