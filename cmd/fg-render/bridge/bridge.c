#include "fg-render/bridge/bridge.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

void
bridge_open(struct bridge *b, const struct picture *p)
{
	struct folded_columns *c = &b->carried.columns;

	*b = (struct bridge){
	    .options = p->options, .tree = p->tree, .gap = p->names.gap, .times = p->times};
	c->n = p->drawn.n;
	labels_join(&c->labels, p->columns.labels);
	for (unsigned k = 0; k < p->drawn.n; k++) {
		unsigned of = p->drawn.column[k];

		b->column[k] = of;
		if (p->drawn.n > 1)
			c->name[k] = cli_strdup(p->columns.name[of]);
		if (p->columns.unit[of] != NULL)
			folded_columns_unit(c, k, p->columns.unit[of]);
		c->values[k] = p->columns.values[of];
		c->period[k] = p->columns.period[of];
		if (c->period[k].unit != NULL)
			c->period[k].unit = cli_strdup(c->period[k].unit);
	}
}

void
bridge_close(struct bridge *b)
{
	fgnote_free(&b->carried);
	text_free(&b->work);
}

value
bridge_value(const struct bridge *b, uint32_t node, unsigned k)
{
	return value_array_get(&b->tree->self[b->column[k]], node);
}

unsigned
bridge_digits(const struct bridge *b, unsigned k)
{
	value step = VALUE_ONE; /* 10^-digits in billionths, of which all values are multiples */
	unsigned digits = 0;

	if (b->tree->self[b->column[k]].nwide == 0)
		return 0; /* integers */
	for (uint32_t node = 1; node < b->tree->nnode && digits < FGNOTE_DIGITS; node++)
		for (value v = bridge_value(b, node, k); v % step != 0; digits++)
			step /= 10;
	return digits;
}

void
bridge_limit(const struct bridge *b, unsigned k, uint64_t limit, const char *words)
{
	const struct value_array *a = &b->tree->self[b->column[k]];
	value sum = 0, most = limit * fgnote_step(&b->carried, k);
	bool exceeds = false;

	if (a->nwide == 0) { /* integers below 2^63, of less than 2^32 nodes */
		for (uint32_t node = 1; node < b->tree->nnode; node++)
			sum += a->cell[node];
		exceeds = sum * VALUE_ONE > most;
	} else {
		for (uint32_t node = 1; node < b->tree->nnode && !exceeds; node++) {
			value v = bridge_value(b, node, k);

			exceeds = v > most || (sum += v) > most;
		}
	}
	if (exceeds)
		cli_die("column %s: a value exceeds %s", bridge_column(b, k), words);
}

struct str
bridge_function(struct bridge *b, uint32_t name, struct frame *f)
{
	const struct calltree_name *n = &b->tree->name[name];

	frame_read(f, (struct str){n->s, n->len});
	text_cut(&b->work, 0);
	if (f->function.len > 0) {
		text_show(&b->work, f->function);
	} else {
		text_char(&b->work, '[');
		text_show(&b->work, f->module.len > 0 ? f->module : str_of("unknown"));
		text_char(&b->work, ']');
	}
	return text_as_str(&b->work);
}

const char *
bridge_unit(const struct bridge *b, unsigned k)
{
	const char *unit = b->carried.columns.unit[k];

	return unit != NULL ? unit : FOLDED_SAMPLES;
}

const char *
bridge_column(const struct bridge *b, unsigned k)
{
	const char *name = b->carried.columns.name[k];

	return name != NULL ? name : bridge_unit(b, k);
}

void
json_clean(struct text *t, struct str s)
{
	struct text shown = {0};

	text_puts(&shown, "");
	text_show(&shown, s);
	text_json(t, text_as_str(&shown));
	text_free(&shown);
}
