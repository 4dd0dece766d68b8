/*
 * choice: counts header lines of samples, without their stacks.
 */
#include "fg-collapse/perfscript/choice.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/perfscript/sampleline.h"
#include "fg-collapse/shape/scan.h"

#define EVENTS_MAX 256

void
choice_free(struct choice *c)
{
	for (size_t i = 0; i < c->n; i++)
		text_free(&c->event[i].name);
	free(c->event);
}

bool
choice_open(const struct choice *c)
{
	return c->bytes < CHOICE_HEAD;
}

/*
 * Returns the index of the event with that name; adds it if it is new. c->n if there are too many.
 */
static size_t
event_of(struct choice *c, struct str name)
{
	if (c->last < c->n && str_equal(text_as_str(&c->event[c->last].name), name))
		return c->last;
	for (size_t i = 0; i < c->n; i++)
		if (str_equal(text_as_str(&c->event[i].name), name))
			return i;
	if (c->n == EVENTS_MAX)
		return c->n;
	vec_fit(c->event, c->cap, c->n + 1);
	c->event[c->n] = (struct choice_event){0};
	text_str(&c->event[c->n].name, name);
	return c->n++;
}

/* Reads `# event : name = cycles:u, , id = { 1, 2 }, type = ...`. */
static void
read_listed(struct choice *c, struct str line)
{
	static const char before[] = "# event : name = ";
	struct str name;

	if (!str_starts(line, before))
		return;
	name = str_from(line, strlen(before));
	name.len = str_find(name, ", ");
	if (event_of(c, name) == c->listed && c->listed + 1 == c->n)
		c->listed++;
}

void
choice_count(struct choice *c, const char *data, size_t len)
{
	const char *end;

	if (len > CHOICE_HEAD - c->bytes)
		len = CHOICE_HEAD - c->bytes;
	c->bytes += len;
	end = data + len;
	for (const char *at = data, *newline; at < end; at = newline + 1) {
		struct sampleline h;

		newline = memchr(at, '\n', (size_t)(end - at));
		if (newline == NULL)
			break;
		if (*at == '#') {
			read_listed(c, (struct str){at, (size_t)(newline - at)});
		} else if (*at != '\t' && sampleline_begins(at, newline) &&
			   sampleline_parse_next(&c->headers, at, newline, &h) == HEADER_SAMPLE) {
			size_t i = event_of(c, (struct str){h.event, h.event_len});

			if (i < c->n) {
				c->event[i].samples++;
				c->last = i;
			}
		}
	}
}

/* True for events without stacks of the program: switches, mmaps, packets of a trace. */
static bool
is_auxiliary(struct str name)
{
	return str_starts(name, "dummy") || str_starts(name, "intel_pt/") ||
	       str_starts(name, "intel_bts/") || str_starts(name, "cs_etm/") ||
	       str_starts(name, "arm_spe_");
}

struct str
choice_event(const struct choice *c)
{
	const struct choice_event *best = NULL;

	for (int auxiliary = 0; auxiliary < 2 && best == NULL; auxiliary++)
		for (size_t i = 0; i < c->n; i++) {
			const struct choice_event *e = &c->event[i];

			if (e->samples == 0 || is_auxiliary(text_as_str(&e->name)) != auxiliary)
				continue;
			if (i < c->listed)
				return text_as_str(&e->name);
			if (best == NULL || e->samples > best->samples)
				best = e;
		}
	return best != NULL ? text_as_str(&best->name) : (struct str){0};
}
