/*
 * callgrind: the self costs of functions and the inclusive costs of calls, as written by
 * valgrind, Xdebug, pprof and others. shape/callgraph.h explains how stacks are derived
 * from them.
 *
 *	positions: line
 *	events: Ir Dr
 *	fl=(1) main.c
 *	fn=(1) main
 *	16 20 4
 *	cfn=(2) work
 *	calls=1 50
 *	16 400 100
 *
 * A function's lines are a position, then the cost of each event there; trailing zeros are
 * omitted. The line after calls= is the inclusive cost of these calls. A name gets a
 * number at its first occurrence; each kind of name has its own table.
 */
#include <stdlib.h>

#include "base/chars.h"
#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/callgrind/apportion.h"
#include "fg-collapse/callgrind/costs.h"
#include "fg-collapse/format.h"
#include "fg-collapse/shape/scan.h"

/* Index of the function of that name, added if new; its file and object are stored at its
 * first use. */
static uint32_t
function(struct costs *c, uint32_t name, uint32_t source, uint32_t object)
{
	while (c->graph.functions <= name) {
		uint32_t f = callgraph_function(&c->graph);

		vec_fit(c->place, c->capplace, (size_t)f + 1);
		c->place[f] = (struct place){source, object};
		if (f >= c->capself) {
			size_t had = c->capself;

			c->capself = had == 0 ? 256 : 2 * had;
			for (unsigned e = 0; e < c->events; e++) {
				c->self[e] =
				    cli_realloc(c->self[e], c->capself, sizeof *c->self[e]);
				memset(
				    c->self[e] + had, 0, (c->capself - had) * sizeof *c->self[e]);
			}
		}
	}
	return name;
}

#define NO_CALLS "cfn= without calls= after it"

/* Reports the current line, which is counted only after it is read. */
static void
malformed(struct costs *c, const char *why)
{
	reader_malformed_at(c->reader, c->reader->number + 1, 1, why);
}

/* Reads a number other than a plain decimal: 0x1f, or a negative one, as Xdebug's memory can
 * be. */
static bool
read_odd(struct str field, int64_t *n)
{
	bool negative = scan_word(&field, "-");
	uint64_t u;

	if (!(str_starts(field, "0x") ? scan_hex(&field, &u) : scan_number(&field, &u)) ||
	    field.len > 0 || u > INT64_MAX)
		return false;
	*n = negative ? -(int64_t)u : (int64_t)u;
	return true;
}

/* Reads a field other than a plain decimal; returns its end, or NULL if it is not a number. */
static const char *
read_odd_field(struct costs *c, const char *s, int64_t *n)
{
	const char *begin = s;

	if (*s == '*' || *s == '+')
		cli_die("%s:%llu: a relative cost; only positions can be relative",
		    lines_name(c->reader->lines), (unsigned long long)c->reader->number + 1);
	while (*s != ' ' && *s != '\n' && *s != '\r')
		s++;
	return read_odd((struct str){begin, (size_t)(s - begin)}, n) ? s : NULL;
}

/*
 * Reads the costs of a newline-terminated line at s, after its positions, into c->cost.
 * Returns their number, or -1; *end is the newline.
 */
static inline int
read_costs(struct costs *c, const char *s, const char **end)
{
	const char *line = s;
	unsigned n = 0;

	for (unsigned i = 0; i < c->positions; i++) {
		while (*s != ' ' && *s != '\n')
			s++;
		while (*s == ' ')
			s++;
	}
	for (; *s != '\n' && !(s[0] == '\r' && s[1] == '\n'); n++) {
		const char *begin = s;
		uint64_t u = 0;

		if (n == c->width)
			break;
		while ((unsigned)(*s - '0') <= 9)
			u = u * 10 + (unsigned)(*s++ - '0');
		c->cost[n] = (int64_t)u;
		if ((s - begin > 18 || s == begin || (*s != ' ' && *s != '\n' && *s != '\r')) &&
		    (s = read_odd_field(c, begin, &c->cost[n])) == NULL)
			break;
		while (*s == ' ')
			s++;
	}
	if (s != NULL && (*s == '\n' || *s == '\r')) {
		*end = s + (*s == '\r');
		return (int)n;
	}
	for (*end = line; **end != '\n';)
		++*end;
	return -1;
}

static bool
add_call(struct costs *c, unsigned n)
{
	int64_t *to = callgraph_call(&c->graph, c->function, c->callee);
	bool complete = true;

	for (unsigned i = 0; i < c->terms; i++) {
		const struct term *t = &c->term[i];
		int64_t cost;

		if (t->cost < n)
			complete &= !__builtin_mul_overflow(c->cost[t->cost], t->factor, &cost) &&
				    !__builtin_add_overflow(to[t->column], cost, &to[t->column]);
	}
	return complete;
}

/* Takes the cost line at s; returns its newline. */
static const char *
read_line_of_costs(struct costs *c, const char *s)
{
	int n = read_costs(c, s, &s);
	bool complete = true;

	if (n < 0 || c->function == NOTHING) {
		malformed(c, c->function == NOTHING ? "costs before the first fn= line"
			     : c->width == 0	    ? "costs before the events: line"
						    : "more costs than events");
	} else if (c->call == CALL_MISSING) {
		malformed(c, NO_CALLS);
	} else if (c->call == SELF_COST) {
		for (int i = 0; i < n; i++) {
			int64_t *self = &c->self[c->of[i]][c->function];

			complete &= !__builtin_add_overflow(*self, c->cost[i], self);
		}
	} else if (n > 0 && c->callee != NOTHING) {
		complete = add_call(c, (unsigned)n);
	}
	c->call = SELF_COST;
	if (!complete)
		costs_die_large(c);
	return s;
}

/* Reads the callee. Its object and file precede its name if they differ from the caller's. */
static void
read_callee(struct costs *c, struct str s)
{
	uint32_t source = c->callee_source != NOTHING ? c->callee_source : c->source;
	uint32_t object = c->callee_object != NOTHING ? c->callee_object : c->object;

	c->callee = function(c, nametable_read(&c->names[FUNCTION], s), source, object);
	c->callee_source = c->callee_object = NOTHING;
}

static void
read_total(struct costs *c, struct str s)
{
	for (unsigned i = 0; scan_blanks(&s), i < c->width && s.len > 0; i++) {
		struct str field = scan_until(&s, ' ');
		int64_t n;

		if (read_odd(field, &n))
			c->total[c->of[i]] += n;
	}
	c->has_total = true;
}

/* Reads a header line, which occurs once per part. */
static void
read_header(struct costs *c, struct str s)
{
	static const char *const known[] = {"creator:", "pid:", "cmd:", "part:", "desc:", "thread:",
	    "summary:", "rcalls=", "frfn=", "jump=", "jcnd=", "include:", "target:"};

	if (scan_word(&s, "events:")) {
		costs_events(c, s);
	} else if (scan_word(&s, "version:")) {
		reader_version_text(c->reader, VERSION_CALLGRIND, str_trim(s));
	} else if (scan_word(&s, "event:")) {
		costs_about_event(c, s);
	} else if (scan_word(&s, "positions:")) {
		c->positions = 0;
		for (scan_blanks(&s); s.len > 0; scan_blanks(&s), c->positions++)
			scan_until(&s, ' ');
	} else if (scan_word(&s, "totals:")) {
		read_total(c, s);
	} else if (scan_word(&s, "jfi=")) {
		nametable_read(&c->names[SOURCE], s);
	} else if (scan_word(&s, "jfn=")) {
		nametable_read(&c->names[FUNCTION], s);
	} else {
		for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
			if (str_starts(s, known[i]))
				return;
		/* Writers have headers of their own; other lines of the body are lost costs. */
		if (str_find(s, ":") == s.len || c->function != NOTHING)
			malformed(c, "not a line of callgrind's format");
	}
}

#define WORD(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (d))

/* Reads a line that begins with a letter. */
static void
read_word(struct costs *c, struct str s)
{
	const unsigned char *w =
	    (const unsigned char *)s.s; /* a block is followed by readable bytes */
	uint32_t four = WORD(w[0], w[1], w[2], w[3]);

	if (c->call == CALL_COST)
		malformed(c, "calls= without a line of costs after it");
	if (c->call == CALL_MISSING && w[0] != 'c')
		malformed(c, NO_CALLS);
	if (c->call == CALL_COST || w[0] != 'c')
		c->call = SELF_COST;
	switch (four & 0xffffff00) {
	case WORD('f', 'n', '=', 0):
		c->function = function(
		    c, nametable_read(&c->names[FUNCTION], str_from(s, 3)), c->source, c->object);
		return;
	case WORD('f', 'l', '=', 0):
		c->source = nametable_read(&c->names[SOURCE], str_from(s, 3));
		return;
	case WORD('f', 'i', '=', 0): /* inlined from this file */
	case WORD('f', 'e', '=', 0): nametable_read(&c->names[SOURCE], str_from(s, 3)); return;
	case WORD('o', 'b', '=', 0):
		c->object = nametable_read(&c->names[OBJECT], str_from(s, 3));
		return;
	}
	switch (four) {
	case WORD('c', 'f', 'n', '='):
		read_callee(c, str_from(s, 4));
		c->call = CALL_MISSING;
		return;
	case WORD('c', 'f', 'i', '='):
	case WORD('c', 'f', 'l', '='):
		c->callee_source = nametable_read(&c->names[SOURCE], str_from(s, 4));
		return;
	case WORD('c', 'o', 'b', '='):
		c->callee_object = nametable_read(&c->names[OBJECT], str_from(s, 4));
		return;
	case WORD('c', 'a', 'l', 'l'):
		c->call = CALL_COST;
		if (c->callee == NOTHING)
			malformed(c, "calls= before the first fn= line");
		return;
	}
	read_header(c, str_trim(s));
}

static void
read_input(struct reader *r)
{
	struct costs c = {.reader = r,
	    .positions = 1,
	    .function = NOTHING,
	    .source = NOTHING,
	    .object = NOTHING,
	    .callee = NOTHING,
	    .callee_source = NOTHING,
	    .callee_object = NOTHING};
	const char *at, *newline;
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	costs_start(&c);
	while ((at = reader_at(r)) != NULL) {
		if ((*at >= '0' && *at <= '9') || *at == '+' || *at == '-' || *at == '*') {
			reader_past(r, read_line_of_costs(&c, at));
		} else {
			newline = memchr(at, '\n', (size_t)(r->end - at));
			line = (struct str){at, (size_t)(newline - at)};
			if (newline > at && newline[-1] == '\r')
				line.len--;
			while (line.len > 0 && is_blank(line.s[line.len - 1]))
				line.len--;
			if (line.len > 0 && line.s[0] != '#')
				read_word(&c, line);
			reader_past(r, newline);
		}
	}
	if (c.call != SELF_COST)
		reader_malformed(r, "calls= without a line of costs after it, at the end");
	apportion(&c);
	callgraph_free(&c.graph);
	for (unsigned k = 0; k < KINDS; k++)
		nametable_free(&c.names[k]);
	for (unsigned e = 0; e < c.events; e++)
		free(c.self[e]);
	free(c.place);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const only[] = {
	    "creator:", "positions:", "part:", "cfn=", "calls=", "cob=", "ob=", "cfi=", "cfl="};
	struct str rest = {data, len}, line;
	bool events = false, own = false, function = false;

	if (text_starts(data, len, "# callgrind format"))
		return 100;
	while (scan_line(&rest, &line)) {
		for (size_t i = 0; i < sizeof only / sizeof only[0]; i++)
			own |= str_starts(line, only[i]);
		events |= str_starts(line, "events:");
		function |= str_starts(line, "fn=");
		if (events && own && function)
			return 95;
	}
	return events && own ? 60 : 0;
}

const struct format callgrind_format = {
    .provides = DATA_MODULE | DATA_KIND | DATA_SOURCE | DATA_EVENT | DATA_COSTS,
    .sniff = sniff,
    .read = read_input,
};
