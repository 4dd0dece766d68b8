#include "fg-render/text/summaryjson.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/cli.h"
#include "fg-render/picture.h"
#include "fg-render/picture/payload.h"
#include "fg-render/text/sentences.h"
#include "fg-render/text/summary.h"
#include "fg-render/xml.h"

#define WORTH_A_THREAD 100000 /* frames; with fewer, a thread saves only a few ms */

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
			text_printf(b, "%s%" PRIu32, before, p->names.rank[i]);
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
	uint32_t *size = p->stacks.nested ? NULL : sizes(p->tree);

	summarize(p, s);
	text_puts(b, "{\"rows\":[");
	for (unsigned i = 0; i < s->nrow; i++) {
		const struct summary_row *r = &s->row[i];

		text_printf(b, "%s[%" PRIu32 ",%" PRIu32 ",%.0f", i > 0 ? "," : "",
		    p->names.rank[r->name], place(p->tree, size, r->node),
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
			    p->names.rank[part->name], place(p->tree, size, part->node));
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
