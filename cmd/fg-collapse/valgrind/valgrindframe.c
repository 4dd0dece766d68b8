/*
 * valgrindframe: the location in brackets at the end is a file and line, with a column
 * from Rust's dhat, or a module.
 */
#include "fg-collapse/valgrind/valgrindframe.h"

#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"

/* Reads `alloc.cpp:8` or `lib.rs:8:20`. */
static bool
read_source(struct frame *f, struct str in)
{
	size_t colon = str_find_last(in, ":");
	struct str number = str_from(in, colon + 1);
	uint64_t line, column;

	if (colon == in.len || !scan_number(&number, &line) || number.len > 0)
		return false;
	in.len = colon;
	colon = str_find_last(in, ":");
	number = str_from(in, colon + 1);
	column = line;
	if (colon < in.len && scan_number(&number, &line) && number.len == 0)
		in.len = colon;
	else
		line = column;
	if (in.len == 0 || line > UINT32_MAX)
		return false;
	f->file = in;
	f->line = (unsigned)line;
	return true;
}

bool
valgrindframe_read(struct frame *f, struct text *t, struct str s)
{
	size_t place;
	struct str in;

	*f = (struct frame){0};
	if (!scan_hex(&s, &f->address) || !scan_word(&s, ": "))
		return false;
	f->has_address = true;
	place = str_find_last(s, " (");
	in = str_from(s, place + 2);
	if (place < s.len && str_ends(in, ")")) {
		in.len--;
		if (scan_word(&in, "in ")) {
			f->module = in;
			f->kind = frame_kind_of(in);
			s.len = place;
		} else if (read_source(f, in)) {
			s.len = place;
		}
	}
	if (str_is(s, "???"))
		return true;
	text_cut(t, 0);
	plainname_add(t, s, false);
	f->function = text_as_str(t);
	return true;
}
