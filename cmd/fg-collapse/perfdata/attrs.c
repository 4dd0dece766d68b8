/*
 * attrs: decodes perf_event_attr of any size that a version of perf wrote, and finds the
 * positions of id and time in records.
 */
#include "fg-collapse/perfdata/attrs.h"

#include <byteswap.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"

#define ATTR_SMALLEST 64 /* PERF_ATTR_SIZE_VER0 */

static const char *const hardware[] = {"cycles", "instructions", "cache-references", "cache-misses",
    "branches", "branch-misses", "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend",
    "ref-cycles"};
static const char *const software[] = {"cpu-clock", "task-clock", "page-faults", "context-switches",
    "cpu-migrations", "minor-faults", "major-faults", "alignment-faults", "emulation-faults",
    "dummy", "bpf-output", "cgroup-switches"};

/* Bit fields start at the other end of each byte in the other byte order. */
static void
reverse_bits(unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char b = p[i];

		b = (unsigned char)(b >> 4 | b << 4);
		b = (unsigned char)((b & 0xcc) >> 2 | (b & 0x33) << 2);
		p[i] = (unsigned char)((b & 0xaa) >> 1 | (b & 0x55) << 1);
	}
}

static void
swap_attr(struct perf_event_attr *a)
{
	a->type = bswap_32(a->type);
	a->size = bswap_32(a->size);
	a->config = bswap_64(a->config);
	a->sample_period = bswap_64(a->sample_period);
	a->sample_type = bswap_64(a->sample_type);
	a->read_format = bswap_64(a->read_format);
	reverse_bits((unsigned char *)a + offsetof(struct perf_event_attr, read_format) + 8, 8);
	a->config1 = bswap_64(a->config1);
	a->config2 = bswap_64(a->config2);
	a->branch_sample_type = bswap_64(a->branch_sample_type);
	a->sample_regs_user = bswap_64(a->sample_regs_user);
	a->sample_stack_user = bswap_32(a->sample_stack_user);
	a->clockid = (int32_t)bswap_32((uint32_t)a->clockid);
	a->sample_regs_intr = bswap_64(a->sample_regs_intr);
}

/* Finds the positions of id and time, from the order of fields in linux/perf_event.h. */
static void
place_fields(struct attr *a)
{
	uint64_t type = a->attr.sample_type;
	int before = 0, at;

	a->id_at = a->time_at = -1;
	if (type & PERF_SAMPLE_IDENTIFIER) {
		a->id_at = 0;
		before += 8;
	}
	before += type & PERF_SAMPLE_IP ? 8 : 0;
	before += type & PERF_SAMPLE_TID ? 8 : 0;
	if (type & PERF_SAMPLE_TIME)
		a->time_at = before;
	if (type & PERF_SAMPLE_ID && a->id_at < 0) {
		a->id_at =
		    before + (type & PERF_SAMPLE_TIME ? 8 : 0) + (type & PERF_SAMPLE_ADDR ? 8 : 0);
	}
	if (!a->attr.sample_id_all)
		return;
	at = type & PERF_SAMPLE_IDENTIFIER ? 8 : 0;
	a->id_back = at;
	at += type & PERF_SAMPLE_CPU ? 8 : 0;
	at += type & PERF_SAMPLE_STREAM_ID ? 8 : 0;
	if (type & PERF_SAMPLE_ID) {
		at += 8;
		if (a->id_back == 0)
			a->id_back = at;
	}
	if (type & PERF_SAMPLE_TIME)
		a->time_back = at + 8;
}

/* Appends the event's modifiers as perf writes them: `:u`, `:pp`, `:uH`. */
static void
add_modifiers(struct text *t, const struct perf_event_attr *a)
{
	bool guest = false;
	size_t at = t->len;

	text_char(t, ':');
	if (a->exclude_kernel || a->exclude_user || a->exclude_hv) {
		if (!a->exclude_kernel)
			text_char(t, 'k');
		if (!a->exclude_user)
			text_char(t, 'u');
		if (!a->exclude_hv)
			text_char(t, 'h');
		guest = true;
	}
	for (unsigned i = 0; i < a->precise_ip; i++) {
		text_char(t, 'p');
		guest = true;
	}
	if (a->exclude_host || a->exclude_guest == guest) {
		if (!a->exclude_host)
			text_char(t, 'H');
		if (!a->exclude_guest)
			text_char(t, 'G');
	}
	if (t->len == at + 1)
		text_cut(t, at);
}

/* Allocates the name that perf gives to an event that the recording does not name. */
static char *
default_name(const struct perf_event_attr *a)
{
	static const char *const cache[] = {
	    "L1-dcache", "L1-icache", "LLC", "dTLB", "iTLB", "branch", "node"};
	static const char *const operation[] = {"loads", "stores", "prefetches"};
	uint64_t c = a->config & 0xff, o = a->config >> 8 & 0xff, r = a->config >> 16 & 0xff;
	struct text t = {0};

	if (a->type == PERF_TYPE_HARDWARE && a->config < sizeof hardware / sizeof *hardware) {
		text_puts(&t, hardware[a->config]);
		add_modifiers(&t, a);
	} else if (a->type == PERF_TYPE_SOFTWARE &&
		   a->config < sizeof software / sizeof *software) {
		text_puts(&t, software[a->config]);
		add_modifiers(&t, a);
	} else if (a->type == PERF_TYPE_HW_CACHE && c < 7 && o < 3 && r < 2) {
		text_printf(&t, "%s-%.*s%s", cache[c], (int)strlen(operation[o]) - (r == 1),
		    operation[o], r == 1 ? "-misses" : "");
		add_modifiers(&t, a);
	} else if (a->type == PERF_TYPE_RAW) {
		text_printf(&t, "raw 0x%llx", (unsigned long long)a->config);
		add_modifiers(&t, a);
	} else {
		text_printf(&t, "unknown attr type: %u, config 0x%llx", a->type,
		    (unsigned long long)a->config);
	}
	return t.s;
}

int
attrs_add(struct attrs *a, const void *bytes, size_t size, bool swapped)
{
	struct attr *new;

	if (size < ATTR_SMALLEST || a->n == ATTRS_MAX)
		return -1;
	vec_fit(a->attr, a->cap, a->n + 1);
	new = &a->attr[a->n];
	memset(new, 0, sizeof *new);
	memcpy(&new->attr, bytes, size < sizeof new->attr ? size : sizeof new->attr);
	if (swapped)
		swap_attr(&new->attr);
	new->event = UINT32_MAX;
	new->ev.period = new->attr.sample_period;
	new->ev.format = (struct perfevent_format){
	    .sample_type = new->attr.sample_type,
	    .read_format = new->attr.read_format,
	    .branch_sample_type = new->attr.branch_sample_type,
	    .regs_user = new->attr.sample_regs_user,
	    .sample_id_all = new->attr.sample_id_all,
	};
	place_fields(new);
	new->name = default_name(&new->attr);
	return (int)a->n++;
}

void
attrs_add_id(struct attrs *a, uint64_t id, size_t number)
{
	if (number < a->n)
		*intmap_at(&a->ids, id) = (void *)(uintptr_t)(number + 1);
}

void
attrs_name(struct attrs *a, size_t number, struct str name)
{
	struct attr *it = &a->attr[number];

	if (number >= a->n || name.len == 0)
		return;
	free(it->name);
	it->name = str_copy(name);
	it->named = true;
}

void
attrs_free(struct attrs *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->attr[i].name);
	free(a->attr);
	free(a->ids.slot);
}

struct attr *
attrs_of_id(struct attrs *a, uint64_t id)
{
	uintptr_t number = (uintptr_t)intmap_get(&a->ids, id);

	return number == 0 ? NULL : &a->attr[number - 1];
}

/* Reads eight bytes of a record: at an offset in its body, or `back` bytes before its end. */
static bool
field(const struct perf_event_header *h, int at, int back, bool swapped, uint64_t *v)
{
	size_t body = h->size - sizeof *h;
	size_t from = at >= 0 ? (size_t)at : body - (size_t)back;

	if (body < 8 || (at < 0 && (size_t)back > body) || from > body - 8)
		return false;
	memcpy(v, (const unsigned char *)(h + 1) + from, 8);
	if (swapped)
		*v = bswap_64(*v);
	return true;
}

struct attr *
attrs_of(struct attrs *a, const struct perf_event_header *h, bool swapped)
{
	const bool sample = h->type == PERF_RECORD_SAMPLE;
	struct attr *first = a->attr;
	uint64_t id;

	if (a->n < 2)
		return a->n == 0 ? NULL : first;
	if (sample ? first->id_at < 0 : first->id_back == 0)
		return first;
	if (!field(h, sample ? first->id_at : -1, first->id_back, swapped, &id))
		return sample ? NULL : first;
	/* Records by perf itself have no id. */
	return id == 0 ? first : attrs_of_id(a, id);
}

bool
attrs_time(const struct attr *a, const struct perf_event_header *h, bool swapped, uint64_t *time)
{
	const bool sample = h->type == PERF_RECORD_SAMPLE;

	if (sample ? a->time_at < 0 : a->time_back == 0)
		return false;
	return field(h, sample ? a->time_at : -1, a->time_back, swapped, time);
}
