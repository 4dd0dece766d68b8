/*
 * inputs: compares the headers and totals of base and head.
 */
#include "fg-diff/inputs.h"

#include <string.h>
#include <sys/stat.h>

#include "base/cli.h"
#include "base/source.h"
#include "fg-diff/commonroots.h"
#include "profile/unit.h"

#define SMALL (1 << 20) /* bytes */

bool
inputs_piped(char *const *path, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (source_is_once(path[i]))
			return true;
	return false;
}

bool
inputs_small(char *const *path, size_t n)
{
	struct stat st;
	off_t bytes = 0;

	for (size_t i = 0; i < n && bytes < SMALL; i++) {
		if (stat(path[i], &st) != 0 || !S_ISREG(st.st_mode))
			return false;
		bytes += st.st_size;
	}
	return bytes < SMALL;
}

void
inputs_check_units(const struct side *base, const struct side *head, bool shares)
{
	const struct folded_columns *b = &base->folded.columns, *h = &head->folded.columns;
	const char *unit[] = {b->unit[base->picked], h->unit[head->picked]};
	const struct folded_period *from = &b->period[base->picked], *to = &h->period[head->picked];

	if (unit[0] == NULL || unit[1] == NULL)
		return;
	if (!unit_is_same(unit[0], unit[1]))
		cli_die("base is in %s and head in %s", unit[0], unit[1]);
	if (shares || strcmp(unit[0], FOLDED_SAMPLES) != 0 || from->unit == NULL ||
	    to->unit == NULL || !unit_is_same(from->unit, to->unit) || from->number == to->number)
		return;
	cli_die("base and head count samples of different periods (%g and %g %s): %s",
	    value_double(from->number), value_double(to->number), from->unit,
	    unit_is_memory(from->unit)
		? "record both with one period; shares (-n) would hide growth"
		: "compare shares (-n), or record with --weight period");
}

/* Warns about modules whose functions have names on one side only. */
static void
check_unread(const struct side *side, const struct side *other)
{
	const struct label *l = labels_find(side->folded.columns.labels, LABEL_UNREAD);

	for (unsigned i = 0; l != NULL && i < l->n; i++)
		if (!labels_has(other->folded.columns.labels, LABEL_UNREAD, l->value[i]))
			cli_warn("functions of %s have names on one side only, since fg-record "
				 "could not read its symbols on the other (label unread); do not "
				 "trust their changes",
			    l->value[i]);
}

/* Warns if the headers show a cause of change other than the code. */
static void
check_labels(const struct side *base, const struct side *head)
{
	static const char *const reason[] = {
	    "compiler", "flags", "cflags", "options", "build", "host", "cpu"};

	for (size_t i = 0; i < sizeof reason / sizeof reason[0]; i++) {
		const struct label *b = labels_find(base->folded.columns.labels, reason[i]);
		const struct label *h = labels_find(head->folded.columns.labels, reason[i]);
		struct text values[2] = {{0}, {0}};

		if (b == NULL || h == NULL)
			continue;
		labels_values(&values[0], b);
		labels_values(&values[1], h);
		if (!str_equal(text_as_str(&values[0]), text_as_str(&values[1])))
			cli_warn(
			    "base and head have different labels %s: %.100s and %.100s; a change may "
			    "come from that",
			    reason[i], values[0].s, values[1].s);
		text_free(&values[0]);
		text_free(&values[1]);
	}
}

void
inputs_check(struct side *base, struct side *head, bool shares)
{
	struct folded both = base->folded;
	const struct folded_columns *b = &base->folded.columns, *h = &head->folded.columns;
	double before = value_double(base->profile_total),
	       after = value_double(head->profile_total);

	both.lines += head->folded.lines;
	both.malformed += head->folded.malformed;
	folded_finish(&both, NULL);
	if (base->folded.lines != 0 && head->folded.lines != 0) {
		bool same = b->n == h->n;

		for (unsigned i = 0; same && i < b->n; i++)
			same = (b->name[i] == NULL) == (h->name[i] == NULL) &&
			       (b->name[i] == NULL || strcmp(b->name[i], h->name[i]) == 0);
		if (!same)
			cli_die("base and head have different columns");
	}
	if (base->column == NULL && (b->n > 1 || h->n > 1))
		cli_note("comparing column %s of several (see --column)",
		    b->n > 1 ? b->name[0] : h->name[0]);
	inputs_check_units(base, head, shares);
	check_labels(base, head);
	check_unread(base, head);
	check_unread(head, base);
	commonroots_check(base, head);
	before /= base->runs;
	after /= head->runs;
	if (before > 0 && after > 0 && (before > 1000 * after || after > 1000 * before))
		cli_warn(
		    "the profile totals differ by a factor of more than 1000: %g and %g; check that "
		    "the units are equal",
		    before, after);
}
