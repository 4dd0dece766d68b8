/*
 * replay: one record after the other, as sampler.c of fg-record takes them from the
 * kernel.
 */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "fg-collapse/options.h"
#include "swap.h"

void
replay_init(struct replay *p, struct reader *r, struct attrs *attrs, struct features *features,
    struct modules *modules, bool swapped)
{
	const struct sample_options *o = &r->options->sample;

	*p = (struct replay){.reader = r,
	    .swapped = swapped,
	    .attrs = attrs,
	    .features = features,
	    .modules = modules};
	p->processes = processes_new(modules);
	p->rawtree = rawtree_new(o->time_order, o->step);
	deferred_init(&p->waiting);
}

void
replay_free(struct replay *p)
{
	processes_free(p->processes);
	if (p->unwind != NULL)
		unwind_free(p->unwind);
	rawtree_free(p->rawtree);
	chaincache_free(&p->chains);
	free(p->values.slot);
	offcpu_free(&p->sleepers);
}

/* What the root of a thread's stacks says of it, and nothing more that would part them. */
static uint32_t
task_of(struct replay *p, const struct process_thread *t)
{
	const struct sample_options *o = &p->reader->options->sample;
	const int pid = o->pid || o->tid ? t->process->pid : 0, tid = o->tid ? t->tid : 0;

	if (p->task != 0 && p->last.pid == pid && p->last.tid == tid &&
	    strcmp(p->last.comm, t->comm) == 0)
		return p->task;
	p->last = (struct rawtree_task){.pid = pid, .tid = tid};
	strlcpy(p->last.comm, t->comm, sizeof p->last.comm);
	return p->task = rawtree_task(p->rawtree, &p->last);
}

/*
 * The two kinds of a processor's cores count one thing as two events: cpu_core/cycles/u
 * and cpu_atom/cycles/u are cycles:u, unless one of them was asked for.
 */
static void
add_event_name(struct text *t, const struct replay *p, const struct attr *a)
{
	static const char *const kind[] = {"cpu_core/", "cpu_atom/"};
	const size_t n = strlen(kind[0]);
	const char *asked = p->reader->options->sample.event, *name, *end;

	for (int i = 0; i < 2; i++) {
		name = a->name + n;
		if (strncmp(a->name, kind[i], n) != 0 || (end = strchr(name, '/')) == NULL ||
		    (asked != NULL && strcmp(asked, a->name) == 0))
			continue;
		for (size_t k = 0; k < p->attrs->n; k++) {
			const char *twin = p->attrs->attr[k].name;

			if (strncmp(twin, kind[!i], n) != 0 || strcmp(twin + n, name) != 0)
				continue;
			text_add(t, name, (size_t)(end - name));
			if (end[1] != '\0')
				text_printf(t, ":%s", end + 1);
			return;
		}
	}
	text_puts(t, a->name);
}

/* Its event's number for the sampler, which learns of it when it is first seen. */
static uint32_t
event_of(struct replay *p, struct attr *a)
{
	struct text name = {0};

	if (a->event == UINT32_MAX) {
		add_event_name(&name, p, a);
		a->event = sampler_event(p->reader->sampler, text_as_str(&name),
		    p->way != OFFCPU_NONE ? str_of("us") : (struct str){0});
		text_free(&name);
	}
	return a->event;
}

static void
count_chain(
    struct replay *p, const struct attr *a, const struct perfevent *e, const struct chain *c)
{
	struct replay_count *count = &p->count;

	if (!(a->format.sample_type & PERF_SAMPLE_STACK_USER) || c->n == 0)
		return;
	if (!c->unwound) {
		/* A kernel thread has none. */
		count->bare += e->sample.regs_abi == PERF_SAMPLE_REGS_ABI_32;
		return;
	}
	count->user++;
	if (c->end == UNWIND_TRUNCATED)
		count->truncated++;
	else if (c->end == UNWIND_COMPLETE)
		count->whole++;
	else if (chain_generated(c))
		count->generated++;
}

/* A sample whose user part has come, or will not. */
static void
add_waiting(struct replay *p, struct deferred_sample *s, const struct perfevent *e)
{
	struct chain *chain = &p->chain;
	struct process_thread *t;

	chain->n = chain->nkernel = s->n;
	chain->listed = 0;
	if (s->n > 0)
		memcpy(chain->frame, s->frame, s->n * sizeof *s->frame);
	if (e != NULL) {
		t = processes_thread(p->processes, (int)e->pid, (int)e->tid);
		chain_deferred(chain, &e->deferred, t->process);
	} else {
		p->count.undeferred++;
	}
	rawtree_add(
	    p->rawtree, rawtree_chain(p->rawtree, s->task, chain, s->time), s->time, s->weight);
	deferred_remove(&p->waiting, s);
}

static void
take_deferred(struct replay *p, const struct perfevent *e)
{
	struct deferred_sample *s;

	while ((s = deferred_find(&p->waiting, (int)e->tid, e->deferred.cookie)) != NULL)
		add_waiting(p, s, e);
}

/* Made when it is needed, since a pipe says later than a file what machine it is of. */
static struct unwind *
unwinder(struct replay *p)
{
	const char *arch = p->features->arch;

	if (p->unwind == NULL) {
		p->unwind = unwind_new(arch == NULL && p->swapped ? "other" : arch);
		p->processes->signs = arch != NULL && strcmp(arch, "aarch64") == 0;
	}
	return p->unwind;
}

/* The node of a sample's stack; CHAINCACHE_NONE when a part of it is to come. */
static uint32_t
stack_of(struct replay *p, const struct attr *a, const struct perfevent *e,
    struct process_thread *t, uint64_t weight)
{
	const struct perfevent_sample *s = &e->sample;
	const uint64_t other = PERF_SAMPLE_STACK_USER | PERF_SAMPLE_BRANCH_STACK;
	const uint32_t task = task_of(p, t);
	struct chain *chain = &p->chain;
	struct chaincache_slot *known = NULL;
	uint32_t node;

	if (!(a->format.sample_type & other) && s->ncallchain > 0) {
		known = chaincache_at(&p->chains, t->process->stamp + (p->kernel << 40), task,
		    e->misc & PERF_RECORD_MISC_CPUMODE_MASK, s->callchain, s->ncallchain);
		if (known->node != CHAINCACHE_NONE)
			return known->node;
	}
	chain_read(chain, unwinder(p), &a->format, e, t->process);
	count_chain(p, a, e, chain);
	if (chain->deferred) {
		struct deferred_sample *w = deferred_add(&p->waiting, t->tid, chain);

		w->time = e->time;
		w->weight = weight;
		w->task = task;
		if (p->waiting.n > DEFERRED_MAX)
			add_waiting(p, deferred_oldest(&p->waiting), NULL);
		return CHAINCACHE_NONE;
	}
	node = rawtree_chain(p->rawtree, task, chain, e->time);
	if (known != NULL)
		known->node = node;
	return node;
}

static bool
is_guest(const struct perfevent *e)
{
	unsigned mode = e->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	return mode == PERF_RECORD_MISC_GUEST_KERNEL || mode == PERF_RECORD_MISC_GUEST_USER;
}

/* A sample of one event, with that period. */
static void
add_sample(struct replay *p, struct attr *a, const struct perfevent *e, uint64_t period)
{
	struct sampler *s = p->reader->sampler;
	bool timed = (a->format.sample_type & PERF_SAMPLE_TIME) != 0;
	uint64_t weight = period != 0 ? period : 1;
	struct process_thread *t;
	uint32_t node;

	if (!sample_wanted(s, event_of(p, a), timed ? e->time : SAMPLE_NO_TIME,
		p->way != OFFCPU_NONE ? value_of(weight) / NS_OF_US : value_of(weight)))
		return;
	if (s->options->count)
		weight = p->way != OFFCPU_NONE ? NS_OF_US : 1;
	p->count.samples++;
	p->count.guest += is_guest(e);
	t = processes_thread(p->processes, (int)e->pid, (int)e->tid);
	node = stack_of(p, a, e, t, weight);
	if (node != CHAINCACHE_NONE)
		rawtree_add(p->rawtree, node, e->time, weight);
}

/* A sleep that has ended is a sample of where it was. */
static void
add_sleep(struct replay *p, uint32_t node, uint64_t since, uint64_t ns)
{
	struct sampler *s = p->reader->sampler;

	if (!sample_wanted(s, event_of(p, p->asleep), since, value_of(ns) / NS_OF_US))
		return;
	p->count.samples++;
	rawtree_add(p->rawtree, node, since, s->options->count ? NS_OF_US : ns);
}

/* A thread runs again. */
static void
end_sleep(struct replay *p, int tid, uint64_t time)
{
	const struct offcpu_sleep *sleep = offcpu_end(&p->sleepers, tid);

	if (sleep == NULL || time <= sleep->since || p->sleepers.told)
		return;
	if (p->sleepers.stats)
		offcpu_keep(&p->sleepers, sleep, time - sleep->since);
	else
		add_sleep(p, sleep->node, sleep->since, time - sleep->since);
}

/*
 * A thread is woken, which is said with the time that it slept, and for some sleeps twice.
 * What is known of others only by when they ran again is not added to that.
 */
static void
take_stat(struct replay *p, const struct perfevent *e)
{
	const struct offcpu_sleep *sleep;
	struct offcpu_stat s;

	if (!offcpu_stat(&s, &e->sample, p->swapped))
		return;
	p->sleepers.told = true;
	sleep = offcpu_end(&p->sleepers, s.tid);
	if (sleep != NULL)
		add_sleep(p, sleep->node, sleep->since, s.ns);
}

/* With --off-cpu: a thread leaves its CPU. */
static void
begin_sleep(struct replay *p, struct attr *a, const struct perfevent *e)
{
	struct process_thread *t;
	struct offcpu_switch s;
	uint32_t node;

	if (p->sleepers.stats && offcpu_is_stat(a))
		take_stat(p, e);
	if (!offcpu_is(p->way, a))
		return;
	p->asleep = a;
	if (p->way == OFFCPU_TRACEPOINT && offcpu_switch(&s, &e->sample, p->swapped)) {
		end_sleep(p, s.next, e->time);
		if (!s.blocked)
			return;
	}
	t = processes_thread(p->processes, (int)e->pid, (int)e->tid);
	node = stack_of(p, a, e, t, 0);
	if (node != CHAINCACHE_NONE && t->tid != 0)
		offcpu_begin(&p->sleepers, t->tid, node, e->time);
}

/* Records of --switch-events: one that was preempted was not blocked. */
static void
take_switch(struct replay *p, const struct perfevent *e)
{
	if (p->way == OFFCPU_NONE)
		return;
	if (!(e->misc & PERF_RECORD_MISC_SWITCH_OUT))
		end_sleep(p, (int)e->tid, e->time);
	else if (e->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT)
		offcpu_end(&p->sleepers, (int)e->tid);
}

/* With --off-cpu: what the recording has of that. */
static void
settle_way(struct replay *p)
{
	p->settled = true;
	p->way = offcpu_source(p->attrs);
	p->sleepers.stats = p->way == OFFCPU_TRACEPOINT && offcpu_has_stats(p->attrs);
	if (p->way == OFFCPU_NONE)
		cli_die("%s: no times of sleep in it: perf record --off-cpu, or -g -e "
			"sched:sched_switch, or -g -e context-switches -c 1 --switch-events",
		    lines_name(p->reader->lines));
}

/* Values of counters since the last time: those of a group are samples of its events. */
static void
add_values(struct replay *p, struct attr *a, const struct perfevent *e)
{
	const uint64_t format = a->format.read_format, *v = e->sample.read;
	const size_t times = (size_t) !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			     !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	const size_t each = (size_t)2 + !!(format & PERF_FORMAT_LOST);
	const uint64_t n = format & PERF_FORMAT_GROUP ? v[0] : 1;
	const uint64_t *at = format & PERF_FORMAT_GROUP ? v + 1 + times : v;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t now = at[0], id = format & PERF_FORMAT_GROUP ? at[1] : at[1 + times];
		struct attr *of = attrs_of_id(p->attrs, id);
		uint64_t *last;

		at += each;
		if (of == NULL) {
			p->count.stray++;
			continue;
		}
		/* What is kept is one more, since an intmap holds no 0. */
		last = (uint64_t *)intmap_at(&p->values, id);
		if (*last == 0)
			*last = 1;
		if (now != *last - 1)
			add_sample(p, of, e, now - (*last - 1));
		*last = now + 1 != 0 ? now + 1 : 1;
	}
}

static void
take_sample(struct replay *p, struct attr *a, struct perfevent *e, uint64_t time)
{
	const uint64_t type = a->format.sample_type;

	if (!(type & PERF_SAMPLE_TIME))
		e->time = time;
	if (p->first == 0)
		p->first = e->time;
	if (!(type & PERF_SAMPLE_TID))
		e->pid = e->tid = UINT32_MAX;
	p->seen++;
	if (p->reader->options->off_cpu && !p->settled)
		settle_way(p);
	if (p->way == OFFCPU_TRACEPOINT || p->way == OFFCPU_SWITCHES)
		begin_sleep(p, a, e);
	else if (p->way == OFFCPU_SAMPLES && !offcpu_is(p->way, a))
		return;
	else if (type & PERF_SAMPLE_READ && a->format.read_format & PERF_FORMAT_ID)
		add_values(p, a, e);
	else
		add_sample(
		    p, a, e, type & PERF_SAMPLE_PERIOD ? e->sample.period : a->attr.sample_period);
}

/* Where the kernel and its modules are. Those of a virtual machine are not ours. */
static void
take_kernel_map(struct replay *p, const struct perfevent *e)
{
	static const char kernel[] = "[kernel.kallsyms]";
	const struct perfevent_mmap *m = &e->mmap;
	const char *base = strrchr(m->path, '/');
	char name[128];
	size_t n;

	if (strncmp(m->path, kernel, sizeof kernel - 1) == 0) {
		/* A name of it stands behind, whose address is the offset. */
		if (p->reference == 0) {
			p->reference = m->offset;
			strlcpy(p->reference_name, m->path + sizeof kernel - 1,
			    sizeof p->reference_name);
		}
		return;
	}
	/* /lib/modules/6.1/kernel/net/nf-tables.ko.xz is [nf_tables] for the kernel. */
	base = base != NULL ? base + 1 : m->path;
	n = strcspn(base, ".");
	if (base[0] == '[')
		snprintf(name, sizeof name, "%s", base);
	else
		snprintf(name, sizeof name, "[%.*s]", (int)(n < 100 ? n : 100), base);
	for (char *s = name; *s != '\0'; s++)
		if (*s == '-')
			*s = '_';
	p->kernel++;
	if (m->start + m->size > m->start)
		module_kernel_map(p->modules, m->start, m->start + m->size, name);
}

static void
take_map(struct replay *p, struct perfevent *e)
{
	struct perfevent_mmap *m = &e->mmap;
	const struct features_build_id *id;

	if ((e->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL) {
		take_kernel_map(p, e);
		return;
	}
	if (m->nbuild_id == 0 && (id = features_build_id(p->features, m->path)) != NULL) {
		m->build_id = id->bytes;
		m->nbuild_id = id->size;
	}
	processes_record(p->processes, e);
}

static void
take_symbol(struct replay *p, const struct perfevent_ksymbol *k)
{
	const uint64_t end = k->start + k->size;

	if (k->flags & 1) /* PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER */
		module_kernel_unmap(p->modules, k->start, end);
	else
		module_kernel_symbol(p->modules, k->start, end, k->name);
	p->kernel++;
}

void
replay_take(void *arg, const struct timesort_entry *o)
{
	struct replay *p = arg;
	struct attr *a = &p->attrs->attr[o->attr];
	struct perfevent e;

	if (p->swapped)
		swap_record(o->h, &a->format);
	if (!perfevent_decode(&a->format, o->h, &e)) {
		reader_malformed_byte(p->reader, o->offset, "a record makes no sense");
		p->count.malformed++;
		return;
	}
	switch (e.type) {
	case PERF_RECORD_SAMPLE: take_sample(p, a, &e, o->time); break;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: take_map(p, &e); break;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE: take_switch(p, &e); break;
	case PERF_RECORD_KSYMBOL: take_symbol(p, &e.ksymbol); break;
	case PERFEVENT_CALLCHAIN_DEFERRED: take_deferred(p, &e); break;
	case PERF_RECORD_LOST: p->count.lost += e.lost; break;
	case PERF_RECORD_LOST_SAMPLES: p->count.lost_samples += e.lost; break;
	case PERF_RECORD_THROTTLE: p->count.throttled++; break;
	default: processes_record(p->processes, &e);
	}
}

void
replay_end(struct replay *p)
{
	struct deferred_sample *s;

	while ((s = deferred_oldest(&p->waiting)) != NULL)
		add_waiting(p, s, NULL);
	for (size_t i = 0; i < p->sleepers.nwait && !p->sleepers.told; i++)
		add_sleep(
		    p, p->sleepers.wait[i].node, p->sleepers.wait[i].since, p->sleepers.wait[i].ns);
}
