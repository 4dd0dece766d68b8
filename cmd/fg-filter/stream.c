/*
 * stream: filters one regular file in canonical order, stack by stack, in constant memory.
 *
 * The file is read twice. The first pass checks its order and, if names change, the order of the
 * result; if either check fails, nothing has been written yet. Frames shared with the previous
 * stack are not processed again.
 *
 * A call tree takes a third less time. A file above SMALL_FILE is read into a tree first. If the
 * tree exceeds SMALL_TREE before a stack is out of order, the file is read again, as a stream.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-filter/filter.h"
#include "names/frame.h"
#include "profile/stackorder.h"

/* The state after the frames of a stack down to some depth. */
struct level {
	size_t end; /* end of the frame in the input stack */
	size_t out; /* length of the result */
};

struct stream {
	struct filter *f;
	size_t nrename; /* steps up to the last that renames */
	bool frames; /* a step needs the frames */
	struct text prefix; /* frames of --root */
	size_t size; /* bytes of all steps' states at one level */
	size_t *offset; /* by step: offset of its state in a level */
	struct level *level; /* by depth; 0: before the first frame */
	char *states; /* by depth: states of all steps */
	size_t caplevel, capstates;
	uint32_t depth; /* depth of the previous stack */
	struct text raw, out; /* the previous stack, and its result */
	struct text name, renamed; /* name of one frame, before and after a step */
	int picked;
};

static bool
is_root(const struct step *s)
{
	return s->run == reshape_root;
}

static bool
renames(const struct step *s)
{
	return s->run == rename_replace || s->run == rename_strip || s->run == rename_bare;
}

static bool
is_min(const struct step *s)
{
	return s->run == select_min && !s->percent;
}

/* True if all steps need one stack at a time, with --root last. */
static bool
can_stream(const struct filter *f)
{
	bool root = false, renamed = false;

	for (const struct step *s = f->step; s < f->step + f->nstep; s++) {
		if (s->run != select_where && !is_min(s) && !renames(s) && !is_root(s))
			return false;
		if ((root && !is_root(s)) || (renamed && is_min(s)))
			return false;
		root |= is_root(s);
		renamed |= renames(s);
	}
	return !f->other && !f->range && !fileselect_is_used(&f->select);
}

static void
start(struct stream *s, struct filter *f)
{
	*s = (struct stream){.f = f};
	text_puts(&s->prefix, "");
	s->offset = cli_alloc(f->nstep + 1, sizeof *s->offset);
	for (size_t i = 0; i < f->nstep; i++) {
		const struct step *step = &f->step[i];

		s->offset[i] = s->size;
		s->frames |= step->where != NULL || renames(step);
		if (step->where != NULL)
			s->size += (where_size(step->where) + 7) / 8 * 8;
		if (renames(step))
			s->nrename = i + 1;
	}
	for (size_t i = f->nstep; i-- > 0 && is_root(&f->step[i]);) {
		size_t at = s->prefix.len;

		text_puts(&s->prefix, f->step[i].arg);
		frame_clean(s->prefix.s + at, s->prefix.len - at);
		text_char(&s->prefix, ';');
	}
	vec_fit(s->level, s->caplevel, 1);
	vec_fit(s->states, s->capstates, s->size + 1);
	s->level[0] = (struct level){0, s->prefix.len};
	memset(s->states, 0, s->size);
	text_puts(&s->raw, "");
	text_str(&s->out, text_as_str(&s->prefix));
}

static void
stop(struct stream *s)
{
	text_free(&s->prefix);
	text_free(&s->raw);
	text_free(&s->out);
	text_free(&s->name);
	text_free(&s->renamed);
	free(s->offset);
	free(s->level);
	free(s->states);
}

/* Renames the frame in s->name by a step; false if its name becomes empty. */
static bool
rename_frame(struct stream *s, const struct step *step)
{
	size_t before = s->name.len;

	if (step->run == rename_replace) {
		match_replace(
		    &step->pattern, &step->replacement, s->name.s, s->name.len, &s->renamed);
		text_cut(&s->name, 0);
		text_str(&s->name, text_as_str(&s->renamed));
	} else if (step->run == rename_strip) {
		text_cut(&s->name, strip_frame(step->strip, s->name.s, s->name.len));
	} else {
		text_cut(&s->name, frame_drop_annotations(s->name.s, s->name.len));
	}
	text_cut(&s->name, frame_clean(s->name.s, s->name.len));
	return s->name.len > 0 || before == 0;
}

/* Adds a frame at depth d: the states of all steps, and the result. */
static void
add_frame(struct stream *s, uint32_t d, const char *frame, size_t len)
{
	char *above, *own;
	bool there = true;

	vec_fit(s->level, s->caplevel, (size_t)d + 1);
	vec_fit(s->states, s->capstates, (d + 1) * s->size + 1);
	above = s->states + (d - 1) * s->size;
	own = s->states + d * s->size;
	memcpy(own, above, s->size);
	if (s->nrename == 0) {
		for (size_t i = 0; i < s->f->nstep; i++)
			if (s->f->step[i].where != NULL)
				where_step(s->f->step[i].where, above + s->offset[i], frame, len,
				    own + s->offset[i]);
		return;
	}
	text_cut(&s->name, 0);
	text_add(&s->name, frame, len);
	for (size_t i = 0; there && i < s->f->nstep; i++) {
		const struct step *step = &s->f->step[i];

		if (step->where != NULL)
			where_step(step->where, above + s->offset[i], s->name.s, s->name.len,
			    own + s->offset[i]);
		else if (renames(step))
			there = rename_frame(s, step);
	}
	text_cut(&s->out, s->level[d - 1].out);
	if (there) {
		if (s->level[d - 1].out > s->prefix.len)
			text_char(&s->out, ';');
		text_str(&s->out, text_as_str(&s->name));
	}
	s->level[d].out = s->out.len;
}

/* Adds the frames of a stack whose first `shared` bytes are those of the previous one. */
static void
add_stack(struct stream *s, const char *stack, size_t len, size_t shared)
{
	uint32_t d = s->depth;
	size_t at;

	if (s->nrename == 0) {
		text_cut(&s->out, s->prefix.len + (shared < s->raw.len ? shared : s->raw.len));
		text_add(&s->out, stack + (s->out.len - s->prefix.len),
		    len - (s->out.len - s->prefix.len));
		if (!s->frames)
			return;
	}
	/* As in folded_add: a frame is shared only if it also ends at the same byte. */
	while (d > 0 && (s->level[d].end > shared ||
			    (s->level[d].end < len && stack[s->level[d].end] != ';')))
		d--;
	at = d > 0 ? s->level[d].end + 1 : 0;
	while (at <= len) {
		const char *end = memchr(stack + at, ';', len - at);
		size_t to = end != NULL ? (size_t)(end - stack) : len;

		add_frame(s, ++d, stack + at, to - at);
		s->level[d].end = to;
		at = to + 1;
	}
	s->depth = d;
	if (s->nrename > 0)
		text_cut(&s->out, s->level[d].out);
}

/* The first step that removes the stack, or NULL. */
static struct step *
cut_by(struct stream *s, const value *v, unsigned columns)
{
	const char *states = s->states + s->depth * s->size;
	value sum = 0;

	for (unsigned c = 0; c < columns; c++)
		sum = value_sum(sum, v[c]);
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

/* True if a stack of the result reads back unchanged (folded_write has the exceptions). */
static bool
is_plain(struct str out)
{
	return out.len > 0 && memchr("# \t;\xef\xff\xfe", out.s[0], 7) == NULL;
}

/* The values that steps select by. */
static const value *
values(const struct stream *s, const struct folded_line *l, unsigned *columns)
{
	*columns = s->picked < 0 ? s->f->folded.columns.n : 1;
	return l->value + (s->picked < 0 ? 0 : s->picked);
}

/* The first pass: true if the file and its result are in canonical order. */
static bool
check(struct filter *f, const char *path)
{
	struct folded scan = f->folded;
	struct text last = {0};
	struct folded_file file;
	struct folded_line l;
	struct stream s;
	bool ordered = true, any = false;

	/* The second pass reports malformed lines. */
	scan.warned = FOLDED_SILENT;
	start(&s, f);
	folded_open(&file, &scan, path);
	while (ordered && folded_next(&file, &l)) {
		size_t shared = stack_shared(s.raw.s, s.raw.len, l.stack, l.len, 0);

		ordered = !any || stack_order(s.raw.s, s.raw.len, l.stack, l.len, shared) < 0;
		ordered &= is_plain((struct str){l.stack, l.len});
		any = true;
		if (s.nrename > 0 && ordered) {
			add_stack(&s, l.stack, l.len, shared);
			ordered = is_plain(text_as_str(&s.out)) &&
				  stack_order(last.s, last.len, s.out.s, s.out.len,
				      stack_shared(last.s, last.len, s.out.s, s.out.len, 0)) <= 0;
			text_cut(&last, 0);
			text_str(&last, text_as_str(&s.out));
		}
		text_cut(&s.raw, shared);
		text_add(&s.raw, l.stack + shared, l.len - shared);
	}
	folded_release(&file);
	lines_close(file.in);
	text_free(&last);
	stop(&s);
	f->folded.columns = scan.columns;
	return ordered && any;
}

#define SMALL_FILE (8 * 1024 * 1024) /* bytes of a file that is always streamed */
#define SMALL_TREE (8 * 1024 * 1024) /* bytes of a tree's nodes and names */

/* Closes a file before a second pass, which does not repeat its warnings. */
static void
abandon(struct filter *f, struct folded_file *file)
{
	unsigned warned = f->folded.warned;

	f->folded.warned = FOLDED_SILENT; /* no note about stacks that were not read */
	folded_release(file);
	f->folded.warned = warned;
	lines_close(file->in);
	f->folded.lines = f->folded.malformed = 0;
}

/*
 * Reads stacks into f->begun, up to the first one out of order or the end of f->file. Returns
 * false, with the file closed, if the tree exceeds SMALL_TREE before.
 */
static bool
begin_tree(struct filter *f, const char *path)
{
	struct folded_prefix last = {0};
	struct folded_file *file = &f->file;
	struct calltree *t = NULL;
	struct folded_line l;
	bool ordered = true, small = true;
	uint32_t names = 1;
	size_t bytes = 0; /* of the names */

	input_open(f, file, path);
	while (ordered && small && folded_next(file, &l)) {
		unsigned columns = f->folded.columns.n;
		uint32_t node;

		if (t == NULL) {
			t = calltree_new(columns);
		} else {
			size_t shared = stack_shared(last.stack, last.len, l.stack, l.len, 0);

			ordered = stack_order(last.stack, last.len, l.stack, l.len, shared) < 0;
		}
		node = folded_add(t, &last, l.stack, l.len);
		for (unsigned c = 0; c < columns; c++)
			calltree_add(t, node, c, l.value[c]);
		for (; names < t->nname; names++)
			bytes += t->name[names].len;
		small = bytes + t->nnode * (sizeof *t->node + columns * sizeof *t->self->cell) <=
			SMALL_TREE;
	}
	folded_prefix_free(&last);
	if (ordered && !small) {
		calltree_free(t);
		abandon(f, file);
		return false;
	}
	f->is_open = true;
	f->begun = t;
	return true;
}

bool
filter_can_stream(struct filter *f, char *const *path)
{
	struct stat st;

	if (path[1] != NULL || !can_stream(f) || strcmp(path[0], "-") == 0 ||
	    stat(path[0], &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	if (st.st_size > SMALL_FILE && begin_tree(f, path[0]))
		return false;
	return check(f, path[0]);
}

/* Writes a stack after its equal neighbours have been added to it. */
static void
write_stack(struct output *o, struct text *stack, value *v, unsigned columns, struct foldedend *end)
{
	if (stack->len > 0) {
		folded_write_stack(o, stack->s, stack->len, v, columns);
		end->stacks++;
		for (unsigned c = 0; c < columns; c++)
			end->sum = value_sum(end->sum, v[c]);
	}
	text_cut(stack, 0);
	memset(v, 0, columns * sizeof *v);
}

bool
filter_stream(struct filter *f, char *const *path, struct output *o)
{
	value sum[CALLTREE_COLUMNS] = {0};
	struct folded_columns header;
	struct text last = {0};
	struct folded_file file;
	struct folded_line l;
	struct stream s;
	struct foldedend end = {0};
	unsigned columns = 0;
	bool kept = false, ends = false;

	start(&s, f);
	output_lines(o);
	text_puts(&last, "");
	input_open(f, &file, path[0]);
	while (folded_next(&file, &l)) {
		size_t shared = stack_shared(s.raw.s, s.raw.len, l.stack, l.len, 0);
		struct step *by;
		const value *v;

		if (columns == 0) {
			s.picked = filter_column(f);
			header = filter_columns(f);
			ends = header.ends && !f->no_header;
			if (ends)
				foldedend_announce(o, header.n);
			if (!f->no_header)
				folded_write_header(o, &header);
		}
		v = values(&s, &l, &columns);
		add_stack(&s, l.stack, l.len, shared);
		text_cut(&s.raw, shared);
		text_add(&s.raw, l.stack + shared, l.len - shared);
		by = cut_by(&s, v, columns);
		if (by != NULL) {
			for (unsigned c = 0; c < columns; c++)
				by->cut[c] = value_sum(by->cut[c], v[c]);
			by->ncut++;
			continue;
		}
		kept = true;
		if (!str_equal(text_as_str(&last), text_as_str(&s.out))) {
			write_stack(o, &last, sum, columns, &end);
			text_str(&last, text_as_str(&s.out));
		}
		for (unsigned c = 0; c < columns; c++)
			sum[c] = value_sum(sum[c], v[c]);
	}
	folded_close(&file);
	folded_finish(&f->folded, NULL);
	write_stack(o, &last, sum, columns, &end);
	if (ends)
		foldedend_write(o, &end, header.n);
	text_free(&last);
	stop(&s);
	return kept;
}
