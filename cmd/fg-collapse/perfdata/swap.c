/*
 * swap: swaps the fields of records by their width, in the order of linux/perf_event.h.
 * Bytes that are not numbers (names, raw data, stack copies) stay.
 */
#include "fg-collapse/perfdata/swap.h"

#include <byteswap.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/*
 * A record without its first fields. base/cursor is for reading; numbers are swapped in place, up
 * to the end of the record. Longer fields are an error of perfevent.
 */
struct rest {
	unsigned char *at, *end;
};

/* Swaps n numbers of 8 bytes. */
static uint64_t
words(struct rest *c, uint64_t n)
{
	uint64_t v = 0;

	if (n > (uint64_t)(c->end - c->at) / 8)
		n = (uint64_t)(c->end - c->at) / 8;
	for (; n > 0; n--, c->at += 8) {
		memcpy(&v, c->at, 8);
		v = bswap_64(v);
		memcpy(c->at, &v, 8);
	}
	return v;
}

static uint32_t
halves(struct rest *c, unsigned n)
{
	uint32_t v = 0;

	for (; n > 0 && c->end - c->at >= 4; n--, c->at += 4) {
		memcpy(&v, c->at, 4);
		v = bswap_32(v);
		memcpy(c->at, &v, 4);
	}
	return v;
}

static void
quarters(struct rest *c, unsigned n)
{
	uint16_t v;

	for (; n > 0 && c->end - c->at >= 2; n--, c->at += 2) {
		memcpy(&v, c->at, 2);
		v = bswap_16(v);
		memcpy(c->at, &v, 2);
	}
}

static void
leave(struct rest *c, uint64_t n)
{
	c->at += n < (uint64_t)(c->end - c->at) ? (ptrdiff_t)n : c->end - c->at;
}

static void
swap_read(struct rest *c, uint64_t format)
{
	uint64_t times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
			 !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	uint64_t each = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);

	if (format & PERF_FORMAT_GROUP) {
		uint64_t n = words(c, 1);

		words(c, times);
		words(c, n < UINT64_MAX / each ? n * each : UINT64_MAX);
	} else {
		words(c, times + each);
	}
}

static void
swap_branches(struct rest *c, const struct perfevent_format *f)
{
	uint64_t n = words(c, 1);

	words(c, !!(f->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX));
	/* The flags in the third word are not used, so their order does not matter. */
	words(c, n < UINT64_MAX / 3 ? n * 3 : UINT64_MAX);
	if (f->branch_sample_type & PERF_SAMPLE_BRANCH_COUNTERS)
		words(c, n);
}

static void
swap_sample(struct rest *c, const struct perfevent_format *f)
{
	static const uint64_t head[] = {PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP, PERF_SAMPLE_TID,
	    PERF_SAMPLE_TIME, PERF_SAMPLE_ADDR, PERF_SAMPLE_ID, PERF_SAMPLE_STREAM_ID,
	    PERF_SAMPLE_CPU, PERF_SAMPLE_PERIOD};
	uint64_t type = f->sample_type;

	for (size_t i = 0; i < sizeof head / sizeof *head; i++) {
		if (!(type & head[i]))
			continue;
		if (head[i] == PERF_SAMPLE_TID || head[i] == PERF_SAMPLE_CPU)
			halves(c, 2);
		else
			words(c, 1);
	}
	if (type & PERF_SAMPLE_READ)
		swap_read(c, f->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN)
		words(c, words(c, 1));
	if (type & PERF_SAMPLE_RAW)
		leave(c, halves(c, 1));
	if (type & PERF_SAMPLE_BRANCH_STACK)
		swap_branches(c, f);
	if (type & PERF_SAMPLE_REGS_USER && words(c, 1) != PERF_SAMPLE_REGS_ABI_NONE)
		words(c, (uint64_t)__builtin_popcountll(f->regs_user));
	if (type & PERF_SAMPLE_STACK_USER) {
		uint64_t n = words(c, 1);

		leave(c, n);
		words(c, n > 0);
	}
}

static void
swap_trailer(struct rest *c, const struct perfevent_format *f)
{
	static const uint64_t field[] = {PERF_SAMPLE_TID, PERF_SAMPLE_TIME, PERF_SAMPLE_ID,
	    PERF_SAMPLE_STREAM_ID, PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER};
	struct rest t = *c;
	ptrdiff_t n = 0;

	if (!f->sample_id_all)
		return;
	for (size_t i = 0; i < sizeof field / sizeof *field; i++)
		n += f->sample_type & field[i] ? 8 : 0;
	if (n > c->end - c->at)
		return;
	t.at = c->end -= n;
	for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
		if (!(f->sample_type & field[i]))
			continue;
		if (field[i] == PERF_SAMPLE_TID || field[i] == PERF_SAMPLE_CPU)
			halves(&t, 2);
		else
			words(&t, 1);
	}
}

void
swap_record(struct perf_event_header *h, const struct perfevent_format *f)
{
	unsigned char *bytes = (unsigned char *)h;
	struct rest c = {bytes + sizeof *h, bytes + h->size};

	if (h->type == PERF_RECORD_SAMPLE) {
		swap_sample(&c, f);
		return;
	}
	swap_trailer(&c, f);
	switch (h->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		halves(&c, 2);
		words(&c, 3);
		if (h->type == PERF_RECORD_MMAP)
			break;
		if (h->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
			leave(&c, 24);
		} else {
			halves(&c, 2);
			words(&c, 2);
		}
		halves(&c, 2);
		break;
	case PERF_RECORD_COMM: halves(&c, 2); break;
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT: halves(&c, 4); break;
	case PERF_RECORD_READ: halves(&c, 2); break;
	case PERF_RECORD_SWITCH_CPU_WIDE: halves(&c, 2); break;
	case PERF_RECORD_KSYMBOL:
		words(&c, 1);
		halves(&c, 1);
		quarters(&c, 2);
		break;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
	case PERF_RECORD_THROTTLE:
	case PERF_RECORD_UNTHROTTLE:
	case PERF_RECORD_CALLCHAIN_DEFERRED: words(&c, UINT64_MAX); break;
	}
}
