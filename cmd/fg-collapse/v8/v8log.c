/*
 * v8log: logs by node --prof and d8 --prof (isolate-*-v8.log), one event per line:
 *
 *	code-creation,JS,10,43167,0x32235988ad66,120,work app.js:2:18,0x32235988abf0,~
 *	tick,0x1562cce,15163,0,0x0,6,0x32235988ad70,+0x10,-0x20
 *
 * A code object replaces those that it overlaps. Frames are addresses, or differences from
 * the previous frame. Frames in shared libraries show the library's name only, because the
 * log lacks their symbols.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "base/vec.h"
#include "fg-collapse/shape/jsframe.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"
#include "trace/maps.h"

#define CODE_MAX (UINT32_MAX - 1)
#define STATE_GC 1

struct log {
	struct reader *reader;
	struct maps maps; /* bias of each: index in name */
	uint32_t *name; /* names in the sampler */
	size_t nname, capname;
	uint32_t event;
	uint64_t start; /* time of the first tick, us */
	bool old; /* log of V8 6: no time column in code-creation */
	struct text text, scratch;
};

/* Decodes escapes: `\x2C` is a comma, `\n` a newline, `\\` a backslash. */
static struct str
unescape(struct text *t, struct str s)
{
	text_cut(t, 0);
	for (size_t i = 0; i < s.len; i++) {
		uint64_t c;

		if (s.s[i] != '\\' || i + 1 == s.len) {
			text_char(t, s.s[i]);
		} else if (s.s[i + 1] == 'x' && i + 3 < s.len &&
			   text_hex(s.s + i + 2, 2, &c) == 2) {
			utf8_add(t, c);
			i += 3;
		} else if (s.s[i + 1] == 'u' && i + 5 < s.len &&
			   text_hex(s.s + i + 2, 4, &c) == 4) {
			utf8_add(t, c);
			i += 5;
		} else {
			text_char(t, s.s[i + 1] == 'n' ? ' ' : s.s[i + 1]);
			i++;
		}
	}
	return text_as_str(t);
}

static void
add_code(struct log *l, uint64_t start, uint64_t size, uint32_t name)
{
	static struct module nowhere; /* code in the log has no file */
	struct process_map map = {.start = start, .bias = l->nname, .module = &nowhere};

	if (size == 0 || l->nname == CODE_MAX || __builtin_add_overflow(start, size, &map.end))
		return;
	vec_fit(l->name, l->capname, l->nname + 1);
	l->name[l->nname++] = name;
	maps_add(&l->maps, &map);
}

/* Name for `work app.js:2:18`: function, file, line and column; V8 puts a kind before compiled
 * code. */
static uint32_t
function_name(struct log *l, struct str s)
{
	struct str file = s, line, column;
	struct frame f = {.kind = FRAME_JIT};
	size_t colon = str_find_last(file, ":"), blank;
	uint64_t n = 0, ignored;

	column = str_from(file, colon + 1);
	if (colon < file.len && scan_number(&column, &ignored) && column.len == 0) {
		file.len = colon;
		colon = str_find_last(file, ":");
		line = str_from(file, colon + 1);
		if (colon < file.len && scan_number(&line, &n) && line.len == 0)
			file.len = colon;
		else
			n = ignored;
	}
	blank = str_find(file, " ");
	if (blank < file.len) {
		f.function = (struct str){file.s, blank};
		f.file = str_from(file, blank + 1);
		f.line = n <= INT32_MAX ? (unsigned)n : 0;
	} else {
		f.function = file;
	}
	return jsframe_name(l->reader->sampler, &f, &l->scratch);
}

static bool
address(struct str s, uint64_t *v)
{
	return scan_hex(&s, v) && s.len == 0;
}

/* Reads code-creation,KIND,NUMBER,[TIME,]0xADDRESS,SIZE,NAME[,0xFUNCTION,STATE]. */
static bool
read_code(struct log *l, struct str s)
{
	struct str kind = scan_until(&s, ','), field, name;
	uint64_t start, size;
	bool js;

	scan_until(&s, ',');
	field = scan_until(&s, ',');
	if (!address(field, &start) && !address(scan_until(&s, ','), &start))
		return false;
	field = scan_until(&s, ',');
	if (!scan_number(&field, &size))
		return false;
	name = scan_until(&s, ',');
	if (name.len > 1 && name.s[0] == '"' && str_ends(name, "\"")) /* V8 6 */
		name = (struct str){name.s + 1, name.len - 2};
	name = unescape(&l->text, name);
	js = str_is(kind, "JS") || str_is(kind, "LazyCompile") || str_is(kind, "Function") ||
	     str_is(kind, "Script") || str_is(kind, "Eval");
	add_code(l, start, size,
	    js ? function_name(l, name)
	       : sample_name(
		     l->reader->sampler, &(struct frame){.function = name, .kind = FRAME_JIT}));
	return true;
}

static bool
read_library(struct log *l, struct str s)
{
	struct str path = scan_until(&s, ',');
	uint64_t start, end;
	struct frame f = {0};

	if (path.len > 1 && path.s[0] == '"')
		path = (struct str){path.s + 1, path.len - 2};
	if (!address(scan_until(&s, ','), &start) || !address(scan_until(&s, ','), &end) ||
	    end < start)
		return false;
	f.module = unescape(&l->text, path);
	f.kind = frame_kind_of(f.module);
	add_code(l, start, end - start, sample_name(l->reader->sampler, &f));
	return true;
}

static bool
read_move(struct log *l, struct str s)
{
	uint64_t from, to;
	const struct process_map *map;

	if (!address(scan_until(&s, ','), &from) || !address(scan_until(&s, ','), &to))
		return false;
	map = maps_from(&l->maps, from);
	if (map != NULL && map->start == from)
		add_code(l, to, map->end - map->start, l->name[map->bias]);
	return true;
}

static void
add_frame(struct log *l, uint64_t pc)
{
	const struct process_map *map = maps_from(&l->maps, pc);
	struct sampler *s = l->reader->sampler;

	if (map != NULL && map->start <= pc)
		sample_frame_named(s, l->name[map->bias]);
	else
		sample_frame(s, &(struct frame){.address = pc, .has_address = true});
}

/* Reads tick,PC,TIME,IS_EXTERNAL,CALLBACK,STATE,FRAMES... */
static bool
read_tick(struct log *l, struct str s)
{
	static const struct sample_task nobody;
	struct sampler *sampler = l->reader->sampler;
	uint64_t pc, time, external, callback, state, frame;
	struct str field;

	if (!address(scan_until(&s, ','), &pc))
		return false;
	field = scan_until(&s, ',');
	if (!scan_number(&field, &time))
		return false;
	field = scan_until(&s, ',');
	if (!scan_number(&field, &external) || !address(scan_until(&s, ','), &callback))
		return false;
	field = scan_until(&s, ',');
	if (!scan_number(&field, &state))
		return false;
	if (!sample_begin(sampler, &nobody, l->event, time * 1000, VALUE_ONE))
		return true;
	if (state == STATE_GC)
		sample_frame(sampler, &(struct frame){.function = str_of("(garbage collector)")});
	add_frame(l, pc);
	if (external == 1 && callback != 0)
		add_frame(l, callback);
	frame = pc;
	while (s.len > 0) {
		struct str f = scan_until(&s, ',');
		bool plus = scan_word(&f, "+"), minus = !plus && scan_word(&f, "-");
		uint64_t v;

		if (!address(f, &v))
			break; /* overflow */
		frame = plus ? frame + v : minus ? frame - v : v;
		add_frame(l, frame);
	}
	sample_end(sampler);
	return true;
}

static void
read_input(struct reader *r)
{
	struct log l = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	sampler_tree(r->sampler, NULL, 1);
	l.event = sampler_event(r->sampler, str_of("ticks"), str_of(FOLDED_SAMPLES));
	while (reader_line(r, &line)) {
		bool good = true;

		if (scan_word(&line, "code-creation,"))
			good = read_code(&l, line);
		else if (scan_word(&line, "tick,"))
			good = read_tick(&l, line);
		else if (scan_word(&line, "code-move,"))
			good = read_move(&l, line);
		else if (scan_word(&line, "shared-library,"))
			good = read_library(&l, line);
		else
			good = line.len == 0 || line.s[0] == ' ' ||
			       (line.s[0] >= 'a' && line.s[0] <= 'z') ||
			       (line.s[0] >= 'A' && line.s[0] <= 'Z');
		if (!good)
			reader_malformed(r, "not an event of V8's log");
	}
	maps_clear(&l.maps);
	free(l.name);
	text_free(&l.text);
	text_free(&l.scratch);
}

static int
sniff(const char *data, size_t len)
{
	return text_starts(data, len, "v8-version,") ? 97
	       : text_has(data, len, "\ncode-creation,") && text_has(data, len, "\nshared-library,")
		   ? 90
		   : 0;
}

const struct format v8log_format = {
    .provides = DATA_MODULE | DATA_KIND | DATA_SOURCE | DATA_ADDRESS | DATA_TIMES,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .read = read_input,
};
