/*
 * pyinstrument: saved sessions of the Python profiler of that name (.pyisession):
 *
 *	{"start_time": 1.5, "duration": 2.0, "sample_count": 2, "frame_records": [
 *	  [["<module>\u0000/srv/app.py\u00001\u0001l9", "work\u0000/srv/app.py\u00004"], 0.001],
 *...]}
 *
 * A record has a stack, root first, and its time in seconds; a frame its function, file, first
 * line, and attributes: `l` the line that was executed, `c` the class.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/pythonframe.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"

struct session {
	struct reader *reader;
	struct stack stack;
	struct text function;
	uint32_t event;
};

static void
broken(struct session *p, struct json *j, const char *why)
{
	if (!p->stack.broken)
		json_malformed(j, why);
	p->stack.broken = true;
}

static void
read_frame(struct session *p, struct json *j)
{
	struct str s, function, file, line;

	if (!json_text(j, &s) || s.len == 0) {
		broken(p, j, "not a frame of pyinstrument");
		return;
	}
	line = (struct str){s.s, (size_t)((const char *)memchr(s.s, '\1', s.len) - s.s)};
	if (memchr(s.s, '\1', s.len) == NULL)
		line = s;
	text_cut(&p->function, 0);
	for (struct str at = str_from(s, line.len + 1); at.len > 0;) { /* the attributes */
		struct str attribute = scan_until(&at, '\1');

		if (scan_word(&attribute, "c") && attribute.len > 0) {
			text_str(&p->function, attribute);
			text_char(&p->function, '.');
		}
	}
	function = scan_until(&line, '\0');
	file = scan_until(&line, '\0');
	text_str(&p->function, function);
	if (file.len == 0 || str_is(file, "<thread>")) /* [await], [self]; a thread and its ID */
		stack_frame(&p->stack, &(struct frame){.function = function});
	else
		pythonframe_parts(&p->stack, text_as_str(&p->function), file, line);
}

/* Reads `[[FRAME, ...], SECONDS]`. */
static void
read_record(struct json *j, void *to)
{
	static const struct sample_task nobody;
	struct session *p = to;
	struct json_number time = {0};
	bool timed = false;

	if (!json_array(j)) {
		broken(p, j, "not a record of pyinstrument");
	} else {
		if (json_item(j))
			for (bool any = json_array(j); any && json_item(j);)
				read_frame(p, j);
		if (json_item(j))
			timed = json_number(j, &time) && !time.negative;
		while (json_item(j))
			json_skip(j);
		if (!timed)
			broken(p, j, "a record without its time");
	}
	if (p->stack.n == 0)
		broken(p, j, "a record without frames");
	stack_sample(
	    &p->stack, &nobody, p->event, SAMPLE_NO_TIME, humannumber_scale(time.v, 1000000, 1));
}

static void
read_document(struct reader *r, struct json *j)
{
	static const struct json_field fields[] = {
	    JSON_EACH("frame_records", read_record),
	    JSON_EACH("session.frame_records", read_record),
	};
	struct session p = {.reader = r};

	stack_init(&p.stack, r->sampler);
	p.event = sampler_event(r->sampler, str_of("us"), str_of("us"));
	json_fields(j, fields, &p);
	stack_free(&p.stack);
	text_free(&p.function);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {
	    "frame_records", "session.frame_records", "duration", "sample_count"};
	uint32_t found = json_find(data, len, path);

	return found & 3 ? 97 : found & 12 && text_has(data, len, "start_call_stack") ? 95 : 0;
}

const struct format pyinstrument_format = {
    .provides = DATA_ORDER,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .document = read_document,
    .order = SAMPLE_ROOT_FIRST,
};
