/*
 * where: a recursive descent parser, which produces a postfix program over tests. A test of a
 * chain a > b >> c has two bit sets for each frame: the prefixes of the chain that end exactly
 * there, and those that end there or at a caller.
 */
#include "fg-filter/where.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/pattern.h"
#include "base/vec.h"
#include "fg-filter/match.h"
#include "fg-filter/namememo.h"
#include "fg-filter/sums.h"
#include "names/frame.h"

#define CHAIN_MAX 32u /* patterns of one chain: one bit of a state each */
#define NESTING_MAX 100

enum test { CHAIN, LEAF, ROOT, DEPTH, LABEL, VALUE, SELF, TOTAL };
enum { AND = -1, OR = -2, NOT = -3 }; /* operators in a program; other numbers are tests */
enum compare { BELOW, UP_TO, ABOVE, FROM, EQUAL, OTHER_THAN };

struct where_pattern {
	enum where_kind kind;
	struct pattern pattern;
	char *text;
};

struct where_test {
	enum test test;
	unsigned first, n; /* its patterns: index of the first, and how many */
	uint32_t direct; /* bit k: the frame of pattern k - 1 directly calls that of pattern k */
	enum compare compare;
	value number; /* of DEPTH, VALUE, SELF and TOTAL */
	bool percent; /* of the sum of all stacks */
	char *key, *value; /* of LABEL; owned */
	bool labelled; /* the current file has that label */
};

/* The patterns that match a name, in a namememo. */
struct matched {
	bool any; /* a pattern matches */
	uint8_t hit[]; /* by pattern */
};

struct where {
	struct namememo memo; /* of where_step: struct matched */
	struct where_pattern *pattern;
	struct where_test *test;
	int *program;
	unsigned npattern, ntest, nprogram;
	size_t cappattern, captest, capprogram;
	/* Used while parsing: */
	const char *text, *at;
	unsigned nesting;
};

struct bits {
	uint32_t exact, ever;
};

struct state {
	uint32_t depth;
	struct bits bits[];
};

static void
fail(const struct where *w, const char *expected)
{
	cli_usage("--where '%s': character %zu: expected %s", w->text,
	    (size_t)(w->at - w->text) + 1, expected);
}

static void
pass_blanks(struct where *w)
{
	while (isspace((unsigned char)*w->at))
		w->at++;
}

/* True if a punctuation operator is next, which is consumed. */
static bool
take(struct where *w, const char *what)
{
	size_t n = strlen(what);

	pass_blanks(w);
	if (strncmp(w->at, what, n) != 0)
		return false;
	w->at += n;
	return true;
}

static size_t
word_length(const char *s)
{
	return strcspn(s, " \t\r\n()<>=!\"'");
}

/* True if a keyword is next as a complete word, which is consumed. */
static bool
scan_word(struct where *w, const char *what)
{
	pass_blanks(w);
	if (word_length(w->at) != strlen(what) || strncmp(w->at, what, strlen(what)) != 0)
		return false;
	w->at += strlen(what);
	return true;
}

/* True for a word that is a pattern only if quoted. */
static bool
is_keyword(const char *s, size_t len)
{
	return text_is(s, len, "and") || text_is(s, len, "or") || text_is(s, len, "not");
}

static void
emit(struct where *w, int op)
{
	vec_fit(w->program, w->capprogram, (size_t)w->nprogram + 1);
	w->program[w->nprogram++] = op;
}

static struct where_test *
add_test(struct where *w, enum test test)
{
	emit(w, (int)w->ntest);
	vec_fit(w->test, w->captest, (size_t)w->ntest + 1);
	w->test[w->ntest] = (struct where_test){.test = test, .first = w->npattern};
	return &w->test[w->ntest++];
}

/* Adds a pattern; owns text from now on. */
static void
add_pattern(struct where *w, enum where_kind kind, char *text)
{
	vec_fit(w->pattern, w->cappattern, (size_t)w->npattern + 1);
	w->pattern[w->npattern++] =
	    (struct where_pattern){.kind = kind, .pattern.text = text, .text = text};
	w->test[w->ntest - 1].n++;
}

/* Parses a word or a text in quotes. The caller frees it. */
static char *
parse_text(struct where *w, const char *expected)
{
	char quote, *text, *to;

	pass_blanks(w);
	quote = *w->at;
	if (quote == '/' || quote == '"' || quote == '\'') {
		to = text = cli_alloc(strlen(w->at) + 1, 1);
		for (w->at++; *w->at != quote; w->at++) {
			if (*w->at == '\0')
				fail(w, "the closing quote");
			if (*w->at == '\\' && w->at[1] == quote)
				w->at++;
			*to++ = *w->at;
		}
		w->at++;
	} else {
		size_t n = word_length(w->at);

		if (n == 0 || is_keyword(w->at, n))
			fail(w, expected);
		text = cli_alloc(n + 1, 1);
		memcpy(text, w->at, n);
		w->at += n;
	}
	return text;
}

static void
parse_pattern(struct where *w, enum where_kind kind)
{
	add_pattern(w, kind, parse_text(w, "a pattern"));
}

/* True if label:KEY=VALUE is next; label::f is the name of a function. */
static bool
at_label(struct where *w)
{
	pass_blanks(w);
	return strncmp(w->at, "label:", 6) == 0 && w->at[6] != ':';
}

static void
parse_label(struct where *w)
{
	struct where_test *t = add_test(w, LABEL);

	w->at += strlen("label:");
	t->key = parse_text(w, "the key of a label");
	if (!take(w, "="))
		fail(w, "= and the value of the label");
	t->value = parse_text(w, "the value of the label");
}

/* Parses a comparison with a number; false if there is none, then nothing is consumed. */
static bool
parse_comparison(struct where *w, struct where_test *t)
{
	static const struct {
		const char *sign;
		enum compare compare;
	} signs[] = {{"<=", UP_TO}, {"<", BELOW}, {">=", FROM}, {">", ABOVE}, {"!=", OTHER_THAN},
	    {"==", EQUAL}, {"=", EQUAL}};
	const char *start = w->at, *end;
	size_t i = 0;

	while (i < sizeof signs / sizeof signs[0] && !take(w, signs[i].sign))
		i++;
	pass_blanks(w);
	end = w->at + word_length(w->at);
	t->percent = end > w->at && end[-1] == '%';
	if (i == sizeof signs / sizeof signs[0] ||
	    value_parse(w->at, end - t->percent, &t->number) == VALUE_BAD) {
		w->at = start;
		return false;
	}
	w->at = end;
	t->compare = signs[i].compare;
	return true;
}

static void
parse_depth(struct where *w)
{
	struct where_test *t = add_test(w, DEPTH);

	if (!parse_comparison(w, t) || t->percent)
		fail(w, "< <= > >= = or != and a number");
}

/*
 * Parses `value > 5` and the like. A word that no number follows is the name of a frame, as in
 * value > parse; false then.
 */
static bool
parse_value(struct where *w)
{
	static const struct {
		const char *word;
		enum test test;
	} words[] = {{"value", VALUE}, {"self", SELF}, {"total", TOTAL}};
	struct where_test t = {0};
	const char *start = w->at;

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		struct where_test *added;

		if (!scan_word(w, words[i].word))
			continue;
		if (!parse_comparison(w, &t)) {
			pass_blanks(w);
			if (*w->at == '<' || *w->at == '=' || strncmp(w->at, "!=", 2) == 0 ||
			    strncmp(w->at, ">=", 2) == 0)
				fail(w, "a number after the comparison");
			w->at = start;
			return false;
		}
		added = add_test(w, words[i].test);
		added->compare = t.compare;
		added->number = t.number;
		added->percent = t.percent;
		return true;
	}
	return false;
}

static void
parse_chain(struct where *w)
{
	struct where_test *t = add_test(w, CHAIN);

	parse_pattern(w, WHERE_FRAME);
	for (;;) {
		bool above = take(w, ">>");

		if (!above && !take(w, ">"))
			return;
		if (t->n == CHAIN_MAX)
			fail(w, "at most 32 patterns in a chain");
		if (!above)
			t->direct |= UINT32_C(1) << t->n;
		parse_pattern(w, WHERE_FRAME);
	}
}

/* Fails after a test, with the intended spelling. */
static void
fail_next(const struct where *w, const char *expected)
{
	static const struct {
		const char *text, *expected;
	} known[] = {{"&", "\"and\" instead of &: write and"},
	    {"|", "\"or\" instead of |: write or"}, {"AND", "and in small letters: write and"},
	    {"OR", "or in small letters: write or"}};
	static const char *const numbers[] = {"self", "value", "total"};
	const char *before = w->at;

	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strncmp(w->at, known[i].text, strlen(known[i].text)) == 0)
			fail(w, known[i].expected);
	if (strchr("<>()=!\"'", *w->at) != NULL)
		fail(w, "and, or or the end: quote a name with one of < > ( ) = ! as \"a<b>\"");
	while (before > w->text && isspace((unsigned char)before[-1]))
		before--;
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		size_t n = strlen(numbers[i]);

		if ((size_t)(before - w->text) >= n && memcmp(before - n, numbers[i], n) == 0)
			fail(w, "a comparison, as in self > 1%; a last frame is leaf NAME");
	}
	fail(w, expected);
}

static void parse_or(struct where *w);

static void
parse_not(struct where *w)
{
	if (++w->nesting > NESTING_MAX)
		fail(w, "less nesting");
	if (scan_word(w, "not") || take(w, "!")) {
		parse_not(w);
		emit(w, NOT);
	} else if (take(w, "(")) {
		parse_or(w);
		if (!take(w, ")"))
			fail_next(w, "and, or or )");
	} else if (scan_word(w, "leaf")) {
		add_test(w, LEAF);
		parse_pattern(w, WHERE_FRAME);
	} else if (scan_word(w, "root")) {
		add_test(w, ROOT);
		parse_pattern(w, WHERE_FRAME);
	} else if (scan_word(w, "module")) {
		add_test(w, CHAIN);
		parse_pattern(w, WHERE_MODULE);
	} else if (scan_word(w, "depth")) {
		parse_depth(w);
	} else if (at_label(w)) {
		parse_label(w);
	} else if (!parse_value(w)) {
		parse_chain(w);
	}
	w->nesting--;
}

static void
parse_and(struct where *w)
{
	parse_not(w);
	while (scan_word(w, "and")) {
		parse_not(w);
		emit(w, AND);
	}
}

static void
parse_or(struct where *w)
{
	parse_and(w);
	while (scan_word(w, "or")) {
		parse_and(w);
		emit(w, OR);
	}
}

struct where *
where_parse(const char *text)
{
	struct where *w = cli_alloc(1, sizeof *w);

	w->text = w->at = text;
	parse_or(w);
	pass_blanks(w);
	if (*w->at != '\0')
		fail_next(w, "and, or or the end; quote a name with blanks");
	return w;
}

struct where *
where_frame(enum where_kind kind, const char *pattern, bool drop)
{
	struct where *w = cli_alloc(1, sizeof *w);

	add_test(w, CHAIN);
	add_pattern(w, kind, cli_strdup(pattern));
	if (drop)
		emit(w, NOT);
	return w;
}

void
where_compile(struct where *w, const char *option, bool fixed, bool ignore_case)
{
	w->memo.size = sizeof(struct matched) + w->npattern;
	for (unsigned i = 0; i < w->npattern; i++) {
		struct pattern *p = &w->pattern[i].pattern;

		if (w->pattern[i].kind == WHERE_KERNEL)
			continue;
		p->fixed = fixed;
		p->ignore_case = ignore_case;
		pattern_compile(p, option);
	}
}

void
where_free(struct where *w)
{
	if (w == NULL)
		return;
	for (unsigned i = 0; i < w->npattern; i++) {
		if (w->pattern[i].kind != WHERE_KERNEL)
			pattern_free(&w->pattern[i].pattern);
		free(w->pattern[i].text);
	}
	for (unsigned i = 0; i < w->ntest; i++) {
		free(w->test[i].key);
		free(w->test[i].value);
	}
	namememo_free(&w->memo, NULL);
	free(w->pattern);
	free(w->test);
	free(w->program);
	free(w);
}

bool
where_by_label(const struct where *w)
{
	for (unsigned i = 0; i < w->ntest; i++)
		if (w->test[i].test == LABEL)
			return true;
	return false;
}

void
where_labels(struct where *w, const struct labels *labels)
{
	for (unsigned i = 0; i < w->ntest; i++)
		if (w->test[i].test == LABEL)
			w->test[i].labelled = labels_has(labels, w->test[i].key, w->test[i].value);
}

size_t
where_size(const struct where *w)
{
	return sizeof(struct state) + w->ntest * sizeof(struct bits);
}

static bool
hits(const struct where_pattern *p, const char *frame, size_t len)
{
	size_t n;
	const char *module;

	switch (p->kind) {
	case WHERE_FRAME: return match_name(&p->pattern, frame, len);
	case WHERE_KERNEL: return frame_annotated(frame, len, 'k');
	case WHERE_MODULE: break;
	}
	module = frame_module(frame, len, &n);
	return module != NULL && match_name(&p->pattern, module, n);
}

static bool
compared(enum compare compare, value is, value number)
{
	switch (compare) {
	case BELOW: return is < number;
	case UP_TO: return is <= number;
	case ABOVE: return is > number;
	case FROM: return is >= number;
	case EQUAL: return is == number;
	case OTHER_THAN: break;
	}
	return is != number;
}

/*
 * Computes the state after a frame whose caller has the state `above`; hit[pattern * stride] is
 * true if the frame matches.
 */
static void
step(const struct where *w, const struct state *above, const uint8_t *hit, size_t stride,
    struct state *s)
{
	s->depth = above->depth + 1;
	for (unsigned i = 0; i < w->ntest; i++) {
		const struct where_test *t = &w->test[i];
		struct bits before = above->bits[i], now = {0};

		for (unsigned k = 0; k < t->n; k++) {
			uint32_t ahead = t->direct >> k & 1 ? before.exact : before.ever;

			if (hit[(t->first + k) * stride] && (k == 0 || (ahead >> (k - 1) & 1)))
				now.exact |= UINT32_C(1) << k;
		}
		now.ever = before.ever | now.exact;
		if (t->test == ROOT && s->depth > 1)
			now = before;
		s->bits[i] = now;
	}
}

void
where_step_none(const struct where *w, const void *above, void *state)
{
	const struct state *from = above;
	struct state *s = state;

	s->depth = from->depth + 1;
	for (unsigned i = 0; i < w->ntest; i++) {
		s->bits[i] = from->bits[i];
		if (w->test[i].test != ROOT || s->depth == 1)
			s->bits[i].exact = 0;
	}
}

/* True if any pattern matches. */
static bool
match_all(const struct where *w, const char *frame, size_t len, uint8_t *hit)
{
	bool any = false;

	for (unsigned i = 0; i < w->npattern; i++)
		any |= hit[i] = hits(&w->pattern[i], frame, len);
	return any;
}

void
where_step(struct where *w, const void *above, const char *frame, size_t len, void *state)
{
	struct matched *m;
	uint8_t *all;
	bool known;

	m = namememo_find(&w->memo, (struct str){frame, len}, &known);
	if (m == NULL) {
		all = cli_alloc(w->npattern + 1, 1);
		match_all(w, frame, len, all);
		step(w, above, all, 1, state);
		free(all);
		return;
	}
	if (!known)
		m->any = match_all(w, frame, len, m->hit);
	if (m->any)
		step(w, above, m->hit, 1, state);
	else
		where_step_none(w, above, state);
}

bool
where_by_words(const struct where *w, size_t *reach)
{
	for (unsigned i = 0; i < w->ntest; i++)
		if (w->test[i].test != CHAIN && w->test[i].test != LEAF && w->test[i].test != LABEL)
			return false;
	for (unsigned i = 0; i < w->npattern; i++) {
		const struct where_pattern *p = &w->pattern[i];
		const char *word = p->kind == WHERE_KERNEL ? NULL : pattern_word(&p->pattern);

		/* Where annotations are left out for match_name, a blank may follow. */
		if (word == NULL || *word == '\0' || strchr(word, ' ') != NULL)
			return false;
		if (strlen(word) > *reach)
			*reach = strlen(word);
	}
	return true;
}

bool
where_none(const struct where *w, const char *s, size_t len)
{
	for (unsigned i = 0; i < w->npattern; i++) {
		const char *word = pattern_word(&w->pattern[i].pattern);

		if (chars_has(s, len, word, strlen(word)))
			return false;
	}
	return true;
}

static bool
test_true(const struct where_test *t, const struct state *s, struct bits b)
{
	switch (t->test) {
	case CHAIN: return b.ever >> (t->n - 1) & 1;
	case LEAF:
	case ROOT: return b.exact & 1;
	case VALUE:
	case SELF:
	case TOTAL: return b.exact & 1; /* set by judge_values */
	case DEPTH: return compared(t->compare, (value)s->depth * VALUE_ONE, t->number);
	case LABEL: break;
	}
	return t->labelled;
}

/* True for one test, or its opposite. */
static bool
is_single(const struct where *w)
{
	return w->ntest == 1 && (w->nprogram == 1 || (w->nprogram == 2 && w->program[1] == NOT));
}

/* Runs the program on a state. */
static bool
run(const struct where *w, const struct state *s)
{
	bool few[64] = {false}, *stack = w->nprogram > sizeof few ? cli_alloc(w->nprogram, 1) : few,
	     is;
	unsigned n = 0;

	for (unsigned i = 0; i < w->nprogram; i++) {
		int op = w->program[i];

		if (op >= 0) {
			stack[n++] = test_true(&w->test[op], s, s->bits[op]);
		} else if (op == NOT) {
			stack[n - 1] = !stack[n - 1];
		} else {
			n--;
			if (op == AND)
				stack[n - 1] &= stack[n];
			else
				stack[n - 1] |= stack[n];
		}
	}
	is = stack[0];
	if (stack != few)
		free(stack);
	return is;
}

bool
where_true(const struct where *w, const void *state)
{
	const struct state *s = state;

	if (is_single(w))
		return test_true(&w->test[0], s, s->bits[0]) == (w->nprogram == 1);
	return run(w, s);
}

/* True if only one pattern is searched for in whole stacks, as with --keep RE and --drop RE. */
static bool
is_search(const struct where *w)
{
	return is_single(w) && w->test[0].test == CHAIN && w->test[0].n == 1;
}

/* Sets kept[i] for the stacks of an expression that is a search. */
static void
search_nodes(const struct where *w, const struct calltree *t, const uint8_t *hit, uint8_t *kept)
{
	uint8_t *found = cli_alloc(t->nnode, 1), wanted = w->nprogram == 1;

	for (uint32_t i = 1; i < t->nnode; i++) {
		found[i] = found[t->node[i].parent] | hit[t->node[i].name];
		kept[i] = found[i] == wanted && calltree_is_stack(t, i);
	}
	free(found);
}

/* Sums of the stacks of a tree. */
struct sums {
	value all, *self, *total; /* self and total: by name */
};

static struct sums
sum_stacks(const struct calltree *t)
{
	struct sums sums = {.self = cli_alloc(t->nname, sizeof *sums.self)};

	for (uint32_t i = 1; i < t->nnode; i++)
		sums.self[t->node[i].name] =
		    value_sum(sums.self[t->node[i].name], stack_value(t, i));
	sums.total = function_totals(t, &sums.all);
	return sums;
}

/* Sets the tests of values for a stack. */
static void
judge_values(const struct where *w, const struct calltree *t, uint32_t node,
    const struct sums *sums, struct state *s)
{
	for (unsigned i = 0; i < w->ntest; i++) {
		const struct where_test *test = &w->test[i];
		uint32_t name = t->node[node].name;
		value limit = test->percent ? percent_of(test->number, sums->all) : test->number,
		      is;

		switch (test->test) {
		case VALUE: is = stack_value(t, node); break;
		case SELF: is = sums->self[name]; break;
		case TOTAL: is = sums->total[name]; break;
		default: continue;
		}
		s->bits[i].exact = compared(test->compare, is, limit);
	}
}

bool
where_by_value(const struct where *w)
{
	for (unsigned i = 0; i < w->ntest; i++)
		if (w->test[i].test >= VALUE)
			return true;
	return false;
}

uint8_t *
where_nodes(const struct where *w, const struct calltree *t)
{
	size_t size = where_size(w);
	bool by_value = where_by_value(w);
	struct sums sums = {0};
	char *states;
	uint8_t *hit = cli_alloc((size_t)w->npattern + 1, t->nname), *kept = cli_alloc(t->nnode, 1);

	for (unsigned p = 0; p < w->npattern; p++)
		for (uint32_t i = 1; i < t->nname; i++)
			hit[(size_t)p * t->nname + i] =
			    hits(&w->pattern[p], t->name[i].s, t->name[i].len);
	if (is_search(w)) {
		search_nodes(w, t, hit + (size_t)w->test[0].first * t->nname, kept);
		free(hit);
		return kept;
	}
	states = cli_alloc(t->nnode, size);
	if (by_value)
		sums = sum_stacks(t);
	for (uint32_t i = 1; i < t->nnode; i++) {
		struct state *s = (struct state *)(void *)(states + i * size);

		step(w, (const struct state *)(void *)(states + t->node[i].parent * size),
		    hit + t->node[i].name, t->nname, s);
		if (by_value && calltree_is_stack(t, i))
			judge_values(w, t, i, &sums, s);
		kept[i] = calltree_is_stack(t, i) && where_true(w, s);
	}
	free(sums.self);
	free(sums.total);
	free(hit);
	free(states);
	return kept;
}
