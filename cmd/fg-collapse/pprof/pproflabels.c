/*
 * pproflabels: compares each sample's labels with those common so far, by the indices of their
 * strings.
 */
#include "fg-collapse/pprof/pproflabels.h"

#include <stdlib.h>

#include "base/cli.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/scan.h"
#include "profile/labelroot.h"
#include "profile/labels.h"

static struct str
string_at(const struct pproflabels *l, int64_t n)
{
	return tables_text(l->tables, n >= 0 ? (uint64_t)n : TABLES_NONE);
}

/* The value of a label as text; a number in decimal. Valid until the next call. */
static struct str
value_text(struct pproflabels *l, const struct pprof_label *label)
{
	struct str s = string_at(l, label->str);

	if (s.len > 0 || label->num < 0)
		return s;
	text_cut(&l->digits, 0);
	text_printf(&l->digits, "%lld", (long long)label->num);
	return text_as_str(&l->digits);
}

/* Sets the task's root frame by the label of --group-by, which a sample may have several times. */
static void
read_group(struct pproflabels *l, const struct pprof_sample *m, struct sample_task *task)
{
	const char *key = l->reader->options->sample.group_by;
	size_t n = 0;

	text_cut(&l->group, 0);
	for (size_t i = 0; key != NULL && i < m->label.n; i++)
		if (str_is(string_at(l, pprof_label(m, i)->key), key))
			labelroot_add(&l->group, key, value_text(l, pprof_label(m, i)), n++);
	task->group = text_as_str(&l->group);
}

/* Sets the task from the labels that profilers use for it. */
static void
read_task(struct pproflabels *p, const struct pprof_sample *m, struct sample_task *task)
{
	static const char *const names[] = {"comm", "thread", "thread_name", "thread name"};
	static const char *const pids[] = {"pid", "process_id", "process id"};
	static const char *const tids[] = {"tid", "thread_id", "thread id"};

	for (size_t i = 0; i < m->label.n; i++) {
		const struct pprof_label *l = pprof_label(m, i);
		struct str key = string_at(p, l->key), s = value_text(p, l);
		bool number = s.s == p->digits.s;

		for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
			if (str_is(key, names[k]) && !number && p->reader->options->threads)
				task->comm = s;
		for (size_t k = 0; k < sizeof pids / sizeof pids[0]; k++) {
			struct text *t = str_is(key, pids[k])	? &p->pid
					 : str_is(key, tids[k]) ? &p->tid
								: NULL;

			if (t == NULL)
				continue;
			text_cut(t, 0);
			text_str(t, s);
			*(t == &p->pid ? &task->pid : &task->tid) = text_as_str(t);
		}
	}
}

static bool
has_pair(const struct pprof_sample *m, struct pproflabels_pair pair)
{
	for (size_t i = 0; i < m->label.n; i++)
		if (pprof_label(m, i)->key == pair.key && pprof_label(m, i)->str == pair.str)
			return true;
	return false;
}

/* Removes common labels that this sample does not have. */
static void
share_labels(struct pproflabels *p, const struct pprof_sample *m)
{
	size_t n = 0;

	if (p->common == NULL) {
		p->common = cli_alloc(m->label.n + 1, sizeof *p->common);
		for (size_t i = 0; i < m->label.n; i++)
			if (pprof_label(m, i)->str != 0)
				p->common[p->ncommon++] = (struct pproflabels_pair){
				    pprof_label(m, i)->key, pprof_label(m, i)->str};
	}
	for (size_t i = 0; i < p->ncommon; i++)
		if (has_pair(m, p->common[i]))
			p->common[n++] = p->common[i];
	p->ncommon = n;
}

void
pproflabels_read(struct pproflabels *l, const struct pprof_sample *m, struct sample_task *task)
{
	read_task(l, m, task);
	read_group(l, m, task);
	share_labels(l, m);
}

void
pproflabels_end(struct pproflabels *p)
{
	struct labels **l = &p->reader->sampler->about.labels;

	for (size_t i = 0; i < p->ncommon && !p->reader->options->no_labels; i++) {
		struct str key = string_at(p, p->common[i].key);

		if (key.len > 0 && !str_is(key, "pprof::base"))
			labels_add(l, key, string_at(p, p->common[i].str), false);
	}
	free(p->common);
	text_free(&p->pid);
	text_free(&p->tid);
	text_free(&p->group);
	text_free(&p->digits);
}
