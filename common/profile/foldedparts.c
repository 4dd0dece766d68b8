/*
 * foldedparts: the rest of a large file in parts of about equal size, a thread each. A part is read
 * in the hope that it has plain stacks only. A thread that meets another header line, the first
 * malformed line or the first value with an exponent stops without a message, and those of later
 * parts stop too. The program, which has read the first part as if it were the whole file, then
 * adds the parts before, and reads on itself. So all messages, like the output, are those of one
 * thread.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/number.h"
#include "profile/folded.h"

#define LARGE (8 * 1024 * 1024) /* bytes of a file for which threads pay */

struct folded_aside {
	atomic_uint *first_stopped; /* number of the first part that stopped */
	unsigned number, of; /* of all parts */
	unsigned
	    warned; /* folded.warned at the start: a change is a message that was not printed */
	bool stopped;
	struct text last; /* the line of `# end`, or empty; no stack may follow */
	uint64_t last_number;
};

struct part {
	struct folded_file file;
	struct folded folded;
	struct folded_aside aside;
	const struct folded_parting *parting;
	void *read;
	pthread_t thread;
	bool started;
};

struct folded_parts {
	atomic_uint first_stopped, silent;
	unsigned n;
	struct part part[]; /* that of the program is not among them */
};

void
folded_into_jobs(void *folded, char *n, const char *option)
{
	((struct folded *)folded)->jobs = (unsigned)number_count(option, n, 1, CLI_JOBS_MAX);
}

static bool
stop(struct folded_aside *a)
{
	unsigned first = atomic_load(a->first_stopped);

	while (
	    a->number < first && !atomic_compare_exchange_weak(a->first_stopped, &first, a->number))
		continue;
	return a->stopped = true;
}

bool
foldedparts_must_stop(struct folded_file *part)
{
	struct folded_aside *a = part->aside;

	if (a->last.len > 0 && part->number != a->last_number && part->at != NULL)
		return stop(a);
	if (part->folded->warned != a->warned ||
	    atomic_load_explicit(a->first_stopped, memory_order_relaxed) < a->number)
		return stop(a);
	return false;
}

bool
foldedparts_passes(struct folded_file *part, struct str line)
{
	struct folded_aside *a = part->aside;
	struct str words;

	switch (foldedheader_key(line, &words)) {
	case FOLDEDHEADER_NONE:
		if (line.len > 1) /* `#` perhaps stands for a line that was too long */
			return true;
		break;
	case FOLDEDHEADER_TIME: return true;
	case FOLDEDHEADER_END:
		if (a->last.len > 0)
			break;
		text_str(&a->last, line);
		a->last_number = part->number;
		return true;
	default: break;
	}
	stop(a);
	return false;
}

static void *
run(void *arg)
{
	struct part *p = arg;

	p->read = p->parting->read(&p->file, p->parting->arg);
	lines_block_free(&p->file.block);
	text_free(&p->file.time);
	return NULL;
}

static void
start(struct part *p, struct folded_file *f, struct folded_parts *all, struct lines *in)
{
	p->folded = *f->folded;
	p->folded.lines = p->folded.malformed = 0;
	p->folded.strict = false;
	p->folded.jobs = 1;
	p->folded.all_warned = &all->silent;
	p->parting = f->parting;
	p->aside = (struct folded_aside){.first_stopped = &all->first_stopped,
	    .number = (unsigned)(p - all->part),
	    .of = all->n + 1,
	    .warned = p->folded.warned};
	folded_consumer(&p->file, &p->folded, in);
	p->file.aside = &p->aside;
	p->file.part = p->file.columns_set = true;
	p->file.pairs = f->pairs;
	p->file.end.due = f->end.due;
	p->started = pthread_create(&p->thread, NULL, run, p) == 0;
}

void
foldedparts_start(struct folded_file *f)
{
	struct lines *in[CLI_JOBS_MAX];
	struct folded_parts *all;
	unsigned n = f->folded->jobs;

	if (n > 1 && (!f->stacks || f->folded->guess))
		return; /* after the next block */
	if (source_size(lines_source(f->in)) < LARGE)
		n = 1;
	if (n == FOLDED_JOBS_ALL)
		n = cli_jobs();
	if (n > 1)
		n = lines_split(f->in, in, n);
	if (n <= 1) {
		f->parting = NULL;
		return;
	}
	f->parts = all = cli_alloc(1, sizeof *all + (n - 1) * sizeof *all->part);
	all->n = n - 1;
	atomic_init(&all->first_stopped, UINT32_MAX);
	atomic_init(&all->silent, ~0U);
	for (unsigned i = 0; i < all->n && (i == 0 || all->part[i - 1].started); i++)
		start(&all->part[i], f, all, in[i + 1]);
}

/* Adds the stacks of a part, and its numbers of lines. */
static void
add(struct folded_file *f, struct part *p)
{
	const struct folded_file *own = &p->file;
	uint64_t before = f->number;

	f->parting->join(f->parting->arg, p->read);
	p->read = NULL;
	f->folded->lines += p->folded.lines;
	f->folded->malformed += p->folded.malformed;
	f->pairs &= own->pairs;
	f->end.stacks += own->end.stacks;
	f->end.sum = value_sum(f->end.sum, own->end.sum);
	if (p->aside.last.len > 0) {
		f->number = before + p->aside.last_number;
		folded_comment(f, p->aside.last.s, p->aside.last.s + p->aside.last.len);
	}
	f->number = before + own->number;
}

bool
foldedparts_join(struct folded_file *f)
{
	struct folded_parts *all = f->parts;
	const uint64_t before = f->number;
	const struct lines *from = NULL;

	for (unsigned i = 0; i < all->n; i++) {
		struct part *p = &all->part[i];

		if (p->started)
			pthread_join(p->thread, NULL);
		if (from == NULL && (!p->started || p->aside.stopped ||
					(p->aside.last.len > 0 && i + 1 < all->n))) {
			from = p->file.in;
			atomic_store(&all->first_stopped, 0);
		}
		if (p->started && from == NULL)
			add(f, p);
		else if (p->started)
			f->parting->drop(p->read);
		text_free(&p->aside.last);
	}
	lines_unsplit(f->in, from, f->number - before);
	free(all);
	f->parts = NULL;
	f->parting = NULL;
	return from != NULL;
}

void
foldedparts_stop(struct folded_file *f)
{
	struct folded_parts *all = f->parts;

	atomic_store(&all->first_stopped, 0);
	for (unsigned i = 0; i < all->n; i++) {
		struct part *p = &all->part[i];

		if (!p->started)
			continue;
		pthread_join(p->thread, NULL);
		f->parting->drop(p->read);
		text_free(&p->aside.last);
	}
	lines_unsplit(f->in, NULL, 0);
	free(all);
	f->parts = NULL;
}
