/*
 * perfsched: off-CPU time, in us, from scheduler events in the text of perf script. The
 * blocking stack is the thread's stack at sched_switch. Its duration is that of
 * sched_stat_sleep, _blocked or _iowait if the profile has these events, as in
 * stackcollapse-perf-sched.awk. Else it is the time until the switch back, which includes
 * run queue latency. Selected only by name, because such a profile is by default one of
 * counted events.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/vec.h"
#include "fg-collapse/perfscript/frameline.h"
#include "fg-collapse/perfscript/sampleline.h"
#include "fg-collapse/shape/humannumber.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"

/* A thread that has left its CPU. */
struct thread {
	uint64_t tid;
	uint32_t node; /* leaf of its stack; CALLTREE_ROOT when it is not off-CPU */
	uint64_t since; /* ns */
};

struct wait {
	uint32_t node;
	bool reported; /* reported by a sched_stat event */
	uint64_t ns;
};

struct schedule {
	struct reader *reader;
	struct hash_index index; /* finds threads by tid */
	struct thread *thread;
	uint32_t nthread, capthread;
	struct wait *wait;
	size_t nwait, capwait;
	bool stats; /* a sched_stat event has occurred */
	uint32_t *name; /* frames of the current sample, leaf first */
	size_t n, cap;
	bool broken; /* one of them could not be parsed */
	struct str module; /* see frameline_split */
	struct text function; /* name of the current frame */
};

static struct thread *
thread_of(struct schedule *d, uint64_t tid)
{
	uint32_t hash = (uint32_t)hash_number(tid);

	for (uint32_t at = hash, n; (n = hash_index_next(&d->index, hash, &at)) != 0;)
		if (d->thread[n - 1].tid == tid)
			return &d->thread[n - 1];
	vec_fit(d->thread, d->capthread, (size_t)d->nthread + 1);
	d->thread[d->nthread++] = (struct thread){.tid = tid};
	hash_index_add(&d->index, hash, d->nthread);
	return &d->thread[d->nthread - 1];
}

/* Value of `key=value` in a tracepoint's text. A comm may contain blanks, so it ends before
 * the next key. */
static struct str
field(struct str text, const char *key, const char *next)
{
	size_t at = str_find(text, key);

	if (at == text.len || (at > 0 && text.s[at - 1] != ' '))
		return (struct str){0};
	text = str_from(text, at + strlen(key));
	text.len = str_find(text, next);
	return text;
}

static bool
field_number(struct str text, const char *key, uint64_t *n)
{
	struct str digits = field(text, key, " ");

	return scan_number(&digits, n);
}

static void
add_wait(struct schedule *d, uint32_t node, bool reported, uint64_t ns)
{
	vec_fit(d->wait, d->capwait, d->nwait + 1);
	d->wait[d->nwait++] = (struct wait){node, reported, ns};
}

/* Handles a switch: a thread leaves its CPU with the current frames, another one gets it. */
static void
handle_switch(struct schedule *d, const struct sampleline *h, struct str text)
{
	struct sampler *s = d->reader->sampler;
	struct sample_task task = {.comm = field(text, "prev_comm=", " prev_pid=")};
	struct thread *t;
	uint64_t prev, next;
	uint32_t node;

	if (!field_number(text, "prev_pid=", &prev) || !field_number(text, "next_pid=", &next) ||
	    !h->has_time) {
		reader_malformed(d->reader, "a switch without threads or time");
		return;
	}
	t = thread_of(d, next);
	if (t->node != CALLTREE_ROOT && h->time >= t->since)
		add_wait(d, t->node, false, h->time - t->since);
	t->node = CALLTREE_ROOT;
	if (prev == 0 || d->broken) /* the idle thread of each CPU */
		return;
	task.tid = field(text, "prev_pid=", " ");
	task.pid = h->pid != NULL ? (struct str){h->pid, h->pid_len} : (struct str){0};
	node = sample_root(s, &task);
	for (size_t i = d->n; i-- > 0;)
		node = sample_child(s, node, d->name[i]);
	t = thread_of(d, prev);
	t->node = node;
	t->since = h->time;
}

/* Handles the blocked time of a thread, which is reported at its wake-up. */
static void
handle_stat(struct schedule *d, struct str text)
{
	struct thread *t;
	uint64_t pid, delay;

	if (!field_number(text, "pid=", &pid) || !field_number(text, "delay=", &delay)) {
		reader_malformed(d->reader, "a delay without a thread");
		return;
	}
	d->stats = true;
	t = thread_of(d, pid);
	if (t->node != CALLTREE_ROOT)
		add_wait(d, t->node, true, delay);
	t->node = CALLTREE_ROOT; /* the kernel often reports it twice */
}

static void
read_frames(struct schedule *d)
{
	struct str line;

	d->n = 0;
	d->broken = false;
	while (reader_line(d->reader, &line) && line.len > 0) {
		struct frameline f = {0};
		uint32_t name[FRAMELINE_MAX];
		size_t n;

		if (!frameline_split(&f, line.s, line.s + line.len, &d->module)) {
			struct sampleline h;

			if (sampleline_parse(line.s, line.s + line.len, &h) != HEADER_NONE) {
				reader_again(d->reader);
				break;
			}
			if (line.s[0] == '\t' && !d->broken) {
				reader_malformed(d->reader, "not a frame of perf script");
				d->broken = true;
			}
			continue; /* a source line */
		}
		n = frameline_names(d->reader->sampler, &f, false, &d->function, name);
		vec_fit(d->name, d->cap, d->n + n);
		while (n-- > 0)
			d->name[d->n++] = name[n];
		d->module.len = 0; /* its line will be overwritten */
	}
}

static void
read_sample(struct schedule *d, const struct sampleline *h)
{
	static const char *const stats[] = {
	    "sched:sched_stat_sleep", "sched:sched_stat_blocked", "sched:sched_stat_iowait"};
	struct str event = {h->event, h->event_len}, text = {0};
	struct sampleline head = *h;
	struct text kept = {0};
	bool is_switch = str_starts(event, "sched:sched_switch"), is_stat = false;

	for (size_t i = 0; i < sizeof stats / sizeof stats[0]; i++)
		is_stat |= str_starts(event, stats[i]);
	/* Reading the frames overwrites the line. */
	if ((is_switch || is_stat) && h->rest != NULL) {
		const char *line_end = d->reader->line.s + d->reader->line.len;

		if (h->pid != NULL)
			text_add(&kept, h->pid, h->pid_len);
		text_char(&kept, '\0');
		text_add(&kept, h->rest, (size_t)(line_end - h->rest));
		text =
		    str_trim(str_from(text_as_str(&kept), (h->pid != NULL ? h->pid_len : 0) + 1));
		if (h->pid != NULL)
			head.pid = kept.s;
	}
	read_frames(d);
	if (is_switch)
		handle_switch(d, &head, text);
	else if (is_stat)
		handle_stat(d, text);
	text_free(&kept);
}

static void
pass_waits(struct schedule *d)
{
	struct sampler *s = d->reader->sampler;
	uint32_t event = sampler_event(s, str_of("off-cpu"), str_of("us"));

	for (size_t i = 0; i < d->nwait; i++) {
		value us = humannumber_scale(value_of(d->wait[i].ns), 1, 1000);

		if (d->wait[i].reported == d->stats && us > 0 &&
		    sample_wanted(s, event, SAMPLE_NO_TIME, us))
			sample_add(s, d->wait[i].node, SAMPLE_NO_TIME, &us);
	}
}

static void
read_input(struct reader *r)
{
	struct schedule d = {.reader = r};
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	sampler_tree(r->sampler, NULL, 1);
	while (reader_line(r, &line)) {
		struct sampleline h = {0};

		if (line.len == 0 || line.s[0] == '#')
			continue;
		switch (sampleline_parse(line.s, line.s + line.len, &h)) {
		case HEADER_SAMPLE: read_sample(&d, &h); break;
		case HEADER_RECORD: break;
		case HEADER_NONE: reader_malformed(r, "not a line of perf script"); break;
		}
	}
	pass_waits(&d);
	hash_index_free(&d.index);
	free(d.thread);
	free(d.wait);
	free(d.name);
	text_free(&d.function);
}

/* Selected only by name. */
static int
sniff(const char *data, size_t len)
{
	(void)data;
	(void)len;
	return 0;
}

const struct format perfsched_format = {
    .provides = DATA_TASK | DATA_CODE | DATA_ORDER,
    .single = true,
    .flat = true,
    .sniff = sniff,
    .read = read_input,
};
