/*
 * pproflegacy: the text formats that pprof reads besides protocol buffers: contention and
 * mutex profiles, counts of stacks as in Go's debug=1, and threads,
 *
 *	--- contentionz 1 ---			goroutine profile: total 8
 *	cycles/second = 3201000000		1 @ 0x42e176 0x460625
 *	sampling period = 100			#	0x460624	main.f+0x24	/srv/a.go:9
 *	  19490304  27 @ 0xbccc97 0xc61202
 *						--- threadz 1 ---
 *						--- Thread 7f79 (name: main/1478) stack: ---
 *						  PC:  0x00bc8f1c: helper(arg *)
 *						  0x0040be31: main
 *
 * followed by the mappings, or Java's symbols.
 */
#include "fg-collapse/format.h"

#include "fg-collapse/options.h"
#include "fg-collapse/shape/addresstext.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/sample.h"

enum kind { NONE, CONTENTION, COUNTS, THREADS };

struct legacy {
	struct addresses addresses;
	struct reader *reader;
	enum kind kind;
	uint32_t event[2];
	uint64_t period, hertz; /* contentions per sample; cycles per second */
	bool java, again, heads;
	size_t thread; /* addresses of the thread so far */
	bool waits; /* a thread has begun that has no addresses yet */
	struct text name, tid;
};

static void
begin_thread(struct legacy *l)
{
	struct sample_weight w = {l->event[0], VALUE_ONE};

	addresses_begin(&l->addresses, &w, 1, text_as_str(&l->name), text_as_str(&l->tid));
	l->waits = false;
	l->thread = 0;
}

/* Reads `--- Thread 7f794ab90940 (name: main/14748) stack: ---`. */
static bool
read_thread(struct legacy *l, struct str s)
{
	size_t slash;

	if (!scan_word(&s, "--- Thread "))
		return false;
	scan_until(&s, ' ');
	text_cut(&l->name, 0);
	text_cut(&l->tid, 0);
	if (!scan_word(&s, "(name: "))
		return false;
	s.len = str_find_last(s, ") stack: ---");
	slash = str_find_last(s, "/");
	text_str(&l->name, (struct str){s.s, slash});
	text_str(&l->tid, str_from(s, slash + 1));
	l->waits = true;
	return true;
}

/* Reads `PC:  0x00bc8f1c: helper(arg *)`, `0x1 0x2 0x3` or `creator: 0xa45b96 0xa460b4`. */
static bool
read_frames(struct legacy *l, struct str s)
{
	struct str rest;
	uint64_t pc;

	if (str_find(s, "same as previous thread") < s.len) {
		l->waits = false;
		return addresses_again(&l->addresses, VALUE_ONE);
	}
	if (scan_word(&s, "PC:") || scan_word(&s, "creator:"))
		s = str_trim(s);
	rest = s;
	if (!scan_hex(&rest, &pc) || (!l->waits && l->addresses.nsample == 0))
		return false;
	if (l->waits)
		begin_thread(l);
	if (rest.len > 0 && rest.s[0] == ':') {
		if (l->thread > 0 && pc > 0)
			pc--;
		addresses_add(&l->addresses, pc);
		addresses_name(&l->addresses, pc, str_trim(str_from(rest, 1)), (struct str){0}, 0);
	} else {
		addresstext_stack(
		    &l->addresses, s, l->thread > 0 ? ADDRESSTEXT_RETURNS : ADDRESSTEXT_LEAF);
	}
	l->thread++;
	return true;
}

/* Reads `cycles/second = 3201000000` and other attributes; false for any other line. */
static bool
read_attribute(struct legacy *l, struct str s)
{
	size_t equals = str_find(s, "=");
	struct str key = str_trim((struct str){s.s, equals}), word;
	uint64_t n = 0;

	if (equals == s.len)
		return false;
	word = str_trim(str_from(s, equals + 1));
	scan_number(&word, &n);
	if (str_is(key, "cycles/second"))
		l->hertz = n;
	else if (str_is(key, "sampling period"))
		l->period = n;
	else if (str_is(key, "format"))
		l->java = true;
	return true;
}

/* Reads `19490304  27 @ 0xbccc97 0xc61202`: cycles, or Java's unit of resolution, and a count. */
static bool
read_contention(struct legacy *l, struct str s)
{
	uint64_t delay, count, period = l->period > 0 ? l->period : 1;
	struct sample_weight w[2];
	value v;

	if (!scan_number(&s, &delay))
		return false;
	scan_blanks(&s);
	if (!scan_number(&s, &count))
		return false;
	scan_blanks(&s);
	if (!scan_word(&s, "@") || (count > 0 && UINT64_MAX / count < period))
		return false;
	v = value_of(delay);
	if (!l->java && l->hertz > 0) { /* as in pprof, truncated to ns */
		double ns = (double)delay * (double)period / ((double)l->hertz / 1e9);

		if (!(ns < 9e18))
			return false;
		v = value_of((uint64_t)ns);
	} else {
		v *= period;
	}
	w[0] = (struct sample_weight){l->event[0], value_of(count * period)};
	w[1] = (struct sample_weight){l->event[1], v};
	addresses_begin(&l->addresses, w, 2, (struct str){0}, (struct str){0});
	addresstext_stack(&l->addresses, s, l->java ? ADDRESSTEXT_EXACT : ADDRESSTEXT_RETURNS);
	return true;
}

/* Reads `1 @ 0x42e176 0x460625`. */
static bool
read_count(struct legacy *l, struct str s)
{
	struct sample_weight w = {.event = l->event[0]};
	uint64_t n;

	if (!scan_number(&s, &n) || !scan_word(&s, " @"))
		return false;
	w.weight = value_of(n);
	addresses_begin(&l->addresses, &w, 1, (struct str){0}, (struct str){0});
	addresstext_stack(&l->addresses, s, ADDRESSTEXT_RETURNS);
	return true;
}

static enum kind
kind_of(struct str line, struct str *name)
{
	size_t profile = str_find(line, " profile: total ");

	*name = (struct str){line.s, profile};
	if (profile < line.len && profile > 0 && memchr(line.s, ' ', profile) == NULL) {
		struct str digits = str_from(line, profile + strlen(" profile: total "));
		uint64_t n;

		return scan_number(&digits, &n) && digits.len == 0 ? COUNTS : NONE;
	}
	if (str_starts(line, "--- contentionz ") || str_starts(line, "--- mutex:") ||
	    str_starts(line, "--- contention:"))
		return CONTENTION;
	if (str_starts(line, "--- threadz ") ||
	    (str_starts(line, "--- Thread ") && str_ends(line, ") stack: ---")))
		return THREADS;
	return NONE;
}

/* Names the events. The unit of Java's delays follows the header. */
static void
name_events(struct legacy *l, struct str name)
{
	struct sampler *s = l->reader->sampler;

	if (l->kind == NONE)
		return;
	if (l->kind == COUNTS || l->kind == THREADS) {
		struct str event = l->kind == THREADS ? str_of("thread") : name;

		l->event[0] = sampler_event(s, event, event);
		sampler_values(s, l->event[0], FOLDED_SAMPLED);
		sampler_default(s, l->event[0]);
	}
	if (l->kind == CONTENTION) {
		l->event[0] = sampler_event(s, str_of("contentions"), str_of("contentions"));
		l->event[1] = sampler_event(s, str_of("delay"), str_of("ns"));
		sampler_default(s, l->event[1]);
	}
}

static bool
read_line(struct legacy *l, struct str s)
{
	struct str t = str_trim(s);

	if (addresstext_beside(&l->addresses, t))
		return true;
	if (l->kind == THREADS)
		return read_thread(l, s) || str_starts(t, "---- no stack trace for") ||
		       read_frames(l, t);
	if (l->kind == COUNTS)
		return read_count(l, t);
	return (l->java && addresstext_java(&l->addresses, t)) || read_contention(l, t) ||
	       read_attribute(l, t);
}

static void
begin_profile(struct legacy *l)
{
	*l = (struct legacy){.reader = l->reader, .name = l->name, .tid = l->tid};
	addresses_init(&l->addresses, l->reader, "pprof -proto PROGRAM FILE");
}

static void
end_profile(struct legacy *l)
{
	if (l->kind == CONTENTION) /* their delay is measured */
		sampler_values(l->reader->sampler, l->event[0],
		    l->period > 1 ? FOLDED_ESTIMATED : FOLDED_EXACT);
	addresses_take(&l->addresses);
	addresses_free(&l->addresses);
}

static void
read_input(struct reader *r)
{
	struct legacy l = {.reader = r};
	struct str line, name;

	begin_profile(&l);
	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	while (reader_line(r, &line)) {
		if (line.len == 0)
			continue;
		/* Each thread has a line that looks like a header. */
		if (l.kind != NONE && (l.addresses.maps || l.kind != THREADS) &&
		    kind_of(line, &name) != NONE) { /* another profile */
			end_profile(&l);
			begin_profile(&l);
		}
		if (l.kind == NONE) {
			l.kind = kind_of(line, &name);
			name_events(&l, name);
			if (l.kind != NONE &&
			    (l.kind != THREADS || str_starts(line, "--- threadz")))
				continue;
		}
		if (l.kind == NONE || !read_line(&l, line))
			reader_malformed(r, "not a line of pprof's legacy text formats");
	}
	end_profile(&l);
	text_free(&l.name);
	text_free(&l.tid);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line, name;

	while (scan_line(&rest, &line))
		if (line.len > 0 && line.s[0] != '#')
			return kind_of(line, &name) != NONE ? 98 : 0;
	return 0;
}

const struct format pproflegacy_format = {
    .provides = DATA_TID | DATA_CODE | DATA_EVENT | DATA_THREAD_NAMES,
    .reads_programs = true,
    .sniff = sniff,
    .read = read_input,
};
