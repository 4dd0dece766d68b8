/*
 * speedscopeout: writer of speedscope's format, <https://github.com/jlfwong/speedscope>,
 * src/lib/file-format-spec.ts: a table of frames shared by all profiles, and per column a
 * profile of stacks and weights. The stacks are those of the tree, or the samples of an input
 * with times in their order.
 */
#include "fg-render/bridge/bridge.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "profile/unit.h"

/* Limit of exact integers in JavaScript. */
#define INTEGER_MAX (UINT64_C(1) << 53)

static const char *
unit_of(const char *unit)
{
	switch (unit_ns(unit)) {
	case 1: return "nanoseconds";
	case 1000: return "microseconds";
	case 1000000: return "milliseconds";
	case 1000000000: return "seconds";
	default: return unit_bytes(unit) == 1 ? "bytes" : "none";
	}
}

/* Appends a frame; its number is that of its name. */
static void
add_frame(struct bridge *b, uint32_t name, struct text *t)
{
	const struct calltree_name *n = &b->tree->name[name];
	struct text exact = {0};
	struct frame f;

	text_puts(t, "{\"name\":");
	text_json(t, bridge_function(b, name, &f));
	if (f.file.len > 0) {
		text_puts(t, ",\"file\":");
		json_clean(t, f.file);
		if (f.line > 0)
			text_printf(t, ",\"line\":%u", f.line);
	}
	fgnote_frame(&exact, (struct str){n->s, n->len});
	text_puts(t, ",\"fg\":");
	text_json(t, text_as_str(&exact));
	text_char(t, '}');
	text_free(&exact);
}

static void
write_frames(struct bridge *b, struct output *o)
{
	struct text t = {0};

	output_text(o, "\"shared\":{\"frames\":[");
	for (uint32_t name = 0; name < b->tree->nname; name++) {
		text_cut(&t, 0);
		if (name > 0)
			text_puts(&t, ",\n");
		add_frame(b, name, &t);
		output_write(o, t.s, t.len);
	}
	output_text(o, "]},\n");
	text_free(&t);
}

/* Writes the stacks of a column as lists of frames, root first. */
static void
write_samples(const struct bridge *b, unsigned k, struct output *o)
{
	struct text path = {0}; /* ",1,2,3": frame numbers from the root */
	size_t *end = NULL, cap = 0;
	bool first = true;
	uint32_t depth = 0;

	for (uint32_t node = CALLTREE_ROOT; (node = calltree_next(b->tree, node, &depth)) != 0;) {
		vec_fit(end, cap, (size_t)depth + 1);
		end[0] = 0;
		text_cut(&path, end[depth - 1]);
		if (bridge_is_frame(b, node)) {
			text_char(&path, ',');
			text_count(&path, b->tree->node[node].name);
		}
		end[depth] = path.len;
		if (!bridge_ends(b, node, k))
			continue;
		output_text(o, first ? "[" : ",\n[");
		output_write(o, path.s + 1, path.len - 1);
		output_char(o, ']');
		first = false;
	}
	free(end);
	text_free(&path);
}

static void
write_ordered(const struct bridge *b, unsigned k, struct output *o)
{
	const struct time_sample *end = b->times->sample + b->times->n;
	uint32_t *name = NULL, n, cap = 0;
	bool first = true;

	for (const struct time_sample *s = b->times->sample; s < end; s++) {
		if (s->column != b->column[k])
			continue;
		n = 0;
		for (uint32_t at = s->node; at != CALLTREE_ROOT; at = b->tree->node[at].parent) {
			vec_fit(name, cap, n + 1);
			if (bridge_is_frame(b, at))
				name[n++] = b->tree->node[at].name;
		}
		output_text(o, first ? "[" : ",\n[");
		while (n-- > 0) {
			output_count(o, name[n]);
			if (n > 0)
				output_char(o, ',');
		}
		output_char(o, ']');
		first = false;
	}
	free(name);
}

static value
write_ordered_weights(const struct bridge *b, unsigned k, struct output *o)
{
	const struct time_sample *end = b->times->sample + b->times->n;
	bool first = true;
	value sum = 0;

	for (const struct time_sample *s = b->times->sample; s < end; s++) {
		if (s->column != b->column[k])
			continue;
		if (!first)
			output_char(o, ',');
		output_value(o, s->v);
		sum += s->v;
		first = false;
	}
	return sum;
}

static value
write_weights(const struct bridge *b, unsigned k, struct output *o)
{
	value sum = 0;
	uint32_t depth = 0;
	bool first = true;

	for (uint32_t node = CALLTREE_ROOT; (node = calltree_next(b->tree, node, &depth)) != 0;) {
		if (!bridge_ends(b, node, k))
			continue;
		if (!first)
			output_char(o, ',');
		output_value(o, bridge_value(b, node, k));
		sum += bridge_value(b, node, k);
		first = false;
	}
	return sum;
}

void
bridge_speedscope(const struct picture *p, struct output *o)
{
	struct text t = {0}, note = {0};
	struct bridge b;
	value sum;

	bridge_open(&b, p);
	for (unsigned k = 0; k < b.carried.columns.n; k++)
		bridge_limit(&b, k, INTEGER_MAX, "2^53, the limit of speedscope");
	fgnote_note(&note, &b.carried);
	text_puts(&t, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
		      "\"exporter\":\"fg-render\",\"fg\":");
	text_json(&t, text_as_str(&note));
	text_puts(&t, ",\n\"name\":");
	json_clean(&t, str_of(b.options->title));
	text_puts(&t, ",\"activeProfileIndex\":0,\n");
	output_write(o, t.s, t.len);
	write_frames(&b, o);
	output_text(o, "\"profiles\":[");
	for (unsigned k = 0; k < b.carried.columns.n; k++) {
		text_cut(&t, 0);
		text_puts(&t, k == 0 ? "{" : ",\n{");
		text_puts(&t, "\"type\":\"sampled\",\"name\":");
		json_clean(&t, str_of(bridge_column(&b, k)));
		text_printf(&t, ",\"unit\":\"%s\",\"startValue\":0,\n\"samples\":[",
		    unit_of(bridge_unit(&b, k)));
		output_write(o, t.s, t.len);
		(b.times != NULL ? write_ordered : write_samples)(&b, k, o);
		output_text(o, "],\n\"weights\":[");
		sum = (b.times != NULL ? write_ordered_weights : write_weights)(&b, k, o);
		output_text(o, "],\n\"endValue\":");
		output_value(o, sum);
		output_char(o, '}');
	}
	output_text(o, "]}\n");
	text_free(&t);
	text_free(&note);
	bridge_close(&b);
}
