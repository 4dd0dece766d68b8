/*
 * report: a comparison goes in, text, tab separated values or a Markdown table come out.
 */
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

static const char *const by_name[] = {"function", "module", "stack", "stack"};

/* A number with its thousands apart, and decimals only where they matter. */
static const char *
number(char out[64], double x, bool plus)
{
	char digits[64], *o = out;
	double a = fabs(x);
	int n, whole;

	n = snprintf(digits, sizeof digits, "%.*f",
	    a == floor(a) || a >= 1000 ? 0
	    : a >= 10		       ? 1
				       : 3,
	    a);
	whole = (int)strcspn(digits, ".");
	if (x < 0 || plus)
		*o++ = x < 0 ? '-' : x > 0 ? '+' : ' ';
	if (n > 40)
		snprintf(o, 24, "%.6g", a);
	else {
		for (int i = 0; i < n; i++) {
			if (i > 0 && i < whole && (whole - i) % 3 == 0)
				*o++ = ',';
			*o++ = digits[i];
		}
		*o = '\0';
	}
	return out;
}

static const char *
percent(char out[64], double part, double whole, const char *of_nothing)
{
	if (whole > 0)
		snprintf(out, 64, "%+.2f %%", 100 * part / whole);
	else
		snprintf(out, 64, "%s", part == 0 ? "" : of_nothing);
	return out;
}

/* As a share of base: added and removed code have a word instead. */
static const char *
relative(char out[64], const struct change *c)
{
	if (c->head == 0 && c->base > 0)
		return "removed";
	return percent(out, c->head - c->base, c->base, "added");
}

static const char *
verdict(const struct change *c)
{
	static const char *const word[] = {"small", "noise", "real"};

	return word[c->verdict];
}

/* What increase could have been told from noise, as a share of `base`. */
static const char *
limit(char out[64], double increase, double base)
{
	if (isinf(increase) || base <= 0)
		return "";
	increase *= 100 / base;
	snprintf(out, 64, "%.*f %%",
	    increase < 0.1   ? 3
	    : increase < 10  ? 2
	    : increase < 100 ? 1
			     : 0,
	    increase);
	return out;
}

void
report_name(FILE *f, const struct calltree_name *name)
{
	for (uint32_t i = 0; i < name->len; i++)
		putc((unsigned char)name->s[i] < ' ' || name->s[i] == 0x7f ? ' ' : name->s[i], f);
}

static void
noise_line(FILE *f, const struct comparison *c)
{
	const struct noise *n = &c->noise;
	char a[64];

	switch (n->kind) {
	case NOISE_NONE:
		fprintf(f, "Noise: none, the values are exact and every change is real.\n");
		return;
	case NOISE_COUNTS:
		fprintf(f, "Noise: sampling, %s",
		    n->shares ? "shares of the wholes" : "counts of equal work");
		if (n->nbase + n->nhead == 2)
			fprintf(f, ".\nHow much one run differs from the next cannot be seen from "
				   "one run");
		break;
	default:
		fprintf(f, "Noise: between runs, %u and %u%s", n->nbase, n->nhead,
		    n->shares ? ", shares of the wholes" : "");
	}
	fprintf(f, ".\nConfidence %g %%; one sample weighs %s%s.\n", 100 * n->confidence,
	    number(a, n->period, false),
	    c->period_source == PERIOD_MEDIAN ? " (guessed from the median stack: --period says it)"
					      : "");
}

/* What these inputs could have shown, for functions of a few sizes. */
static void
limit_line(FILE *f, const struct comparison *c)
{
	static const int share[] = {20, 5, 1};
	char a[64];

	fprintf(f, "Smallest change that could have been seen:");
	if (c->noise.kind == NOISE_NONE) {
		fprintf(f, " any.\n");
		return;
	}
	if (!c->noise.shares && !isinf(c->whole_limit) && c->whole.base > 0)
		fprintf(f, " %s of the whole;", limit(a, c->whole_limit, c->whole.base));
	putc('\n', f);
	for (size_t i = 0; i < sizeof share / sizeof share[0]; i++) {
		double base = c->whole.base * share[i] / 100;
		const char *text = limit(a, noise_limit_at(&c->noise, base, c->tested), base);

		if (i == 0)
			fprintf(f, "of a %s with %d %% of the whole %s", by_name[c->by], share[i],
			    *text ? text : "nothing");
		else
			fprintf(f, ", with %d %% %s", share[i], *text ? text : "nothing");
	}
	fprintf(f, ".\n");
}

static const struct change *
pick(const struct row *row, bool total)
{
	return total ? &row->total : &row->self;
}

/* How many rows are worth a line: those with a change, the first `top` of them. */
static size_t
rows_shown(const struct comparison *c, bool total, size_t top)
{
	size_t n = 0;

	while (n < c->n && (top == 0 || n < top) &&
	       pick(&c->row[n], total)->base != pick(&c->row[n], total)->head)
		n++;
	return n;
}

static void
text_rows(FILE *f, struct comparison *c, bool total, size_t top)
{
	char a[6][64];
	int w = (int)strlen(number(a[0], fmax(c->whole.base, c->whole.head), false));
	size_t n;

	if (w < 6)
		w = 6;
	compare_sort(c, total);
	n = rows_shown(c, total, top);
	fprintf(f, "\n%s%s\n",
	    c->by == BY_STACK ? "Stacks"
	    : total	      ? "Total"
			      : "Self",
	    n == 0 ? ": nothing changed" : "");
	if (n > 0)
		fprintf(f, "%*s %*s %*s %10s %9s %-5s %8s  %s\n", w, "base", w, "head", w + 1,
		    "change", "change %", "of whole", "noise", "visible", by_name[c->by]);
	for (size_t i = 0; i < n; i++) {
		const struct change *x = pick(&c->row[i], total);

		fprintf(f, "%*s %*s %*s %10s %9s %-5s %8s  ", w, number(a[0], x->base, false), w,
		    number(a[1], x->head, false), w + 1, number(a[2], x->head - x->base, true),
		    relative(a[3], x), percent(a[4], x->head - x->base, c->whole.base, ""),
		    verdict(x), limit(a[5], noise_limit(&c->noise, x), x->base));
		report_name(f, c->row[i].name);
		putc('\n', f);
	}
}

static const char *
whole_verdict(const struct comparison *c)
{
	if (c->noise.shares)
		return "compared as shares";
	return c->whole.base == c->whole.head	  ? "no change"
	       : c->whole.verdict == VERDICT_REAL ? "beyond noise"
						  : "within noise";
}

static void
text_report(FILE *f, struct comparison *c, size_t top)
{
	char a[4][64];

	fprintf(f, "Whole: %s before, %s after, %s (%s), %s.\n", number(a[0], c->whole.base, false),
	    number(a[1], c->whole.head, false), number(a[2], c->whole.head - c->whole.base, true),
	    relative(a[3], &c->whole), whole_verdict(c));
	noise_line(f, c);
	limit_line(f, c);
	text_rows(f, c, false, top);
	if (c->by != BY_STACK)
		text_rows(f, c, true, top);
}

/* A number that any program reads back, without more digits than it has. */
static void
tsv_number(FILE *f, double x)
{
	if (isinf(x))
		fputs("\t", f);
	else
		fprintf(f, "\t%.15g", x);
}

static void
tsv_row(FILE *f, const struct comparison *c, const char *kind, const struct change *x,
    double smallest, const struct calltree_name *name)
{
	fputs(kind, f);
	tsv_number(f, x->base);
	tsv_number(f, x->head);
	tsv_number(f, x->head - x->base);
	tsv_number(f, x->base > 0 ? 100 * (x->head - x->base) / x->base : INFINITY);
	tsv_number(f, c->whole.base > 0 ? 100 * (x->head - x->base) / c->whole.base : INFINITY);
	fprintf(f, "\t%s\t%.3g", verdict(x), x->p);
	tsv_number(f, smallest);
	putc('\t', f);
	if (name != NULL)
		report_name(f, name);
	putc('\n', f);
}

static void
tsv_report(FILE *f, struct comparison *c)
{
	fprintf(f,
	    "kind\tbase\thead\tchange\tchange_percent\twhole_percent\tverdict\tp\tvisible\t%s\n",
	    by_name[c->by]);
	tsv_row(f, c, "whole", &c->whole, c->whole_limit, NULL);
	for (int total = 0; total < (c->by == BY_STACK ? 1 : 2); total++) {
		compare_sort(c, total);
		for (size_t i = 0; i < c->n; i++) {
			const struct change *x = pick(&c->row[i], total);

			if (x->base > 0 || x->head > 0)
				tsv_row(f, c,
				    c->by == BY_STACK ? "stack"
				    : total	      ? "total"
						      : "self",
				    x, noise_limit(&c->noise, x), c->row[i].name);
		}
	}
}

/* A name as code in a table cell: more backticks around it than it has in a row, bars escaped. */
static void
markdown_name(FILE *f, const struct calltree_name *name)
{
	int run = 0, longest = 0;

	for (uint32_t i = 0; i < name->len; i++) {
		run = name->s[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	for (int i = 0; i <= longest; i++)
		putc('`', f);
	if (longest > 0)
		putc(' ', f);
	for (uint32_t i = 0; i < name->len; i++) {
		if (name->s[i] == '|')
			putc('\\', f);
		putc((unsigned char)name->s[i] < ' ' || name->s[i] == 0x7f ? ' ' : name->s[i], f);
	}
	if (longest > 0)
		putc(' ', f);
	for (int i = 0; i <= longest; i++)
		putc('`', f);
}

static void
markdown_rows(FILE *f, struct comparison *c, bool total, size_t top)
{
	char a[6][64];
	size_t n;

	compare_sort(c, total);
	n = rows_shown(c, total, top);
	if (n == 0) {
		fprintf(f, "\nNothing changed in %s.\n",
		    c->by == BY_STACK ? "stacks"
		    : total	      ? "total"
				      : "self");
		return;
	}
	fprintf(f, "\n| %s (%s) | base | head | change | change %% | of whole | |\n",
	    by_name[c->by], total ? "total" : "self");
	fprintf(f, "|:--|--:|--:|--:|--:|--:|:--|\n");
	for (size_t i = 0; i < n; i++) {
		const struct change *x = pick(&c->row[i], total);
		bool real = x->verdict == VERDICT_REAL;

		fprintf(f, "| ");
		markdown_name(f, c->row[i].name);
		fprintf(f, " | %s | %s | %s%s%s | %s | %s | %s |\n", number(a[0], x->base, false),
		    number(a[1], x->head, false), real ? "**" : "",
		    number(a[2], x->head - x->base, true), real ? "**" : "", relative(a[3], x),
		    percent(a[4], x->head - x->base, c->whole.base, ""), verdict(x));
	}
}

static void
markdown_report(FILE *f, struct comparison *c, size_t top)
{
	char a[4][64];

	fprintf(f, "**Whole:** %s → %s, %s (**%s**), %s.\n\n", number(a[0], c->whole.base, false),
	    number(a[1], c->whole.head, false), number(a[2], c->whole.head - c->whole.base, true),
	    relative(a[3], &c->whole), whole_verdict(c));
	noise_line(f, c);
	limit_line(f, c);
	markdown_rows(f, c, false, top);
	if (c->by != BY_STACK)
		markdown_rows(f, c, true, top);
}

void
report_write(FILE *f, struct comparison *c, enum report_format format, size_t top)
{
	switch (format) {
	case REPORT_TEXT: text_report(f, c, top); break;
	case REPORT_TSV: tsv_report(f, c); break;
	case REPORT_MARKDOWN: markdown_report(f, c, top); break;
	}
}
