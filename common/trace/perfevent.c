/*
 * perfevent: decodes the bytes of one perf_event record. The order of fields is that of the
 * comments in linux/perf_event.h. The file may be malformed on purpose, so each read is checked
 * against the record's end (base/cursor.h).
 */
#include "trace/perfevent.h"

#include <string.h>
#include <sys/mman.h>

#include "base/cursor.h"

static void
take_u32_pair(struct cursor *c, uint32_t *a, uint32_t *b)
{
	uint64_t v = cursor_u64(c);

	*a = (uint32_t)v;
	*b = (uint32_t)(v >> 32);
}

/* Rest of the record as a string; a record without its NUL is malformed. */
static const char *
read_string(struct cursor *c)
{
	const char *s = cursor_string(c).s;

	c->at = c->end;
	return s != NULL ? s : "";
}

static void
read_read(struct cursor *c, uint64_t format, struct perfevent_sample *s)
{
	const unsigned char *from = c->data + c->at;
	uint64_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			 !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);

	if (format & PERF_FORMAT_GROUP) {
		uint64_t n = cursor_u64(c);

		cursor_array(c, times, 8);
		cursor_array(c, n, 8 * each);
	} else {
		cursor_array(c, times + each, 8);
	}
	s->read = (const uint64_t *)(const void *)from;
	s->nread = (size_t)(c->data + c->at - from) / 8;
}

static void
read_raw(struct cursor *c, struct perfevent_sample *s)
{
	uint32_t n = cursor_u32(c);

	s->raw = cursor_read(c, n);
	c->bad |= (n + 4) % 8 != 0; /* the kernel pads it to 8 bytes */
	s->nraw = s->raw != NULL ? n : 0;
}

static void
read_branches(struct cursor *c, const struct perfevent_format *f, struct perfevent_sample *s)
{
	s->nbranch = cursor_u64(c);
	if (f->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		cursor_u64(c);
	s->branch = cursor_array(c, s->nbranch, sizeof *s->branch);
	if (f->branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS)
		cursor_array(c, s->nbranch, 8);
}

static void
read_stack(struct cursor *c, struct perfevent_sample *s)
{
	uint64_t n = cursor_u64(c);

	if (n == 0)
		return;
	s->stack = cursor_array(c, n, 1);
	s->stack_size = (size_t)n;
	s->nstack = cursor_u64(c);
	if (s->nstack > n)
		c->bad = true;
}

/* struct perf_sample, in the order of PERF_RECORD_SAMPLE's comment. */
static bool
decode_sample(struct cursor c, const struct perfevent_format *f, struct perfevent *e)
{
	struct perfevent_sample *s = &e->sample;
	uint64_t type = f->sample_type;
	uint32_t reserved;

	if (type & PERF_SAMPLE_IDENTIFIER)
		e->id = cursor_u64(&c);
	if (type & PERF_SAMPLE_IP)
		s->ip = cursor_u64(&c);
	if (type & PERF_SAMPLE_TID)
		take_u32_pair(&c, &e->pid, &e->tid);
	if (type & PERF_SAMPLE_TIME)
		e->time = cursor_u64(&c);
	if (type & PERF_SAMPLE_ADDR)
		s->addr = cursor_u64(&c);
	if (type & PERF_SAMPLE_ID)
		e->id = cursor_u64(&c);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor_u64(&c);
	if (type & PERF_SAMPLE_CPU)
		take_u32_pair(&c, &e->cpu, &reserved);
	if (type & PERF_SAMPLE_PERIOD)
		s->period = cursor_u64(&c);
	if (type & PERF_SAMPLE_READ)
		read_read(&c, f->read_format, s);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		s->ncallchain = cursor_u64(&c);
		s->callchain = cursor_array(&c, s->ncallchain, 8);
	}
	if (type & PERF_SAMPLE_RAW)
		read_raw(&c, s);
	if (type & PERF_SAMPLE_BRANCH_STACK)
		read_branches(&c, f, s);
	if (type & PERF_SAMPLE_REGS_USER) {
		s->regs_abi = cursor_u64(&c);
		if (s->regs_abi != PERF_SAMPLE_REGS_ABI_NONE)
			s->regs_user =
			    cursor_read(&c, 8 * (size_t)__builtin_popcountll(f->regs_user));
	}
	if (type & PERF_SAMPLE_STACK_USER)
		read_stack(&c, s);
	return !c.bad;
}

/* struct sample_id, at the end of every record but samples. */
static void
decode_trailer(struct cursor *c, const struct perfevent_format *f, struct perfevent *e)
{
	uint64_t type = f->sample_type;
	uint32_t pid, tid, reserved;
	size_t fields = !!(type & PERF_SAMPLE_TID) + !!(type & PERF_SAMPLE_TIME) +
			!!(type & PERF_SAMPLE_ID) + !!(type & PERF_SAMPLE_STREAM_ID) +
			!!(type & PERF_SAMPLE_CPU) + !!(type & PERF_SAMPLE_IDENTIFIER);
	struct cursor t = *c;

	if (!f->sample_id_all)
		return;
	if (8 * fields > cursor_left(c)) {
		c->bad = true;
		return;
	}
	c->end -= 8 * fields;
	t.at = c->end;
	if (type & PERF_SAMPLE_TID) {
		take_u32_pair(&t, &pid, &tid);
		/* Fork, exit and comm records name their thread in the body. */
		if (e->type != PERF_RECORD_FORK && e->type != PERF_RECORD_EXIT &&
		    e->type != PERF_RECORD_COMM && e->type != PERF_RECORD_MMAP &&
		    e->type != PERF_RECORD_MMAP2) {
			e->pid = pid;
			e->tid = tid;
		}
	}
	if (type & PERF_SAMPLE_TIME)
		e->time = cursor_u64(&t);
	if (type & PERF_SAMPLE_ID)
		e->id = cursor_u64(&t);
	if (type & PERF_SAMPLE_STREAM_ID)
		cursor_u64(&t);
	if (type & PERF_SAMPLE_CPU)
		take_u32_pair(&t, &e->cpu, &reserved);
	if (type & PERF_SAMPLE_IDENTIFIER)
		e->id = cursor_u64(&t);
}

static void
decode_mmap(struct cursor *c, struct perfevent *e)
{
	struct perfevent_mmap *m = &e->mmap;
	uint32_t flags;

	take_u32_pair(c, &e->pid, &e->tid);
	m->start = cursor_u64(c);
	m->size = cursor_u64(c);
	m->offset = cursor_u64(c);
	m->prot = e->misc & PERF_RECORD_MISC_MMAP_DATA ? PROT_READ : PROT_EXEC;
	if (e->type == PERF_RECORD_MMAP2) {
		const unsigned char *file = cursor_read(c, 24);

		if (file != NULL && (e->misc & PERF_RECORD_MISC_MMAP_BUILD_ID)) {
			m->nbuild_id = file[0] <= 20 ? file[0] : 0;
			m->build_id = file + 4;
		} else if (file != NULL) {
			memcpy(&m->major, file, 4);
			memcpy(&m->minor, file + 4, 4);
			memcpy(&m->inode, file + 8, 8);
		}
		take_u32_pair(c, &m->prot, &flags);
	}
	m->path = read_string(c);
}

static void
decode_ksymbol(struct cursor *c, struct perfevent_ksymbol *k)
{
	k->start = cursor_u64(c);
	k->size = cursor_u32(c);
	cursor_u16(c); /* type */
	k->flags = cursor_u16(c);
	k->name = read_string(c);
}

static void
decode_deferred(struct cursor *c, struct perfevent_deferred *d)
{
	d->cookie = cursor_u64(c);
	d->ncallchain = cursor_u64(c);
	d->callchain = cursor_array(c, d->ncallchain, 8);
}

bool
perfevent_decode(
    const struct perfevent_format *format, const struct perf_event_header *h, struct perfevent *e)
{
	struct cursor c = cursor_of(h, h->size, false);

	if (cursor_read(&c, sizeof *h) == NULL)
		return false;
	memset(e, 0, sizeof *e);
	e->type = h->type;
	e->misc = h->misc;
	if (h->type == PERF_RECORD_SAMPLE)
		return decode_sample(c, format, e);
	decode_trailer(&c, format, e);
	switch (h->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2: decode_mmap(&c, e); break;
	case PERF_RECORD_COMM:
		take_u32_pair(&c, &e->pid, &e->tid);
		e->comm = read_string(&c);
		break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		take_u32_pair(&c, &e->pid, &e->ppid);
		take_u32_pair(&c, &e->tid, &e->ptid);
		break;
	case PERF_RECORD_READ:
		take_u32_pair(&c, &e->pid, &e->tid);
		e->read = (format->read_format & PERF_FORMAT_GROUP) != 0 ? 0 : cursor_u64(&c);
		break;
	case PERF_RECORD_KSYMBOL: decode_ksymbol(&c, &e->ksymbol); break;
	case PERF_RECORD_CALLCHAIN_DEFERRED: decode_deferred(&c, &e->deferred); break;
	case PERF_RECORD_LOST:
		cursor_u64(&c);
		e->lost = cursor_u64(&c);
		break;
	case PERF_RECORD_LOST_SAMPLES: e->lost = cursor_u64(&c); break;
	}
	return !c.bad;
}
