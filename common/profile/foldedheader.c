/*
 * foldedheader: lines of the form `# key: words 0` to columns, units and periods, and back. The
 * zeros, one per value column, make the line a valid stack without weight; other scripts may
 * have removed them or changed them to 0.00.
 */
#include "profile/foldedheader.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

static const char *const keys[] = {
    [FOLDEDHEADER_NONE] = "",
#define HEADER(id, key, summary) [FOLDEDHEADER_##id] = #key,
#include "profile/foldedheaders.def"
#undef HEADER
};

static const char blank[] = " \t\r";

/* Removes the first word of *s; false when there is none. */
static bool
next_word(struct str *s, const char *between, struct str *word)
{
	const char *end = s->s + s->len;

	while (s->s < end && strchr(between, *s->s) != NULL && *s->s != '\0')
		s->s++;
	word->s = s->s;
	while (s->s < end && (*s->s == '\0' || strchr(between, *s->s) == NULL))
		s->s++;
	word->len = (size_t)(s->s - word->s);
	s->len = (size_t)(end - s->s);
	return word->len > 0;
}

static bool
is_number(struct str word)
{
	value v;

	return value_parse(word.s, word.s + word.len, &v) != VALUE_BAD;
}

static bool
is_zero(struct str word)
{
	value v;

	return value_parse(word.s, word.s + word.len, &v) != VALUE_BAD && v == 0;
}

const char *
foldedheader_name(enum foldedheader_key key)
{
	return keys[key];
}

enum foldedheader_key
foldedheader_key(struct str line, struct str *words)
{
	if (!text_starts(line.s, line.len, "# "))
		return FOLDEDHEADER_NONE;
	line.s += 2;
	line.len -= 2;
	for (enum foldedheader_key k = FOLDEDHEADER_NONE + 1; k < FOLDEDHEADER_KEYS; k++) {
		size_t n = strlen(keys[k]);

		if (!text_starts(line.s, line.len, keys[k]) || n == line.len || line.s[n++] != ':')
			continue;
		for (; n < line.len && strchr(blank, line.s[n]) != NULL; n++)
			continue;
		*words = (struct str){line.s + n, line.len - n};
		for (;;) {
			size_t end = words->len, from;

			while (end > 0 && strchr(blank, words->s[end - 1]) != NULL)
				end--;
			for (from = end; from > 0 && strchr(blank, words->s[from - 1]) == NULL;)
				from--;
			words->len = end;
			if (from == end || !is_zero((struct str){words->s + from, end - from}))
				return k;
			words->len = from;
		}
	}
	return FOLDEDHEADER_NONE;
}

bool
folded_columns_parse(struct folded_columns *c, const char *s, size_t len)
{
	struct str words = {s, len}, word;

	*c = (struct folded_columns){0};
	while (next_word(&words, ", \t\r", &word)) {
		if (c->n == CALLTREE_COLUMNS)
			return false;
		c->name[c->n] = str_copy(word);
		for (unsigned i = 0; i < c->n; i++)
			if (strcmp(c->name[i], c->name[c->n]) == 0)
				return false;
		c->n++;
	}
	return c->n > 0;
}

bool
folded_columns_compared(const struct folded_columns *c)
{
	return c->n > 1 && strcmp(c->name[0], "base") == 0 && strcmp(c->name[1], "head") == 0;
}

void
folded_columns_option(struct folded_columns *c, const char *arg)
{
	if (!folded_columns_parse(c, arg, strlen(arg)))
		cli_usage("--columns: bad value '%s' (expected 1 to %d different names)", arg,
		    CALLTREE_COLUMNS);
}

unsigned
folded_columns_find(const struct folded_columns *c, const char *name, const char *input)
{
	struct text known = {0};
	char *end;
	long number = strtol(name, &end, 10);

	for (unsigned i = 0; i < c->n; i++)
		if (c->name[i] != NULL && strcmp(c->name[i], name) == 0)
			return i;
	if (*end == '\0' && number >= 1 && number <= (long)c->n)
		return (unsigned)number - 1;
	for (unsigned i = 0; i < c->n && c->name[i] != NULL; i++)
		text_printf(&known, "%s%s", i == 0 ? ": it has " : ", ", c->name[i]);
	cli_die("%s: no column %s%s", input, name, known.len > 0 ? known.s : "");
}

bool
folded_columns_equal(const struct folded_columns *a, const struct folded_columns *b)
{
	for (unsigned i = 0; i < a->n && i < b->n; i++)
		if (a->name[i] != NULL && b->name[i] != NULL && strcmp(a->name[i], b->name[i]) != 0)
			return false;
	return a->n == b->n;
}

struct folded_columns
folded_columns_pick(const struct folded_columns *c, unsigned column)
{
	return (struct folded_columns){.n = 1,
	    .unit = {c->unit[column]},
	    .period = {c->period[column]},
	    .values = {c->values[column]},
	    .labels = c->labels};
}

void
folded_columns_free(struct folded_columns *c)
{
	for (unsigned i = 0; i < CALLTREE_COLUMNS; i++) {
		free(c->name[i]);
		free(c->unit[i]);
		free(c->period[i].unit);
	}
	free(c->compared);
	free(c->sides);
	free(c->intervals);
	labels_free(c->labels);
	*c = (struct folded_columns){0};
}

void
folded_columns_unit(struct folded_columns *c, unsigned column, const char *unit)
{
	free(c->unit[column]);
	c->unit[column] = cli_strdup(unit);
}

void
folded_columns_period(struct folded_columns *c, unsigned column, value number, const char *unit)
{
	free(c->period[column].unit);
	c->period[column] = (struct folded_period){number, cli_strdup(unit), false};
}

double
folded_sample_weight(const struct folded_columns *c, unsigned column)
{
	const struct folded_period *period = &c->period[column];
	const char *unit = c->unit[column];

	if (unit != NULL && strcmp(unit, FOLDED_SAMPLES) == 0)
		return 1;
	if (unit == NULL || period->mixed || period->unit == NULL ||
	    !unit_is_same(unit, period->unit))
		return 0;
	return value_double(period->number);
}

bool
folded_unit_valid(const char *unit)
{
	for (const char *s = unit; *s != '\0'; s++)
		if ((unsigned char)*s <= ' ' || *s == 0x7f)
			return false;
	return *unit != '\0' && strcmp(unit, "-") != 0 && !is_number(str_of(unit));
}

/*
 * True if two names are of one unit. The shorter one is kept, of equal lengths the first by
 * strcmp, so that the order of files does not matter. It is stored in place, since callers have
 * copies of the pointer.
 */
static bool
join_names(char *unit, const char *other)
{
	size_t len = strlen(unit), its = strlen(other);

	if (!unit_is_same(unit, other))
		return false;
	if (its < len || (its == len && strcmp(other, unit) < 0))
		memcpy(unit, other, its + 1);
	return true;
}

/* Merges a unit; `-` means unknown. */
static bool
join_unit(char **unit, const char *other)
{
	if (other == NULL || strcmp(other, "-") == 0)
		return true;
	if (*unit == NULL)
		*unit = cli_strdup(other);
	return join_names(*unit, other);
}

static void
join_period(struct folded_period *p, const struct folded_period *other)
{
	if (p->mixed || (other->unit == NULL && !other->mixed))
		return;
	if (p->unit == NULL && !other->mixed)
		*p = (struct folded_period){other->number, cli_strdup(other->unit), false};
	else if (other->mixed || p->number != other->number || !join_names(p->unit, other->unit))
		p->mixed = true;
}

/* The index of column c's entry among n; a single entry is for all columns. */
static unsigned
which(unsigned n, unsigned c)
{
	return n == 1 ? 0 : c;
}

enum foldedheader_fit
foldedheader_read_units(struct foldedheader *a, struct str words)
{
	struct str word[CALLTREE_COLUMNS];
	unsigned n = 0;

	for (struct str w; next_word(&words, blank, &w); word[n++] = w)
		if (n == CALLTREE_COLUMNS || is_number(w) || memchr(w.s, '\0', w.len) != NULL)
			return FOLDEDHEADER_INVALID;
	if (n == 0 || (a->nunit > 1 && n > 1 && n != a->nunit))
		return FOLDEDHEADER_INVALID;
	for (; a->nunit < n; a->nunit++)
		if (a->nunit > 0 && a->columns.unit[0] != NULL)
			a->columns.unit[a->nunit] = cli_strdup(a->columns.unit[0]);
	for (unsigned c = 0; c < a->nunit; c++) {
		char *unit = str_copy(word[which(n, c)]);
		bool joined = join_unit(&a->columns.unit[c], unit);

		free(unit);
		if (!joined)
			return FOLDEDHEADER_CONFLICT;
	}
	return FOLDEDHEADER_FITS;
}

/* Removes a period from *words: `1003009 ns`, `-` or `mixed`; false for anything else. */
static bool
read_period(struct str *words, struct folded_period *p)
{
	struct str word, unit;

	*p = (struct folded_period){0};
	if (!next_word(words, blank, &word))
		return false;
	if (str_equal(word, str_of("-")))
		return true;
	p->mixed = str_equal(word, str_of("mixed"));
	if (p->mixed)
		return true;
	if (value_parse(word.s, word.s + word.len, &p->number) == VALUE_BAD || p->number == 0 ||
	    !next_word(words, blank, &unit) || is_number(unit))
		return false;
	p->unit = str_copy(unit);
	return true;
}

enum foldedheader_fit
foldedheader_read_periods(struct foldedheader *a, struct str words)
{
	struct folded_period period[CALLTREE_COLUMNS];
	unsigned n = 0;
	bool good = true;

	for (struct str rest = words, w; good && next_word(&rest, blank, &w); rest = words)
		good = n < CALLTREE_COLUMNS && read_period(&words, &period[n]) && ++n > 0;
	good = good && n > 0 && (a->nperiod <= 1 || n == 1 || n == a->nperiod);
	for (; good && a->nperiod < n; a->nperiod++)
		if (a->nperiod > 0)
			join_period(&a->columns.period[a->nperiod], &a->columns.period[0]);
	for (unsigned c = 0; good && c < a->nperiod; c++)
		join_period(&a->columns.period[c], &period[which(n, c)]);
	for (unsigned i = 0; i < n; i++)
		free(period[i].unit);
	return good ? FOLDEDHEADER_FITS : FOLDEDHEADER_INVALID;
}

enum foldedheader_fit
foldedheader_read_values(struct foldedheader *a, struct str words)
{
	enum folded_values values[CALLTREE_COLUMNS];
	unsigned n = 0;

	for (struct str w; next_word(&words, blank, &w); n++)
		if (n == CALLTREE_COLUMNS || !folded_values_parse(w, &values[n]))
			return FOLDEDHEADER_INVALID;
	if (n == 0 || (a->nvalues > 1 && n > 1 && n != a->nvalues))
		return FOLDEDHEADER_INVALID;
	for (; a->nvalues < n; a->nvalues++)
		if (a->nvalues > 0)
			a->columns.values[a->nvalues] = a->columns.values[0];
	for (unsigned c = 0; c < a->nvalues; c++)
		a->columns.values[c] =
		    folded_values_join(a->columns.values[c], values[which(n, c)]);
	return FOLDEDHEADER_FITS;
}

enum foldedheader_fit
foldedheader_read_labels(struct foldedheader *a, struct str words)
{
	struct labels *l = NULL;
	bool good = words.len > 0 && labels_parse(&l, words);

	if (good)
		labels_join(&a->columns.labels, l);
	labels_free(l);
	return good ? FOLDEDHEADER_FITS : FOLDEDHEADER_INVALID;
}

bool
foldedheader_time(struct str mark, uint64_t *ns)
{
	static const struct {
		const char *unit;
		value ns;
	} units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
	const char *space = mark.len > 0 ? memchr(mark.s, ' ', mark.len) : NULL;
	struct str unit;
	value v;

	if (space == NULL || value_parse(mark.s, space, &v) == VALUE_BAD)
		return false;
	unit = (struct str){space + 1, (size_t)(mark.s + mark.len - space - 1)};
	for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
		if (text_is(unit.s, unit.len, units[i].unit) &&
		    v / VALUE_ONE < INT64_MAX / units[i].ns) {
			*ns = (uint64_t)(v * units[i].ns / VALUE_ONE);
			return true;
		}
	return false;
}

struct labels *
foldedheader_labels(const char *data, size_t len)
{
	const char *end = data + len;
	struct foldedheader a = {0};

	for (const char *newline; (newline = memchr(data, '\n', (size_t)(end - data))) != NULL;
	     data = newline + 1) {
		struct str words;

		if (foldedheader_key((struct str){data, (size_t)(newline - data)}, &words) ==
		    FOLDEDHEADER_LABEL)
			foldedheader_read_labels(&a, words);
	}
	return a.columns.labels;
}

void
foldedheader_free(struct foldedheader *a)
{
	folded_columns_free(&a->columns);
	*a = (struct foldedheader){0};
}

const char *
foldedheader_unit(const struct foldedheader *a, unsigned column)
{
	return a->columns.unit[which(a->nunit, column)];
}

enum foldedheader_fit
foldedheader_join_units(struct folded_columns *c, const struct foldedheader *a)
{
	if (a->nunit > 1 && a->nunit != c->n)
		return FOLDEDHEADER_INVALID;
	for (unsigned i = 0; i < c->n; i++)
		if (!join_unit(&c->unit[i], foldedheader_unit(a, i)))
			return FOLDEDHEADER_CONFLICT;
	return FOLDEDHEADER_FITS;
}

enum foldedheader_fit
foldedheader_join_periods(struct folded_columns *c, const struct foldedheader *a)
{
	if (a->nperiod > 1 && a->nperiod != c->n)
		return FOLDEDHEADER_INVALID;
	for (unsigned i = 0; i < c->n; i++)
		join_period(&c->period[i], &a->columns.period[which(a->nperiod, i)]);
	return FOLDEDHEADER_FITS;
}

void
foldedheader_join_compared(char **compared, struct str words)
{
	if (*compared == NULL) {
		*compared = str_copy(words);
	} else if (!str_equal(words, str_of(*compared))) {
		free(*compared);
		*compared = cli_strdup("merged");
	}
}

bool
foldedheader_uneven(const struct folded_columns *c)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->period[i].mixed && c->unit[i] != NULL &&
		    strcmp(c->unit[i], FOLDED_SAMPLES) == 0)
			return true;
	return false;
}

/* Appends the zeros of n columns. */
static void
end_line(struct text *b, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		text_puts(b, " 0");
	text_char(b, '\n');
}

/*
 * Adds a line with one word for all columns, or one for each, if it has new information. That a
 * known thing became unknown is news of the values only.
 */
static void
add_line(struct text *b, enum foldedheader_key key, unsigned n, const struct text *word,
    const struct text *before)
{
	bool equal = true, news = false;

	for (unsigned c = 0; c < n; c++) {
		equal &= str_equal(text_as_str(&word[c]), text_as_str(&word[0]));
		news |= (key == FOLDEDHEADER_VALUES || !text_is(word[c].s, word[c].len, "-")) &&
			!str_equal(text_as_str(&word[c]), text_as_str(&before[c]));
	}
	if (!news)
		return;
	text_printf(b, "# %s:", keys[key]);
	for (unsigned c = 0; c < (equal ? 1 : n); c++) {
		text_char(b, ' ');
		text_str(b, text_as_str(&word[c]));
	}
	end_line(b, n);
}

static void
unit_words(struct text *word, const struct folded_columns *c, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		text_puts(&word[i], c != NULL && c->unit[i] != NULL ? c->unit[i] : "-");
}

static void
period_words(struct text *word, const struct folded_columns *c, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct folded_period *p = c != NULL ? &c->period[i] : NULL;
		char number[VALUE_CHARS];

		if (p != NULL && p->mixed) {
			text_puts(&word[i], "mixed");
		} else if (p != NULL && p->unit != NULL) {
			value_format(p->number, number);
			text_printf(&word[i], "%s %s", number, p->unit);
		} else {
			text_puts(&word[i], "-");
		}
	}
}

static void
values_words(struct text *word, const struct folded_columns *c, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		text_puts(
		    &word[i], folded_values_word(c != NULL ? c->values[i] : FOLDED_VALUES_UNSET));
}

/* The last name must not look like a number: a comma after it prevents that. */
static void
add_names(struct text *b, const struct folded_columns *c)
{
	text_printf(b, "# %s:", keys[FOLDEDHEADER_COLUMNS]);
	for (unsigned i = 0; i < c->n; i++)
		text_printf(b, " %s", c->name[i]);
	if (is_number(str_of(c->name[c->n - 1])))
		text_char(b, ',');
	end_line(b, c->n);
}

/* Adds the labels that `before` does not have. */
static void
add_labels(
    struct text *b, const struct folded_columns *c, const struct folded_columns *before, unsigned n)
{
	struct text now = {0}, then = {0};

	labels_text(&now, c->labels);
	if (before != NULL)
		labels_text(&then, before->labels);
	if (now.len > 0 && !str_equal(text_as_str(&now), text_as_str(&then))) {
		text_printf(b, "# %s: ", keys[FOLDEDHEADER_LABEL]);
		text_str(b, text_as_str(&now));
		end_line(b, n);
	}
	text_free(&now);
	text_free(&then);
}

void
foldedheader_add(
    struct text *b, const struct folded_columns *c, const struct folded_columns *before)
{
	static void (*const words[])(struct text *, const struct folded_columns *, unsigned) = {
	    unit_words, period_words, values_words};
	static const enum foldedheader_key key[] = {
	    FOLDEDHEADER_UNIT, FOLDEDHEADER_PERIOD, FOLDEDHEADER_VALUES};
	unsigned n = c->n > 1 ? c->n : 1;

	if (c->n > 1 && before == NULL)
		add_names(b, c);
	if (c->compared != NULL && before == NULL) {
		text_printf(b, "# %s: %s", keys[FOLDEDHEADER_COMPARED], c->compared);
		end_line(b, n);
	}
	if (c->sides != NULL && before == NULL) {
		text_printf(b, "# %s: %s", keys[FOLDEDHEADER_SIDES], c->sides);
		end_line(b, n);
	}
	for (const char *line = before == NULL ? c->intervals : NULL;
	     line != NULL && *line != '\0';) {
		const char *end = strchr(line, '\n');

		text_printf(b, "# %s: ", keys[FOLDEDHEADER_INTERVAL]);
		text_add(b, line, end != NULL ? (size_t)(end - line) : strlen(line));
		end_line(b, n);
		line = end != NULL ? end + 1 : NULL;
	}
	for (unsigned k = 0; k < sizeof key / sizeof key[0]; k++) {
		struct text now[CALLTREE_COLUMNS] = {0}, then[CALLTREE_COLUMNS] = {0};

		words[k](now, c, n);
		words[k](then, before, n);
		add_line(b, key[k], n, now, then);
		for (unsigned i = 0; i < n; i++) {
			text_free(&now[i]);
			text_free(&then[i]);
		}
	}
	add_labels(b, c, before, n);
}

void
foldedheader_write(
    struct output *o, const struct folded_columns *c, const struct folded_columns *before)
{
	struct text b = {0};

	foldedheader_add(&b, c, before);
	if (b.len != 0)
		output_write(o, b.s, b.len);
	text_free(&b);
}

enum foldedheader_fit
foldedheader_join_values(
    struct folded_columns *c, const struct foldedheader *a, bool complete, bool scaled)
{
	if (a->nvalues > 1 && a->nvalues != c->n)
		return FOLDEDHEADER_INVALID;
	for (unsigned i = 0; i < c->n; i++) {
		enum folded_values own = a->columns.values[a->nvalues == 1 ? 0 : i];

		if (own == FOLDED_VALUES_UNSET && complete)
			own = FOLDED_UNKNOWN;
		else if (own != FOLDED_VALUES_UNSET && scaled)
			own = folded_values_join(own, FOLDED_ESTIMATED);
		c->values[i] = folded_values_join(c->values[i], own);
	}
	return FOLDEDHEADER_FITS;
}

/*
 * Files of other programs and of older versions have no line. Samples are recognized by unit or
 * period, events of simulators by name. Times are never exact: they vary between runs even if each
 * is measured.
 */
enum folded_values
folded_values_of(const struct folded_columns *c, unsigned column)
{
	const char *unit = c->unit[column], *name = c->name[column];
	enum folded_values values = c->values[column];
	bool weighed = folded_sample_weight(c, column) > 0;

	/* Sampled times and events vary little in weight, bytes and numbers of objects much. */
	if (values == FOLDED_ESTIMATED ||
	    (values == FOLDED_SAMPLED && unit != NULL && unit_bytes(unit) > 0))
		return weighed ? values : FOLDED_UNKNOWN;
	if (values == FOLDED_EXACT || values == FOLDED_SAMPLED)
		return values;
	if (c->compared != NULL && strcmp(c->compared, FOLDED_COMPARED_EXACT) == 0)
		return FOLDED_EXACT;
	/* A plain file has no column name, and base and head none of their own. */
	if (folded_values_simulated(name) ||
	    ((name == NULL || folded_columns_compared(c)) && folded_values_simulated(unit)))
		return FOLDED_EXACT;
	if (unit == NULL || unit_is_time(unit) || weighed)
		return FOLDED_SAMPLED;
	return FOLDED_UNKNOWN;
}
