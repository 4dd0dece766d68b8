/*
 * identity: most frames have no source, and their canonical name is the function. The others are
 * sorted by name and file. Then functions of one name in several files, and those of one name in
 * one file, get numbers of their own.
 */
#include "names/identity.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/sort.h"
#include "base/vec.h"
#include "names/canonical.h"
#include "names/funcname.h"
#include "names/language.h"
#include "names/numbered.h"
#include "names/origin.h"
#include "names/sourcefile.h"

/* A frame with a source file. */
struct entry {
	uint32_t text; /* in identity.functions: its name without the source */
	uint32_t path; /* in identity.paths */
	uint32_t file; /* the file that sourcefile_match found; later one of several that moved */
	unsigned line; /* of the definition; 0: unknown */
	uint32_t side, name;
};

/* The source file of a frame's text; its function is that of the frame. */
struct known {
	uint32_t side, name;
	uint32_t path; /* 0: no source file */
	unsigned line;
};

struct finding {
	struct identity *id;
	struct identity_side *side;
	size_t sides;
	struct entry *entry;
	size_t n, cap;
	size_t capmoved, capmerged;
	struct nosymbol nosymbol;
	size_t *first; /* by path: its first entry, sorted by path and text */
	uint32_t *shared; /* by path: of find_shared, for the current name */
	uint8_t *lines; /* by file: LINES_* */
	struct known *known; /* of all different frames so far */
	size_t nknown, capknown;
	struct hash_index index;
	struct text generated;
	uint8_t *language; /* by path: 1 + that of the file, 0 if it is not known yet */
	size_t caplanguage;
};

/* True if the file with that number in paths is JavaScript. Most files have many functions. */
static bool
is_node(struct finding *f, uint32_t path, struct str file)
{
	size_t had = f->caplanguage;

	vec_fit(f->language, f->caplanguage, (size_t)path + 1);
	memset(f->language + had, 0, f->caplanguage - had);
	if (f->language[path] == 0)
		f->language[path] = (uint8_t)(1 + language_of_file(file));
	return f->language[path] == 1 + LANGUAGE_NODE;
}

/* True if the line of such a frame is that of the function's definition. */
static bool
is_definition(struct finding *f, const struct frame_name *n, uint32_t path, struct str file)
{
	return n->kind == FRAME_SCRIPT || name_is_anonymous(n) || is_node(f, path, file);
}

/* Readers of runtimes write `name (file)` where the line is unknown: cuts the file off. */
static struct str
cut_file(const struct frame_name *n, size_t *len)
{
	size_t at = *len;
	struct str file;

	if (n->file.len > 0 || (n->kind != FRAME_JIT && n->kind != FRAME_SCRIPT) || at < 4 ||
	    n->start[at - 1] != ')')
		return n->file;
	while (at > 1 && n->start[at - 1] != '(')
		at--;
	if (at < 3 || n->start[at - 2] != ' ')
		return n->file;
	file = (struct str){n->start + at, *len - at - 1};
	*len = at - 2;
	return file;
}

/* Replaces t by the readable form of a raw name of a perf map or jitdump; false for others. */
static bool
is_generated(struct text *t, const struct frame_name *n)
{
	text_cut(t, 0);
	return canonical_generated(t, (struct str){n->start, n->bare}, true);
}

/*
 * Finds the function of a frame, as entry.text, and its source file. False if that depends on its
 * side: functions without symbols.
 */
static bool
classify(struct finding *f, uint32_t s, uint32_t i, struct known *k)
{
	const struct calltree_name *name = &f->side[s].name[i];
	struct frame_name n = name_parse(name->s, name->len);
	size_t len = n.bare, addresses = f->nosymbol.naddress;
	uint32_t *function = &f->side[s].function[i];
	struct str file;
	bool in_name = false; /* its place */

	if (n.file.len == 0 && is_generated(&f->generated, &n)) {
		n = name_parse(f->generated.s, (uint32_t)f->generated.len);
		n.kind = FRAME_JIT;
		len = n.bare;
	}
	file = cut_file(&n, &len);
	*k = (struct known){.side = s, .name = i};
	if ((*function = nosymbol_function(&f->nosymbol, &n, s, i)) != 0)
		return false;
	if (n.start != f->generated.s &&
	    (in_name = canonical_place(&f->generated, n.start, len, &file, &n.line)))
		*function = funcname_intern(f->id->functions, f->generated.s, f->generated.len);
	else
		*function = funcname_intern(f->id->functions, n.start, len);
	if (file.len > 0) {
		k->path = calltree_intern(f->id->paths, file.s, file.len);
		k->line = in_name || is_definition(f, &n, k->path, file) ? n.line : 0;
	}
	return f->nosymbol.naddress == addresses;
}

/* Returns an earlier side's frame with the same text, or NULL. */
static const struct known *
find_known(const struct finding *f, uint32_t hash, const struct calltree_name *name)
{
	for (uint32_t at = hash, n; (n = hash_index_next(&f->index, hash, &at)) != 0;) {
		const struct known *k = &f->known[n - 1];
		const struct calltree_name *other = &f->side[k->side].name[k->name];

		if (other->len == name->len && memcmp(other->s, name->s, name->len) == 0)
			return k;
	}
	return NULL;
}

/* Classifies the frames of a side. Most sides share most texts. */
static void
read_side(struct finding *f, uint32_t s)
{
	struct identity_side *side = &f->side[s];

	side->function = cli_alloc(side->n, sizeof *side->function);
	for (uint32_t i = 1; i < side->n; i++) {
		const struct calltree_name *name = &side->name[i];
		uint32_t hash = f->sides > 1 ? (uint32_t)hash_bytes(name->s, name->len) : 0;
		const struct known *known = s > 0 ? find_known(f, hash, name) : NULL;
		struct known k;

		if (known != NULL) {
			side->function[i] = f->side[known->side].function[known->name];
		} else {
			known = &k;
			if (classify(f, s, i, &k) && s + 1 < f->sides) {
				vec_fit(f->known, f->capknown, f->nknown + 1);
				f->known[f->nknown++] = k;
				hash_index_add(&f->index, hash, (uint32_t)f->nknown);
			}
		}
		if (known->path == 0)
			continue;
		vec_fit(f->entry, f->cap, f->n + 1);
		f->entry[f->n++] = (struct entry){.text = side->function[i],
		    .path = known->path,
		    .line = known->line,
		    .side = s,
		    .name = i};
	}
}

/* Joins functions whose names differ in an arbitrary number. */
static void
join_numbered(struct finding *f)
{
	uint32_t *to = numbered_find(f->side, f->sides, f->id->functions);

	if (to == NULL)
		return;
	for (size_t s = 0; s < f->sides; s++)
		for (uint32_t i = 1; i < f->side[s].n; i++)
			if (to[f->side[s].function[i]] != 0)
				f->side[s].function[i] = to[f->side[s].function[i]];
	for (size_t i = 0; i < f->n; i++)
		if (to[f->entry[i].text] != 0)
			f->entry[i].text = to[f->entry[i].text];
	free(to);
}

/* Compares functions of one name in one file. */
static int
compare_places(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->side != y->side)
		return x->side < y->side ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->name > y->name) - (x->name < y->name);
}

/* Sorts the entries by key, which has a value for each of them; stable. */
static void
sort_by_key(struct finding *f, struct radix *key)
{
	struct entry *sorted = cli_realloc(NULL, f->n, sizeof *sorted);

	radix_sort(key, f->n);
	for (size_t i = 0; i < f->n; i++)
		sorted[i] = f->entry[key[i].value];
	free(f->entry);
	f->entry = sorted;
	f->cap = f->n;
}

static void
sort_by_path(struct finding *f)
{
	struct radix *key = cli_alloc(f->n, sizeof *key);

	for (size_t i = 0; i < f->n; i++)
		key[i] = (struct radix){(uint64_t)f->entry[i].path << 32 | f->entry[i].text, i};
	sort_by_key(f, key);
	free(key);
}

/* Sorts by name, file, side and line. */
static void
sort_by_text(struct finding *f)
{
	struct radix *key = cli_alloc(f->n, sizeof *key);

	for (size_t i = 0; i < f->n; i++)
		key[i] = (struct radix){(uint64_t)f->entry[i].text << 32 | f->entry[i].file, i};
	sort_by_key(f, key);
	for (size_t i = 0, end; i < f->n; i = end) {
		bool ordered = true;

		for (end = i + 1; end < f->n && key[end].key == key[i].key; end++)
			ordered &= compare_places(&f->entry[end - 1], &f->entry[end]) < 0;
		if (!ordered)
			sort_items(f->entry + i, end - i, sizeof *f->entry, compare_places);
	}
	free(key);
}

/* The evidence that two paths are one file. */
static enum sourcefile_evidence
compare_functions(const void *finding, uint32_t a, uint32_t b)
{
	const struct finding *f = finding;
	size_t i = f->first[a], k = f->first[b];
	bool both = false, one = false, other = false;

	for (;;) {
		uint32_t x = i < f->n && f->entry[i].path == a ? f->entry[i].text : UINT32_MAX;
		uint32_t y = k < f->n && f->entry[k].path == b ? f->entry[k].text : UINT32_MAX;
		uint32_t text = x < y ? x : y;

		if (text == UINT32_MAX)
			break;
		if (x == y && !sourcefile_is_common(&f->id->functions->name[x]))
			return SOURCEFILE_SAME;
		both |= x == y;
		one |= x < y;
		other |= y < x;
		while (i < f->n && f->entry[i].path == a && f->entry[i].text == text)
			i++;
		while (k < f->n && f->entry[k].path == b && f->entry[k].text == text)
			k++;
	}
	return both && !(one && other) ? SOURCEFILE_PERHAPS : SOURCEFILE_OTHER;
}

static void
add_move(struct finding *f, uint32_t function, uint32_t from, uint32_t to)
{
	struct identity *id = f->id;

	vec_fit(id->moved, f->capmoved, id->nmoved + 1);
	id->moved[id->nmoved++] = (struct identity_move){function, from, to};
}

/* Length of the directories that two paths begin with, without the last slash. */
static size_t
shared_directory(const struct calltree_name *a, const struct calltree_name *b)
{
	size_t n = 0;

	for (size_t i = 0; i < a->len && i < b->len && a->s[i] == b->s[i]; i++)
		if (a->s[i] == '/')
			n = i;
	return n;
}

/*
 * Adds files that are elsewhere below a directory that is in its place, since another file in it
 * is: not those of another checkout or version.
 */
static void
add_moved_files(struct finding *f, const uint32_t *file)
{
	const struct calltree *paths = f->id->paths;
	struct calltree *places; /* directories of files that two sides have */
	uint32_t last = 0, joined = 1;

	while (joined < paths->nname && (file[joined] == 0 || file[joined] == joined))
		joined++;
	if (joined == paths->nname)
		return;
	places = calltree_new(0);
	for (size_t i = 1; i < f->n; i++) {
		const struct calltree_name *path = &paths->name[f->entry[i].path];

		if (f->entry[i].path != f->entry[i - 1].path || f->entry[i].path == last ||
		    f->entry[i].side == f->entry[i - 1].side)
			continue;
		last = f->entry[i].path;
		for (size_t k = path->len; k-- > 1;)
			if (path->s[k] == '/')
				calltree_intern(places, path->s, k);
	}
	for (uint32_t i = 1; i < paths->nname && places->nname > 1; i++) {
		const struct calltree_name *old = &paths->name[file[i]], *new = &paths->name[i];
		size_t shared = file[i] != 0 && file[i] != i ? shared_directory(old, new) : 0;

		if (shared > 0 && calltree_find(places, old->s, shared) != 0 &&
		    !sourcefile_is_version(old, new))
			add_move(f, 0, file[i], i);
	}
	calltree_free(places);
}

/* Sets the file of each entry. */
static void
find_files(struct finding *f)
{
	uint32_t paths = f->id->paths->nname, *file, *path = NULL;
	struct sourcefile_side *side = cli_alloc(f->sides, sizeof *side);
	size_t *n = cli_alloc(f->sides, sizeof *n), all = 0;

	f->first = cli_alloc(paths, sizeof *f->first);
	sort_by_path(f);
	for (size_t i = f->n; i-- > 0;)
		f->first[f->entry[i].path] = i;
	/* the entries of a path are neighbours, but not those of a side */
	for (int pass = 0; pass < 2; pass++) {
		uint32_t *seen = cli_alloc(f->sides, sizeof *seen);

		if (pass == 1)
			path = cli_alloc(all, sizeof *path);
		for (size_t s = 0, at = 0; pass == 1 && s < f->sides; at += n[s++])
			side[s].path = path + at;
		for (size_t i = 0; i < f->n; i++) {
			uint32_t s = f->entry[i].side;

			if (seen[s] == f->entry[i].path)
				continue;
			seen[s] = f->entry[i].path;
			if (pass == 0) {
				n[s]++;
				all++;
			} else {
				((uint32_t *)side[s].path)[side[s].n++] = f->entry[i].path;
			}
		}
		free(seen);
	}
	file = sourcefile_match(f->id->paths, side, f->sides, compare_functions, f);
	add_moved_files(f, file);
	for (size_t i = 0; i < f->n; i++)
		f->entry[i].file = file[f->entry[i].path];
	free(path);
	free(file);
	free(n);
	free(side);
	free(f->first);
}

/* Returns the end of the entries of one text, or of one text and file, that begin at `from`. */
static size_t
end_of(const struct finding *f, size_t from, bool file)
{
	size_t i = from;

	while (i < f->n && f->entry[i].text == f->entry[from].text &&
	       (!file || f->entry[i].file == f->entry[from].file))
		i++;
	return i;
}

#define FILES_MAX 16 /* of one name, among which a move is looked for */

/*
 * Finds the only pair of files with a name, of which the first one has it on earlier sides only,
 * and the other one on later sides only. False if there is none, or several.
 */
static bool
find_move(const struct finding *f, size_t from, size_t end, const struct entry *pair[2])
{
	const struct entry *first[FILES_MAX], *last[FILES_MAX];
	size_t n = 0, pairs = 0;

	for (size_t i = from, next; i < end; i = next) {
		next = end_of(f, i, true);
		if (n == FILES_MAX)
			return false;
		first[n] = &f->entry[i];
		last[n++] = &f->entry[next - 1];
	}
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (last[i]->side < first[k]->side) {
				pair[0] = last[i];
				pair[1] = first[k];
				pairs++;
			}
	return pairs == 1;
}

/*
 * Joins files whose functions moved together, and then single functions that moved. A name that
 * many files have is not evidence. The entries are sorted before and after.
 */
static void
join_moved(struct finding *f)
{
	uint32_t paths = f->id->paths->nname;
	size_t files;
	uint32_t *to = cli_alloc(paths, sizeof *to), *from = cli_alloc(paths, sizeof *from);
	uint32_t old, new;
	uint32_t *first = cli_alloc(paths, sizeof *first), *last = cli_alloc(paths, sizeof *last);
	const struct entry *pair[2];

	for (size_t i = 0, end; i < f->n; i = end) {
		end = end_of(f, i, false);
		if (sourcefile_is_common(&f->id->functions->name[f->entry[i].text]) ||
		    !find_move(f, i, end, pair))
			continue;
		/* UINT32_MAX: to several files */
		to[pair[0]->file] = to[pair[0]->file] == 0 || to[pair[0]->file] == pair[1]->file
					? pair[1]->file
					: UINT32_MAX;
		from[pair[1]->file] =
		    from[pair[1]->file] == 0 || from[pair[1]->file] == pair[0]->file ? pair[0]->file
										     : UINT32_MAX;
	}
	for (size_t i = 0; i < f->n; i++) { /* the sides that have each file */
		struct entry *e = &f->entry[i];

		first[e->file] = first[e->file] == 0 || e->side < first[e->file] - 1
				     ? e->side + 1
				     : first[e->file];
		last[e->file] = e->side + 1 > last[e->file] ? e->side + 1 : last[e->file];
	}
	for (uint32_t file = 1; file < paths; file++)
		if (to[file] != 0 && to[file] != UINT32_MAX && from[to[file]] == file &&
		    last[file] < first[to[file]])
			add_move(f, 0, file, to[file]);
		else
			to[file] = 0;
	for (size_t i = 0; i < f->n; i++)
		while (to[f->entry[i].file] != 0)
			f->entry[i].file = to[f->entry[i].file];
	if (f->id->nmoved > 0)
		sort_by_text(f);
	files = f->id->nmoved;
	for (size_t i = 0, end; i < f->n; i = end) {
		end = end_of(f, i, false);
		if (sourcefile_is_common(&f->id->functions->name[f->entry[i].text]) ||
		    !find_move(f, i, end, pair))
			continue;
		add_move(f, f->entry[i].text, pair[0]->path, pair[1]->path);
		old = pair[0]->file;
		new = pair[1]->file;
		for (size_t k = i; k < end; k++)
			if (f->entry[k].file == old)
				f->entry[k].file = new;
	}
	if (f->id->nmoved > files)
		sort_by_text(f);
	free(to);
	free(from);
	free(first);
	free(last);
}

/* Number of different lines of a side's entries in [from, end); 1 if a line is unknown. */
static size_t
count_lines(const struct finding *f, size_t from, size_t end)
{
	size_t n = 0;

	for (size_t i = from; i < end; i++) {
		if (f->entry[i].line == 0)
			return 1;
		n += i == from || f->entry[i].line != f->entry[i - 1].line;
	}
	return n;
}

/* End of the entries of the side of `from`. */
static size_t
end_of_side(const struct finding *f, size_t from, size_t end)
{
	size_t i = from;

	while (i < end && f->entry[i].side == f->entry[from].side)
		i++;
	return i;
}

/*
 * Number of functions of one name in one file, [from, end): that of each side, if all have equally
 * many, or else 1. *unequal: they are merged.
 */
static size_t
count_functions(const struct finding *f, size_t from, size_t end, bool *unequal)
{
	size_t n = 0;

	*unequal = false;
	for (size_t i = from, next; i < end; i = next) {
		size_t here;

		next = end_of_side(f, i, end);
		if (f->side[f->entry[i].side].past)
			continue;
		here = count_lines(f, i, next);
		if (n != 0 && here != n) {
			*unequal = true;
			return 1;
		}
		n = here;
	}
	return n > 0 ? n : 1;
}

/* Number of the function "name (file:line)"; `place` is the end of its path. */
static uint32_t
intern_place(struct finding *f, uint32_t text, struct str place, unsigned line)
{
	struct calltree *functions = f->id->functions;
	struct text t = {0};
	uint32_t number;

	text_add(&t, functions->name[text].s, functions->name[text].len);
	text_puts(&t, " (");
	text_str(&t, place);
	if (line > 0)
		text_printf(&t, ":%u", line);
	text_char(&t, ')');
	number = calltree_intern(functions, t.s, t.len);
	text_free(&t);
	return number;
}

/* Sets by path the bytes that sourcefile_shared finds among the paths of the name [from, end). */
static void
find_shared(struct finding *f, size_t from, size_t end)
{
	uint32_t *path = cli_alloc(end - from, sizeof *path), n = 0;
	uint32_t *file = cli_alloc(end - from, sizeof *file);

	if (f->shared == NULL)
		f->shared = cli_alloc(f->id->paths->nname, sizeof *f->shared);
	for (size_t i = from; i < end; i++) {
		const struct entry *e = &f->entry[i];

		if (f->shared[e->path] == UINT32_MAX)
			continue;
		f->shared[e->path] = UINT32_MAX;
		path[n] = e->path;
		file[n++] = e->file;
	}
	sourcefile_shared(f->id->paths, path, file, n, f->shared);
	free(path);
	free(file);
}

/* The shortest end of a path that no other file of its name has. */
static struct str
short_place(const struct finding *f, const struct entry *of, bool several)
{
	const struct calltree_name *path = &f->id->paths->name[of->path];
	size_t len = several ? f->shared[of->path] : 0;

	/* to the start of a component, of which the other files do not have all */
	len += len > 0 && len < path->len;
	while (len < path->len && path->s[path->len - 1 - len] != '/' &&
	       path->s[path->len - 1 - len] != '\\')
		len++;
	return (struct str){path->s + path->len - len, len};
}

enum { LINES_KEPT = 1, LINES_SHIFTED = 2 };

/*
 * Compares the lines of a function of one name and file, [from, end), of which each side has one.
 * Returns LINES_*, or 0. The first line does not count.
 */
static uint8_t
compare_lines(const struct finding *f, size_t from, size_t end)
{
	const struct entry *last = NULL;
	uint8_t shows = 0;

	for (size_t i = from, next; i < end; i = next) {
		next = end_of_side(f, i, end);
		if (f->side[f->entry[i].side].past)
			continue;
		if (f->entry[i].line <= 1 || count_lines(f, i, next) != 1)
			return 0;
		if (last != NULL)
			shows |= last->line == f->entry[i].line ? LINES_KEPT : LINES_SHIFTED;
		last = &f->entry[i];
	}
	return shows;
}

/*
 * True if the order of functions of one name, [from, end), would make two of one that is at the
 * same line on two sides: those that were sampled differ, not their lines. Counts as number_file.
 */
static bool
is_parted(const struct finding *f, size_t from, size_t newest, size_t end)
{
	size_t last = end_of_side(f, newest, end);

	for (size_t i = from, next; i < newest; i = next) {
		next = end_of_side(f, i, end);
		if (f->side[f->entry[i].side].past)
			continue;
		for (size_t j = i, k = newest, m = newest; j < next && k < last;) {
			unsigned line = f->entry[j].line, other = f->entry[k].line;

			while (m < last && f->entry[m].line < line)
				m++;
			if (line != other && m < last && f->entry[m].line == line)
				return true;
			while (j < next && f->entry[j].line == line)
				j++;
			while (k < last && f->entry[k].line == other)
				k++;
		}
	}
	return false;
}

/* Sets the functions of one name in one file; `several`: other files have the name, too. */
static void
number_file(struct finding *f, size_t from, size_t end, bool several)
{
	struct identity *id = f->id;
	uint32_t text = f->entry[from].text, *number, one;
	bool unequal;
	size_t n = count_functions(f, from, end, &unequal);
	struct str place = {0};
	size_t newest = from; /* the first entry of the last side that counts */
	bool by_line;

	if (several || n > 1)
		place = short_place(f, &f->entry[end - 1], several);
	one = several ? intern_place(f, text, place, 0) : text;
	if (unequal) {
		vec_fit(id->merged, f->capmerged, id->nmerged + 1);
		id->merged[id->nmerged++] = one;
	}
	number = cli_alloc(n, sizeof *number);
	for (size_t i = from, next; i < end; i = next) {
		next = end_of_side(f, i, end);
		if (!f->side[f->entry[i].side].past)
			newest = i;
	}
	by_line =
	    n > 1 && f->lines[f->entry[from].file] == LINES_KEPT && is_parted(f, from, newest, end);
	for (size_t i = newest, k = 0; i < end && k < n; i++) {
		if (i > newest && f->entry[i].line == f->entry[i - 1].line)
			continue;
		number[k++] = n > 1 ? intern_place(f, text, place, f->entry[i].line) : one;
	}
	for (size_t i = from, next; i < end; i = next) {
		size_t k = 0;

		next = end_of_side(f, i, end);
		for (size_t j = i; j < next; j++) {
			const struct entry *e = &f->entry[j];

			k += j > i && n > 1 && e->line != f->entry[j - 1].line && k + 1 < n;
			f->side[e->side].function[e->name] =
			    by_line ? intern_place(f, text, place, e->line) : number[k];
		}
	}
	free(number);
}

/* Numbers the functions of each name that has source files. */
static void
number_functions(struct finding *f)
{
	f->lines = cli_alloc(f->id->paths->nname, sizeof *f->lines);
	for (size_t i = 0, end; i < f->n; i = end) {
		end = end_of(f, i, true);
		f->lines[f->entry[i].file] |= compare_lines(f, i, end);
	}
	for (size_t i = 0, end; i < f->n; i = end) {
		bool several;

		end = end_of(f, i, false);
		several = end_of(f, i, true) != end;
		if (several)
			find_shared(f, i, end);
		for (size_t k = i, next; k < end; k = next) {
			next = end_of(f, k, true);
			number_file(f, k, next, several);
		}
	}
	free(f->shared);
	free(f->lines);
}

void
identity_find(struct identity *id, struct identity_side *side, size_t sides)
{
	struct finding f = {.id = id, .side = side, .sides = sides};

	*id = (struct identity){
	    .side = side, .sides = sides, .functions = calltree_new(0), .paths = calltree_new(0)};
	f.nosymbol = (struct nosymbol){.side = side, .sides = sides, .functions = id->functions};
	for (size_t s = 0; s < sides; s++)
		read_side(&f, (uint32_t)s);
	free(f.known);
	hash_index_free(&f.index);
	text_free(&f.generated);
	free(f.language);
	nosymbol_end(&f.nosymbol);
	id->module = f.nosymbol.module;
	id->nmodules = f.nosymbol.nmodules;
	join_numbered(&f);
	if (f.n > 0) {
		find_files(&f);
		sort_by_text(&f);
		join_moved(&f);
		number_functions(&f);
	}
	id->stands = cli_alloc(id->functions->nname, sizeof *id->stands);
	for (size_t i = 0; i < id->nmodules; i++)
		id->stands[id->module[i].function] = true;
	free(f.entry);
}

uint32_t
identity_named(const struct identity *id, const char *s, size_t len)
{
	return calltree_find(id->functions, s, len);
}

bool
identity_text(
    const struct identity *id, uint32_t function, const struct calltree_name *frame, struct text *t)
{
	size_t body = frame_body(frame->s, frame->len);

	if (!id->stands[function])
		return false;
	text_cut(t, 0);
	text_add(t, id->functions->name[function].s, id->functions->name[function].len);
	text_add(t, frame->s + body, frame->len - body);
	return true;
}

void
identity_free(struct identity *id)
{
	for (size_t s = 0; s < id->sides; s++)
		free(id->side[s].function);
	free(id->side);
	calltree_free(id->functions);
	calltree_free(id->paths);
	free(id->stands);
	free(id->moved);
	free(id->module);
	free(id->merged);
}
