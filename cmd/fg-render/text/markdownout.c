/*
 * markdownout: the summary as text for -T markdown. A name cannot inject markup: each is shortened
 * and written in a code span whose fence is longer than any in the name.
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
#include "fg-render/text/details.h"
#include "fg-render/text/sentences.h"
#include "fg-render/text/summary.h"
#include "names/label.h"
#include "names/language.h"
#include "fg-render/xml.h"
#include "names/cells.h"
#include "names/origin.h"

#define LONGEST 60 /* cells of a name, so that a line holds its values too */
#define STACK_ENDS 5 /* frames shown at each end of a long stack, and of own code between */
#define KERNEL_SHOWN 2 /* frames shown of the kernel, if it has more */
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
	struct frame_name name = p->names.name[number];

	name.file = language_needs_place(name.file) || name_is_anonymous(&name)
			? label_last_segment(name.file)
			: (struct str){0};
	label_function(b, &name, most);
}

/*
 * Returns which frames of a stack, leaf first, are shown: of the kernel's the last ones, which have
 * the reason of a wait; of long stacks their ends and own code. The caller frees it.
 */
static bool *
shown_frames(const struct picture *p, const uint32_t *way, uint32_t n)
{
	bool *shown = cli_alloc(n, sizeof *shown);
	uint32_t kernel = 0, left, own = 0;

	while (kernel < n && p->names.name[p->tree->node[way[kernel]].name].kind == FRAME_KERNEL)
		kernel++;
	kernel = kernel > KERNEL_SHOWN + 1 ? kernel : 0;
	left = kernel > 0 ? n - kernel + KERNEL_SHOWN : n;
	for (uint32_t i = 0; i < n; i++) {
		bool end = i < STACK_ENDS || i + STACK_ENDS >= n || left <= 2 * STACK_ENDS;

		shown[i] = kernel > 0 && i < kernel ? i < KERNEL_SHOWN : end;
		if (!shown[i] && i >= kernel && p->names.own != NULL &&
		    p->names.own[p->tree->node[way[i]].name])
			shown[i] = own++ < STACK_ENDS;
	}
	return shown;
}

/* Appends the frames from the root to a node, without the middle of long stacks. */
static void
add_stack(const struct picture *p, uint32_t node, unsigned most, struct text *b)
{
	const uint32_t leaf = node;
	uint32_t *way = NULL, n = 0, cap = 0;
	bool *shown;

	for (; node != CALLTREE_ROOT; node = p->tree->node[node].parent) {
		const struct frame_name *f = &p->names.name[p->tree->node[node].name];
		const struct frame_name *last =
		    n > 0 ? &p->names.name[p->tree->node[way[n - 1]].name] : NULL;

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
	shown = shown_frames(p, way, n);
	for (uint32_t i = n, left_out = 0; i-- > 0; left_out = !shown[i]) {
		if (!shown[i])
			continue;
		text_puts(b, left_out ? "\xe2\x80\xa6;" : "");
		add_function(p, p->tree->node[way[i]].name, most / 2, b);
		text_puts(b, i > 0 ? ";" : "");
	}
	free(shown);
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
