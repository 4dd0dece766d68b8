/*
 * markdown: the summary as text for -T markdown, and as JSON for the viewer. A name cannot inject
 * markup: each is shortened and written in a code span whose fence is longer than any in the name.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-render/outputs.h"
#include "fg-render/picture/payload.h"
#include "fg-render/picture.h"
#include "fg-render/text/summary.h"
#include "names/label.h"
#include "names/language.h"
#include "fg-render/xml.h"
#include "names/cells.h"
#include "names/origin.h"

#define LONGEST 60 /* cells of a name, so that a line holds its values too */
#define STACK_ENDS 5 /* frames shown at each end of a long stack */
#define WORTH_A_THREAD 100000 /* frames; with fewer, a thread saves only a few ms */
#define WHOLE 4096 /* limit of the text, bytes; names are shortened until it fits */

/* Appends text in a code span (CommonMark 6.1). */
static void
add_code(struct text *b, const struct text *code)
{
	size_t longest = 0, run = 0;
	bool pad = code->len == 0 || code->s[0] == '`' || code->s[code->len - 1] == '`' ||
		   code->s[0] == ' ' || code->s[code->len - 1] == ' ';

	for (size_t i = 0; i < code->len; i++) {
		run = code->s[i] == '`' ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	for (size_t i = 0; i <= longest; i++)
		text_char(b, '`');
	text_puts(b, pad ? " " : "");
	text_add(b, code->s, code->len);
	text_puts(b, pad ? " " : "");
	for (size_t i = 0; i <= longest; i++)
		text_char(b, '`');
}

/*
 * Appends words with Markdown's special characters escaped: they may hold a unit or a column
 * name from the input.
 */
static void
add_words(struct text *b, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (strchr("\\`*_{}[]<>#!|~&@", s[i]) != NULL && s[i] != '\0')
			text_char(b, '\\');
		text_char(b, s[i]);
	}
}

/* Appends a function's name; for functions of scripts, with the file. */
static void
add_function(const struct picture *p, uint32_t number, unsigned most, struct text *b)
{
	struct frame_name name = p->name[number];

	name.file = language_needs_place(name.file) || name_is_anonymous(&name)
			? label_last_segment(name.file)
			: (struct str){0};
	label_function(b, &name, most);
}

/* Appends the frames from the root to a node, without the middle of long stacks. */
static void
add_stack(const struct picture *p, uint32_t node, unsigned most, struct text *b)
{
	const uint32_t leaf = node;
	uint32_t *way = NULL, n = 0, cap = 0;

	for (; node != CALLTREE_ROOT; node = p->tree->node[node].parent) {
		const struct frame_name *f = &p->name[p->tree->node[node].name];
		const struct frame_name *last =
		    n > 0 ? &p->name[p->tree->node[way[n - 1]].name] : NULL;

		/*
		 * skip entry functions, which are in all stacks; show a row of unsymbolized
		 * frames once, except those with the start of their function
		 */
		if (name_is_entry(f) || (last != NULL && name_is_missing(f) &&
					    name_is_missing(last) && name_start_module(f).len == 0))
			continue;
		vec_fit(way, cap, n + 1);
		way[n++] = node;
	}
	if (n == 0) { /* only entry functions: the leaf */
		vec_fit(way, cap, 1);
		way[n++] = leaf;
	}
	for (uint32_t i = n; i-- > 0;) {
		if (n > 2 * STACK_ENDS && i == n - STACK_ENDS - 1) {
			text_printf(b, "\xe2\x80\xa6;");
			i = STACK_ENDS;
			continue;
		}
		add_function(p, p->tree->node[way[i]].name, most / 2, b);
		text_puts(b, i > 0 ? ";" : "");
	}
	free(way);
}

static void
build(const struct picture *p, const struct summary *s, unsigned most, struct text *b)
{
	struct text code = {0};

	for (size_t i = 0; i < s->n; i++) {
		const struct summary_part *part = &s->part[i];

		if (i > 0 && s->part[i - 1].kind == SUMMARY_END)
			text_puts(b, "- ");
		switch (part->kind) {
		case SUMMARY_WORDS:
			add_words(b, s->words.s + part->begin, part->end - part->begin);
			break;
		case SUMMARY_NAME:
			text_cut(&code, 0);
			add_function(p, part->name, most, &code);
			add_code(b, &code);
			break;
		case SUMMARY_STACK:
			text_cut(&code, 0);
			add_stack(p, part->node, most, &code);
			add_code(b, &code);
			break;
		case SUMMARY_END: text_char(b, '\n'); break;
		}
	}
	text_free(&code);
}

void
report_markdown(const struct picture *p, struct output *o)
{
	struct summary s;
	struct text b = {0};
	unsigned most = LONGEST;

	summarize(p, &s);
	summarize_details(p, &s);
	do {
		text_cut(&b, 0);
		build(p, &s, most, &b);
		most = most * 3 / 4;
	} while (b.len > WHOLE && most > 10);
	output_write(o, b.s, b.len);
	text_free(&b);
	summary_free(&s);
}

/* Returns the number of frames in each node's subtree. The caller frees it. */
static uint32_t *
sizes(const struct calltree *t)
{
	uint32_t *size = cli_alloc(t->nnode, sizeof *size);

	for (uint32_t i = t->nnode; i-- > 1;)
		size[t->node[i].parent] += ++size[i];
	return size;
}

/* Returns the number of frames in a subtree with contiguous numbers. */
static uint32_t
size_of(const struct calltree *t, uint32_t node)
{
	uint32_t end = node + 1;

	while (end < t->nnode && t->node[end].parent >= node)
		end++;
	return end - node;
}

/* place of a tree with nested numbers: only siblings that are not in their order count. */
static uint32_t
place_nested(const struct calltree *t, uint32_t node)
{
	uint32_t n = node;

	for (; node != CALLTREE_ROOT; node = t->node[node].parent) {
		uint32_t i = t->node[t->node[node].parent].child;

		for (; i != node; i = t->node[i].next)
			n += i > node ? size_of(t, i) : 0;
		while ((i = t->node[i].next) != 0)
			n -= i < node ? size_of(t, i) : 0;
	}
	return n;
}

/*
 * Returns the pre-order index of a node, by which the viewer's columns are ordered. size: from
 * sizes, or NULL if numbers are nested.
 */
static uint32_t
place(const struct calltree *t, const uint32_t *size, uint32_t node)
{
	uint32_t n = 0;

	if (size == NULL)
		return place_nested(t, node);
	for (uint32_t parent; node != CALLTREE_ROOT; node = parent) {
		parent = t->node[node].parent;
		n++;
		for (uint32_t i = t->node[parent].child; i != node; i = t->node[i].next)
			n += size[i];
	}
	return n;
}

/* Appends the names whose functions changed significantly in one direction. */
static void
write_changed(const struct picture *p, const int8_t *verdict, int direction, struct text *b)
{
	const char *before = "";

	text_printf(b, ",\"%s\":[", direction > 0 ? "grew" : "shrank");
	for (uint32_t i = 1; i < p->tree->nname; i++)
		if (verdict[i] == direction) {
			text_printf(b, "%s%" PRIu32, before, p->rank[i]);
			before = ",";
		}
	text_char(b, ']');
}

#define SENTENCES 5 /* that the viewer shows at most: heading, list, three more */

/* Returns the end of the parts of the first sentences. */
static size_t
first_sentences(const struct summary *s)
{
	size_t i = 0;

	for (unsigned n = 0; i < s->n && n < SENTENCES; i++)
		n += s->part[i].kind == SUMMARY_END;
	return i;
}

static void *
write_sentences(void *job)
{
	struct summary_job *j = job;
	const struct picture *p = j->p;
	struct text *b = &j->text;
	struct summary *s = &j->summary;
	uint32_t *size = p->nested ? NULL : sizes(p->tree);

	summarize(p, s);
	text_puts(b, "{\"rows\":[");
	for (unsigned i = 0; i < s->nrow; i++) {
		const struct summary_row *r = &s->row[i];

		text_printf(b, "%s[%" PRIu32 ",%" PRIu32 ",%.0f", i > 0 ? "," : "",
		    p->rank[r->name], place(p->tree, size, r->node),
		    100 * r->size / fabs(s->row[0].size));
		for (int k = 0; k < 3 && r->cell[k].s != NULL; k++) {
			text_char(b, ',');
			xml_add_json(b, r->cell[k].s, r->cell[k].len);
		}
		text_char(b, ']');
	}
	text_puts(b, "],");
	if (s->over != NULL)
		text_printf(b, "\"over\":\"%s\",", s->over);
	text_puts(b, "\"say\":[[");
	for (size_t i = 0, n = first_sentences(s); i < n; i++) {
		const struct summary_part *part = &s->part[i];
		bool more = i > 0 && s->part[i - 1].kind != SUMMARY_END;

		switch (part->kind) {
		case SUMMARY_WORDS:
			text_puts(b, more ? "," : "");
			xml_add_json(b, s->words.s + part->begin, part->end - part->begin);
			break;
		case SUMMARY_NAME:
			text_printf(b, "%s[%" PRIu32 ",%" PRIu32 "]", more ? "," : "",
			    p->rank[part->name], place(p->tree, size, part->node));
			break;
		case SUMMARY_STACK: break; /* the viewer does not show stacks */
		case SUMMARY_END: text_puts(b, i + 1 < n ? "],[" : ""); break;
		}
	}
	text_puts(b, "]]");
	if (s->verdict != NULL) {
		write_changed(p, s->verdict, 1, b);
		write_changed(p, s->verdict, -1, b);
	}
	text_char(b, '}');
	free(size);
	return NULL;
}

void
summary_begin(const struct picture *p, struct summary_job *j)
{
	*j = (struct summary_job){.p = p};
	j->threaded = p->tree->nnode > WORTH_A_THREAD &&
		      pthread_create(&j->thread, NULL, write_sentences, j) == 0;
	if (!j->threaded)
		write_sentences(j);
}

const struct summary *
summary_wait(struct summary_job *j)
{
	if (j->threaded)
		pthread_join(j->thread, NULL);
	j->threaded = false;
	return &j->summary;
}

void
summary_end(struct summary_job *j, struct output *o)
{
	summary_wait(j);
	payload_write(o, "summary", &j->text);
	summary_free(&j->summary);
	text_free(&j->text);
}
