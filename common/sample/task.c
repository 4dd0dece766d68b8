#include "sample/task.h"

#include <string.h>

#include "names/frame.h"

/*
 * Length of a comm without its number: `ksoftirqd/3` is ksoftirqd, `GC Thread#0` GC Thread,
 * `pool-1-thread-12` pool-1-thread. perf writes `:-1` for a nameless thread.
 */
static size_t
normalized(const char *s, size_t len)
{
	const char *slash = memrchr(s, '/', len);
	size_t n = len;

	if (slash != NULL && slash > s && slash + 1 < s + len &&
	    ((slash[1] >= '0' && slash[1] <= '9') ||
		(slash[1] == 'u' && slash + 2 < s + len && slash[2] >= '0' && slash[2] <= '9')))
		return (size_t)(slash - s);
	while (n > 0 && s[n - 1] >= '0' && s[n - 1] <= '9')
		n--;
	if (n == len || n < 2 || s[0] == ':' || strchr("-_#:. /", s[n - 1]) == NULL)
		return len;
	while (n > 1 && strchr("-_#:. /", s[n - 1]) != NULL)
		n--;
	return n;
}

static void
add_id(struct text *t, struct str id)
{
	text_str(t, id.len > 0 ? id : str_of("?"));
}

/* The node of a root frame of group_by. */
static uint32_t
group_root(struct sampler *s, struct str group)
{
	text_cut(&s->text, 0);
	text_str(&s->text, group);
	if (group.len == 0)
		text_printf(&s->text, "%s=[unknown]", s->options->group_by);
	frame_clean(s->text.s, s->text.len);
	return calltree_child(
	    s->tree, CALLTREE_ROOT, calltree_intern(s->tree, s->text.s, s->text.len));
}

/*
 * The root frame as stackcollapse-perf.pl writes it: comm, comm-PID or comm-PID/TID, `_` for
 * spaces.
 */
uint32_t
sample_root(struct sampler *s, const struct sample_task *task)
{
	const struct sample_options *o = s->options;
	struct text *t = &s->text;
	struct str comm = task->comm;
	uint32_t parent = o->group_by == NULL ? CALLTREE_ROOT : group_root(s, task->group);

	if (o->no_comm)
		return parent;
	text_cut(t, 0);
	if (comm.len > 0 && o->normalize_comm)
		comm.len = normalized(comm.s, comm.len);
	text_str(t, comm);
	if (o->pid || o->tid) {
		if (comm.len > 0)
			text_char(t, '-');
		add_id(t, task->pid);
	}
	if (o->tid) {
		text_char(t, '/');
		add_id(t, task->tid);
	}
	if (t->len == 0)
		return parent;
	if (parent == s->task_parent && str_equal(text_as_str(t), text_as_str(&s->task)))
		return s->task_node;
	s->named = true;
	s->task_parent = parent;
	text_cut(&s->task, 0);
	text_str(&s->task, text_as_str(t));
	for (size_t i = 0; i < t->len; i++)
		if (t->s[i] == ' ')
			t->s[i] = '_';
	frame_clean(t->s, t->len);
	s->task_node = calltree_child(s->tree, parent, calltree_intern(s->tree, t->s, t->len));
	return s->task_node;
}
