/*
 * pair: one thread reads base and another one head, unless both are small. Messages about head
 * follow those about base, unless base is a pipe.
 */
#include "fg-diff/pair.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/text.h"
#include "fg-diff/headline.h"
#include "fg-diff/inputs.h"
#include "fg-diff/moved.h"
#include "fg-diff/diffreport.h"

static pthread_mutex_t reading_base = PTHREAD_MUTEX_INITIALIZER; /* unlocked: no need to wait */

static void
wait_for_base(void *reading)
{
	pthread_mutex_lock(reading);
	pthread_mutex_unlock(reading);
}

/* A step of reading a side, for base in this thread and for head in another one. */
struct step {
	void (*of)(struct side *);
	struct side *head;
};

static void *
read_head(void *step)
{
	struct step *s = step;

	cli_speak_after(wait_for_base, &reading_base);
	s->of(s->head);
	return NULL;
}

static void
both(struct pair *p, void (*of)(struct side *))
{
	bool ordered = !inputs_piped(p->base.path, p->base.runs);
	struct step step = {of, &p->head};
	pthread_t thread;

	if (inputs_small(p->base.path, p->base.runs) && inputs_small(p->head.path, p->head.runs)) {
		of(&p->base);
		of(&p->head);
		return;
	}
	if (ordered)
		pthread_mutex_lock(&reading_base);
	if (pthread_create(&thread, NULL, read_head, &step) != 0)
		cli_die("cannot create a thread");
	of(&p->base);
	if (ordered)
		pthread_mutex_unlock(&reading_base);
	pthread_join(thread, NULL);
}

void
pair_open(struct pair *p, const struct options *o, const char *root, const struct files files[3])
{
	p->root = root;
	options_side(o, &files[0], &p->base);
	options_side(o, &files[1], &p->head);
	options_side(o, &files[2], &p->history);
	if (o->baseline != NULL && files[2].n < 2) {
		cli_note("%s%s%s: %u earlier run%s; at least two are needed to estimate noise",
		    o->baseline, root != NULL ? ": " : "", root != NULL ? root : "", files[2].n,
		    text_form(files[2].n, "", "s"));
		p->history.runs = 0;
	}
}

void
pair_read(struct pair *p, const struct options *o)
{
	struct side *side[] = {&p->base, &p->head, &p->history};

	for (int k = 0; k < 3; k++) {
		side[k]->spent = p->spent[k];
		if (o->report || o->gated)
			p->spent[k][side[k]->nspent++].by = o->by;
		if (o->mark_noise)
			p->spent[k][side[k]->nspent++].by = BY_FUNCTION;
	}
	p->base.keeps_nodes = p->head.keeps_nodes =
	    (o->report || o->gated) && o->by == BY_FUNCTION && o->only.text == NULL;
	p->history.apart = true;
	both(p, side_load);
	if (p->history.runs > 0)
		side_load(&p->history);
	side_identify(&p->identity, &p->base, &p->head, p->history.runs > 0 ? &p->history : NULL);
	calltree_seal(p->identity.functions);
	if ((o->report || o->gated) && o->by == BY_FUNCTION && !o->all_rows &&
	    side_find_scripts(&p->scripts, &p->base, &p->head, p->identity.functions->nname))
		for (int k = 0; k < 3; k++)
			p->spent[k][0].scripts = &p->scripts;
	both(p, side_finish);
	if (p->history.runs > 0)
		side_finish(&p->history);
	inputs_check(&p->base, &p->head, o->noise.shares);
	if (p->history.runs > 0)
		inputs_check_units(&p->base, &p->history, o->noise.shares);
}

int
pair_status(const struct answer *a, const struct options *o)
{
	if (a->kind == ANSWER_CANNOT_TELL &&
	    (a->unusable ? a->empty || o->gated || o->noise.shares : options_needs_power(o)))
		return CLI_ERROR;
	return a->kind == ANSWER_FAIL ? CLI_NO : CLI_DONE;
}

/*
 * Formats the report. If it is the only output, its rows are written as they are formatted: nothing
 * can fail then but the write.
 */
static void
write_report(struct pair *p, const struct options *o, struct comparison *c)
{
	static void (*const write[])(struct text *, const struct report *) = {
#define REPORT(id, format, reader) report_##format,
#include "fg-diff/reports.def"
	};
	figure_namer *name = o->format == REPORT_MARKDOWN ? figure_code : figure_name;
	bool movable = c->by == BY_FUNCTION && !c->only;
	bool *own = movable && o->gated ? headline_own(c) : NULL;
	struct headlines headlines = {0};
	struct explanation explanation;
	struct moves moves = {0};
	struct report r = {c, &p->answer, movable ? &moves : NULL, o->explain ? &explanation : NULL,
	    movable ? &headlines : NULL, name, NULL, o->top};

	p->answer = (struct answer){.name = name, .own = own};
	if (movable) {
		moved_find(&moves, c);
		if (o->format == REPORT_MARKDOWN)
			moved_headlines(&moves, c, &headlines);
	}
	if (o->explain)
		explain_find(&explanation, c);
	answer_find(&p->answer, o->gated ? &o->gate : NULL, c, r.moves);
	if (!o->gated && p->root == NULL)
		r.out = p->out = output_open(o->output);
	write[o->format](&p->report, &r);
	report_relative(&p->profile_total, c, &c->profile_total);
	if (c->profile_total.tests > 0 && noise_is_modelled(&c->noise)) {
		text_puts(&p->profile_total, " (");
		report_interval(&p->profile_total, c, &c->profile_total);
		text_char(&p->profile_total, ')');
	}
	moved_free(&moves);
	headlines_free(&headlines);
	free(own);
	p->answer.own = NULL;
}

void
pair_judge(struct pair *p, const struct options *o, double confidence)
{
	struct comparing how = {.base = &p->base,
	    .head = &p->head,
	    .history = p->history.runs > 0 ? &p->history : NULL,
	    .own = &o->own,
	    .which = p->base.nspent - 1,
	    .noise = o->noise,
	    .allowed = INFINITY};
	struct comparison *c;

	how.noise.confidence = confidence;
	if (o->mark_noise)
		p->functions = compare_sides(&how);
	if (p->functions != NULL && p->functions->noise.kind == NOISE_UNKNOWN) {
		cli_note("no noise column: without a line # values: the files may be exact or "
			 "sampled");
		compare_free(p->functions);
		p->functions = NULL;
	}
	if (!o->report && !o->gated)
		return;
	how.which = 0;
	how.only = o->only.text != NULL ? &o->only : NULL;
	how.allowed = o->gate.total_set ? o->gate.total / 100 : INFINITY;
	c = compare_sides(&how);
	write_report(p, o, c);
	compare_free(c);
	if (p->answer.kind == ANSWER_CANNOT_TELL && pair_status(&p->answer, o) == CLI_ERROR)
		cli_warn("%s%sCANNOT TELL: %s", p->root != NULL ? p->root : "",
		    p->root != NULL ? ": " : "", p->answer.reason.s);
}

void
pair_free_sides(struct pair *p)
{
	compare_free(p->functions);
	p->functions = NULL;
	side_free(&p->base);
	side_free(&p->head);
	if (p->history.runs > 0)
		side_free(&p->history);
	identity_free(&p->identity);
	scriptrows_free(&p->scripts);
}
