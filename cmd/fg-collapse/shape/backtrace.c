/*
 * backtrace: a thread's name, state and frames are stored until the next thread begins.
 */
#include "fg-collapse/shape/backtrace.h"

#include <strings.h>

#include "fg-collapse/options.h"
#include "sample/account.h"
#include "sample/events.h"

void
backtrace_init(struct backtrace *b, struct reader *r, bool named)
{
	*b = (struct backtrace){.reader = r, .named = named};
	stack_init(&b->stack, r->sampler);
	b->event = sampler_event(r->sampler, (struct str){0}, str_of("samples"));
}

void
backtrace_free(struct backtrace *b)
{
	stack_free(&b->stack);
	text_free(&b->name);
	text_free(&b->pid);
	text_free(&b->tid);
	text_free(&b->state);
}

static void
set(struct text *t, struct str s)
{
	text_cut(t, 0);
	text_str(t, s);
}

void
backtrace_process(struct backtrace *b, struct str pid)
{
	set(&b->pid, pid);
}

void
backtrace_thread(struct backtrace *b, struct str name, struct str tid)
{
	backtrace_end(b);
	b->open = true;
	set(&b->name, name);
	set(&b->tid, tid);
}

void
backtrace_state(struct backtrace *b, struct str state)
{
	set(&b->state, state);
}

/* True if --state, a comma-separated list, contains this state. */
static bool
is_wanted(const char *list, struct str state)
{
	for (; list != NULL; list = *list == ',' ? list + 1 : NULL) {
		size_t len = strcspn(list, ",");

		if (len == state.len && strncasecmp(list, state.s, len) == 0)
			return true;
		list += len;
	}
	return false;
}

void
backtrace_odd(struct backtrace *b)
{
	if (b->open && b->odd == 0)
		b->odd = b->reader->number;
}

void
backtrace_end(struct backtrace *b)
{
	const struct options *o = b->reader->options;
	struct sample_task task = {.pid = text_as_str(&b->pid), .tid = text_as_str(&b->tid)};

	if (b->odd > 0 && b->stack.n == 0 && !b->stack.broken) {
		reader_malformed_at(
		    b->reader, b->odd, 1, "a thread without frames that can be read");
		b->stack.broken = true;
	}
	if (b->named || o->threads)
		task.comm = text_as_str(&b->name);
	if ((b->stack.n == 0 && !b->stack.broken && !b->bare) ||
	    (o->state != NULL && !is_wanted(o->state, text_as_str(&b->state))))
		sample_leave_out(b->reader->sampler, b->open ? 1 : 0);
	else
		stack_sample(&b->stack, &task, b->event, SAMPLE_NO_TIME, VALUE_ONE);
	b->stack.n = 0;
	b->stack.broken = false;
	b->odd = 0;
	b->open = b->bare = false;
	text_cut(&b->name, 0);
	text_cut(&b->tid, 0);
	text_cut(&b->state, 0);
}

void
backtrace_read(
    struct reader *r, bool (*take)(struct backtrace *b, struct str line), const char *why)
{
	struct backtrace b;
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	backtrace_init(&b, r, false);
	while (reader_line(r, &line))
		if (!take(&b, line))
			reader_broken(r, &b.stack, why);
	backtrace_end(&b);
	backtrace_free(&b);
}
