/* stackwise: a state of each step by depth. */
#include "fg-filter/stackwise.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "names/frame.h"

/* The state after the frames of a stack down to some depth. */
struct stackwise_level {
	size_t end; /* end of the frame in the input stack */
	size_t out; /* length of the result */
	bool none; /* no step's words are in the frames from the level above to here */
};

/* The result of a renaming step for a name, in a namememo. */
struct renamed {
	char *name; /* owned */
	size_t len;
	bool there; /* it is not empty */
};

static void
drop_renamed(void *data)
{
	free(((struct renamed *)data)->name);
}

static bool
is_root(const struct step *s)
{
	return s->run == reshape_root;
}

static bool
renames(const struct step *s)
{
	return s->run == rename_frames;
}

static bool
is_min(const struct step *s)
{
	return s->run == select_min && !s->percent;
}

bool
stackwise_can(const struct filter *f, size_t files)
{
	bool root = false, renamed = false;

	for (const struct step *s = f->step; s < f->step + f->nstep; s++) {
		if (s->run != select_where && !is_min(s) && !renames(s) && !is_root(s))
			return false;
		if (s->needs_all && !is_min(s))
			return false;
		if ((root && !is_root(s)) || (renamed && is_min(s)))
			return false;
		root |= is_root(s);
		renamed |= renames(s);
	}
	return !f->other && (f->nlocal == 0 || files == 1);
}

/* Ensures capacity for n levels. */
static void
fit_levels(struct stackwise *s, size_t n)
{
	vec_fit(s->level, s->caplevel, n);
	s->states = cli_realloc(s->states, s->caplevel, s->size + 1);
}

void
stackwise_start(struct stackwise *s, struct filter *f)
{
	*s = (struct stackwise){.f = f, .words = true};
	text_puts(&s->prefix, "");
	s->offset = cli_alloc(f->nstep + 1, sizeof *s->offset);
	s->asks = cli_alloc(f->nstep + 1, sizeof *s->asks);
	s->memo = cli_alloc(f->nstep + 1, sizeof *s->memo);
	for (size_t i = 0; i < f->nstep; i++) {
		const struct step *step = &f->step[i];

		s->offset[i] = s->size;
		s->memo[i].size = sizeof(struct renamed);
		s->frames |= step->where != NULL || renames(step);
		if (step->where != NULL) {
			s->asks[s->nasks++] = i;
			s->size += (where_size(step->where) + 7) / 8 * 8;
		}
		if (renames(step))
			s->nrename = i + 1;
		s->sums |= is_min(step);
		s->words &= step->where == NULL || where_by_words(step->where, &s->reach);
	}
	for (size_t i = f->nstep; i-- > 0 && is_root(&f->step[i]);) {
		size_t at = s->prefix.len;

		text_puts(&s->prefix, f->step[i].arg);
		frame_clean(s->prefix.s + at, s->prefix.len - at);
		text_char(&s->prefix, ';');
	}
	fit_levels(s, 1);
	s->words &= s->nrename == 0;
	s->level[0] = (struct stackwise_level){.out = s->prefix.len};
	memset(s->states, 0, s->size);
	text_puts(&s->raw, "");
	text_str(&s->out, text_as_str(&s->prefix));
}

void
stackwise_stop(struct stackwise *s)
{
	text_free(&s->prefix);
	text_free(&s->raw);
	text_free(&s->out);
	text_free(&s->name[0]);
	text_free(&s->name[1]);
	for (size_t i = 0; i < s->f->nstep; i++)
		namememo_free(&s->memo[i], drop_renamed);
	free(s->memo);
	free(s->offset);
	free(s->asks);
	free(s->level);
	free(s->states);
}

/* Renames a frame by step i; false if its name becomes empty. */
static bool
rename_frame(struct stackwise *s, size_t i, struct str *name)
{
	struct text *to = &s->name[s->which ^= 1];
	bool known = false, there;
	struct renamed *r = namememo_find(&s->memo[i], *name, &known);

	if (known) {
		*name = (struct str){r->name, r->len};
		return r->there;
	}
	there = rename_name(&s->f->step[i], *name, to);
	*name = text_as_str(to);
	if (r != NULL) {
		free(r->name);
		*r = (struct renamed){str_copy(*name), name->len, there};
	}
	return there;
}

/* Adds a frame at depth d: the states of all steps, and the result. */
static void
add_frame(struct stackwise *s, uint32_t d, const char *frame, size_t len)
{
	struct str name = {frame, len};
	char *above, *own;
	bool there = true;

	if (d >= s->caplevel)
		fit_levels(s, (size_t)d + 1);
	above = s->states + (d - 1) * s->size;
	own = above + s->size;
	if (s->nrename == 0) {
		for (size_t k = 0; k < s->nasks; k++) {
			const size_t i = s->asks[k];

			where_step(s->f->step[i].where, above + s->offset[i], frame, len,
			    own + s->offset[i]);
		}
		return;
	}
	memcpy(own, above, s->size); /* for a name that becomes empty */
	for (size_t i = 0; there && i < s->f->nstep; i++) {
		const struct step *step = &s->f->step[i];

		if (step->where != NULL)
			where_step(step->where, above + s->offset[i], name.s, name.len,
			    own + s->offset[i]);
		else if (renames(step))
			there = rename_frame(s, i, &name);
	}
	text_cut(&s->out, s->level[d - 1].out);
	if (there) {
		if (s->level[d - 1].out > s->prefix.len)
			text_char(&s->out, ';');
		text_str(&s->out, name);
	}
	s->level[d].out = s->out.len;
}

/* True if no step's words are in a text. */
static bool
has_none(const struct stackwise *s, const char *text, size_t len)
{
	for (size_t k = 0; k < s->nasks; k++)
		if (!where_none(s->f->step[s->asks[k]].where, text, len))
			return false;
	return true;
}

/*
 * Adds the frames after those of depth d as one, if they have no word: a test of each frame would
 * take longer. The level of depth d + 1 may have some of them already, in `shared` bytes.
 */
static bool
add_none(struct stackwise *s, uint32_t d, const char *stack, size_t len, size_t shared)
{
	struct stackwise_level *level;
	size_t from = d > 0 ? s->level[d].end + 1 : 0;
	bool more = d < s->depth && s->level[d + 1].none && shared > from;

	if (from > len)
		return false;
	if (more && shared - from > s->reach)
		from = shared - s->reach;
	if (!has_none(s, stack + from, len - from))
		return false;
	if (++d >= s->caplevel)
		fit_levels(s, (size_t)d + 1);
	level = &s->level[d];
	for (size_t k = 0; !more && k < s->nasks; k++) {
		const size_t i = s->asks[k], at = s->offset[i];

		where_step_none(s->f->step[i].where, s->states + (d - 1) * s->size + at,
		    s->states + d * s->size + at);
	}
	*level = (struct stackwise_level){.end = len, .none = true};
	s->depth = d;
	return true;
}

void
stackwise_frames(struct stackwise *s, const char *stack, size_t len, size_t shared)
{
	uint32_t d = s->depth;
	size_t at;

	if (s->nrename == 0) {
		if (s->prefix.len > 0) {
			text_cut(
			    &s->out, s->prefix.len + (shared < s->raw.len ? shared : s->raw.len));
			text_add(&s->out, stack + (s->out.len - s->prefix.len),
			    len - (s->out.len - s->prefix.len));
		}
		if (!s->frames)
			return;
	}
	/* As in folded_add: a frame is shared only if it also ends at the same byte. */
	while (d > 0 && (s->level[d].end > shared ||
			    (s->level[d].end < len && stack[s->level[d].end] != ';')))
		d--;
	if (s->words && add_none(s, d, stack, len, shared))
		return;
	at = d > 0 ? s->level[d].end + 1 : 0;
	while (at <= len) {
		const char *end = memchr(stack + at, ';', len - at);
		size_t to = end != NULL ? (size_t)(end - stack) : len;

		add_frame(s, ++d, stack + at, to - at);
		s->level[d].end = to;
		s->level[d].none = false;
		at = to + 1;
	}
	s->depth = d;
	if (s->nrename > 0)
		text_cut(&s->out, s->level[d].out);
}

void
stackwise_add(struct stackwise *s, const char *stack, size_t len, size_t shared)
{
	stackwise_frames(s, stack, len, shared);
	text_cut(&s->raw, shared);
	text_add(&s->raw, stack + shared, len - shared);
}

struct str
stackwise_result(const struct stackwise *s)
{
	return text_as_str(s->nrename > 0 || s->prefix.len > 0 ? &s->out : &s->raw);
}

struct step *
stackwise_cut(struct stackwise *s, value sum)
{
	const char *states = s->states + s->depth * s->size;

	for (size_t i = 0; i < s->f->nstep; i++) {
		struct step *step = &s->f->step[i];

		if (step->where != NULL ? !where_true(step->where, states + s->offset[i])
					: is_min(step) && sum < step->least)
			return step;
	}
	if (s->nrename > 0 && s->out.len == s->prefix.len && s->raw.len > 0)
		return &s->f->step[s->nrename - 1];
	return NULL;
}

bool
stackwise_is_plain(struct str stack)
{
	return stack.len > 0 && memchr("# \t;\xef\xff\xfe", stack.s[0], 7) == NULL;
}
