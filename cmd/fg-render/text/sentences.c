#include "fg-render/text/sentences.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/vec.h"
#include "fg-render/layout/figures.h"
#include "fg-render/picture.h"
#include "profile/unit.h"

static struct summary_part *
new_part(struct summary *s)
{
	vec_fit(s->part, s->cap, s->n + 1);
	s->part[s->n] = (struct summary_part){.begin = s->words.len, .end = s->words.len};
	return &s->part[s->n++];
}

void
summary_add(struct summary *s, const char *fmt, ...)
{
	struct summary_part *part = s->n > 0 ? &s->part[s->n - 1] : NULL;
	char words[512];
	va_list ap;

	if (part == NULL || part->kind != SUMMARY_WORDS)
		part = new_part(s);
	va_start(ap, fmt);
	vsnprintf(words, sizeof words, fmt, ap);
	va_end(ap);
	text_puts(&s->words, words);
	part->end = s->words.len;
}

void
summary_add_figure(const struct picture *p, struct summary *s, unsigned k, value v)
{
	struct text b = {0};

	layout_figure(p, k, &b, v);
	summary_add(s, "%s", b.s);
	text_free(&b);
}

void
summary_add_name(struct summary *s, uint32_t name, uint32_t node)
{
	struct summary_part *part = new_part(s);

	part->kind = SUMMARY_NAME;
	part->name = name;
	part->node = node;
}

void
summary_add_stack(struct summary *s, uint32_t node)
{
	struct summary_part *part = new_part(s);

	part->kind = SUMMARY_STACK;
	part->node = node;
}

void
summary_end_sentence(struct summary *s)
{
	summary_add(s, ".");
	new_part(s)->kind = SUMMARY_END;
}

void
summary_add_number(struct summary *s, uint32_t n, const char *what, const char *after)
{
	struct text b = {0};

	unit_figure(&b, what, n);
	summary_add(s, "%s%s%s", b.s, text_form(n, "", "s"), after);
	text_free(&b);
}

void
summary_free(struct summary *s)
{
	for (unsigned i = 0; i < s->nrow; i++)
		for (int k = 0; k < 3; k++)
			text_free(&s->row[i].cell[k]);
	text_free(&s->words);
	free(s->part);
	free(s->verdict);
}
