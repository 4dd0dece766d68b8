/*
 * actuator: thread dumps of Spring Boot's actuator:
 *
 *	{"threads": [{"threadName": "main", "threadId": 1, "threadState": "TIMED_WAITING",
 *	  "stackTrace": [{"moduleName": "java.base", "className": "java.lang.Thread",
 *	    "methodName": "sleep", "fileName": "Thread.java", "lineNumber": -2}]}]}
 */
#include "fg-collapse/format.h"

#include "fg-collapse/shape/backtrace.h"
#include "fg-collapse/shape/javaframe.h"
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"

struct dump {
	struct backtrace threads;
	struct text name, tid, state;
	struct text module, class, method, file, frame; /* of the current frame */
	uint32_t line;
	bool traced; /* the thread has a stack, perhaps without frames */
};

static const struct json_field frame_fields[] = {
    JSON_FIELD("moduleName", TEXT, struct dump, module),
    JSON_FIELD("className", TEXT, struct dump, class),
    JSON_FIELD("methodName", TEXT, struct dump, method),
    JSON_FIELD("fileName", TEXT, struct dump, file),
    JSON_FIELD("lineNumber", INDEX, struct dump, line),
};

static void
read_frame(struct json *j, void *to)
{
	struct dump *d = to;
	struct stack *stack = &d->threads.stack;

	d->module.len = d->class.len = d->method.len = d->file.len = d->frame.len = 0;
	d->line = 0;
	json_fields(j, frame_fields, d);
	if (d->class.len == 0 || d->method.len == 0) {
		if (!stack->broken)
			json_malformed(j, "a frame without its class or method");
		stack->broken = true;
		return;
	}
	if (d->module.len > 0)
		text_printf(&d->frame, "%s@/", d->module.s);
	text_printf(&d->frame, "%s.%s(", d->class.s, d->method.s);
	if (d->file.len == 0)
		text_puts(&d->frame, "Unknown Source)");
	else if (d->line == 0)
		text_printf(&d->frame, "%s)", d->file.s);
	else
		text_printf(&d->frame, "%s:%u)", d->file.s, d->line);
	javaframe_add(stack, d->threads.reader->options, text_as_str(&d->frame));
}

static const struct json_field thread_fields[] = {
    JSON_FIELD("threadName", TEXT, struct dump, name),
    JSON_FIELD("threadId", TEXT, struct dump, tid),
    JSON_FIELD("threadState", TEXT, struct dump, state),
    JSON_ARRAY_FIELD("stackTrace", read_frame, struct dump, traced),
};

static void
read_thread(struct json *j, void *to)
{
	struct dump *d = to;

	d->name.len = d->tid.len = d->state.len = 0;
	d->traced = false;
	backtrace_thread(&d->threads, (struct str){0}, (struct str){0});
	json_fields(j, thread_fields, d);
	text_str(&d->threads.name, text_as_str(&d->name));
	text_str(&d->threads.tid, text_as_str(&d->tid));
	backtrace_state(&d->threads, text_as_str(&d->state));
	if ((d->name.len == 0 || !d->traced) && !d->threads.stack.broken) {
		json_malformed(j, "a thread without its name or stack");
		d->threads.stack.broken = true;
	}
	d->threads.bare = true;
	backtrace_end(&d->threads);
}

static void
read_document(struct reader *r, struct json *j)
{
	static const struct json_field fields[] = {JSON_NEEDED_EACH("threads", read_thread)};
	struct dump d = {0};

	backtrace_init(&d.threads, r, true);
	json_document(j, fields, &d);
	backtrace_free(&d.threads);
	text_free(&d.frame);
	json_fields_free(frame_fields, &d);
	json_fields_free(thread_fields, &d);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {
	    "threads.*.threadName", "threads.*.stackTrace", "threads.*.threadState"};
	uint32_t found = json_find(data, len, path);

	return (found & 1) && (found & 6) ? 97 : 0;
}

const struct format actuator_format = {
    .provides =
	DATA_COMM | DATA_TID | DATA_MODULE | DATA_SOURCE | DATA_ORDER | DATA_STATE | DATA_PACKAGES,
    .values = FOLDED_SAMPLED,
    .sniff = sniff,
    .document = read_document,
    .order = SAMPLE_LEAF_FIRST,
};
