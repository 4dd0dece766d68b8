/*
 * heaptrack: each allocation of a program and each free, in lines of a letter and
 * hexadecimal numbers, which index the tables built by earlier lines:
 *
 *	v 10400 3                       versions: of heaptrack, of the file
 *	s 4 main                        a string; before version 3 without its length
 *	i 559985d6e8b9 1 14 15 d        an address: module, function, file, line; then
 *	                                the same for the function that it is inlined into
 *	t 8 7                           a trace: its address, and its caller's trace
 *	a 64 9                          a kind of allocation: its size and its trace
 *	+ 1                             an allocation of that kind, by its number
 *	- 1                             a free of one
 *
 * All but the last table count from 1.
 */
#include "fg-collapse/format.h"

#include <stdlib.h>

#include "base/cli.h"
#include "base/vec.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/jsonarray.h"
#include "fg-collapse/shape/scan.h"
#include "sample/events.h"
#include "sample/nodes.h"
#include "sample/sample.h"

#define LARGEST (UINT64_C(1) << 48) /* limit of the size of an allocation, so that sums fit */

enum { ALLOCATIONS, TEMPORARY, PEAK, LEAKED, BYTES, EVENTS };

/* Allocations of one size from one trace. */
struct info {
	uint64_t size;
	uint32_t trace;
	uint64_t all, held;
	uint64_t temporary; /* freed before any other allocation */
	uint64_t most; /* allocations held at a peak of the total, */
	uint64_t peak; /* number of that peak */
};

struct heap {
	struct reader *reader;
	uint64_t version;
	struct json_strings strings;
	size_t *end; /* end of each address's frames in frame */
	uint32_t addresses, capend;
	uint32_t *frame; /* names, innermost function first */
	size_t frames, capframe;
	uint32_t *node; /* node of each trace in the tree */
	uint32_t traces, capnode;
	struct info *info;
	uint32_t infos, capinfo;
	unsigned __int128 held, most; /* bytes held now, and at most */
	uint64_t peaks; /* number of times that `most` grew */
	uint32_t last; /* info + 1 of the last allocation if nothing came after it */
	struct text text;
};

/* Takes the next number of the line. */
static bool
take(struct str *s, uint64_t *n)
{
	size_t len;

	scan_blanks(s);
	len = text_hex(s->s, s->len, n);
	if (len == 0 || len > 16 || (len < s->len && s->s[len] != ' '))
		return false;
	*s = str_from(*s, len);
	return true;
}

/* String n, from 1; its s is NULL if there is none. */
static struct str
string(const struct heap *h, uint64_t n)
{
	return n == 0 || n > h->strings.n ? (struct str){0} : json_string_at(&h->strings, n - 1);
}

/* Reads a string; a malformed one also gets an index in the table. */
static bool
read_string(struct heap *h, struct str s)
{
	uint64_t len;
	bool complete = true;

	if (h->version >= 3) {
		complete = take(&s, &len) && s.len > 0 && len == s.len - 1;
		s = str_from(s, 1);
	}
	json_strings_add(&h->strings, s);
	return complete;
}

/* Reads a function of an address; true if another follows, into which it is inlined. */
static bool
read_function(struct heap *h, struct frame f, struct str *s)
{
	uint64_t function = 0, file = 0, line = 0;
	bool missing;

	if (take(s, &function) && take(s, &file) && take(s, &line) && line <= UINT32_MAX)
		f.line = (unsigned)line;
	text_cut(&h->text, 0);
	f.function = string(h, function);
	missing = function > 0 && f.function.s == NULL;
	plainname_add(&h->text, f.function, false);
	f.function = text_as_str(&h->text);
	f.file = string(h, file);
	f.inlined = file != 0 && s->len > 0;
	vec_fit(h->frame, h->capframe, h->frames + 1);
	h->frame[h->frames++] = missing ? SAMPLE_MISSING : sample_name(h->reader->sampler, &f);
	return f.inlined;
}

static bool
read_address(struct heap *h, struct str s)
{
	uint64_t module = 0;
	struct frame f = {.has_address = true};
	bool complete = take(&s, &f.address) && take(&s, &module);

	f.module = string(h, module);
	f.kind = frame_kind_of(f.module);
	while (read_function(h, f, &s))
		continue;
	vec_fit(h->end, h->capend, (size_t)h->addresses + 1);
	h->end[h->addresses++] = h->frames;
	return complete && s.len == 0;
}

static bool
read_trace(struct heap *h, struct str s)
{
	uint64_t address = 0, caller = 0;
	uint32_t node = CALLTREE_ROOT;
	bool complete = take(&s, &address) && take(&s, &caller) && s.len == 0 &&
			address <= h->addresses && caller <= h->traces;
	size_t first = complete && address > 1 ? h->end[address - 2] : 0;

	if (complete && caller > 0)
		node = h->node[caller - 1];
	if (complete && address > 0)
		for (size_t i = h->end[address - 1]; i > first;)
			node = sample_child_known(h->reader->sampler, node, h->frame[--i]);
	if (!complete)
		node = SAMPLE_MISSING;
	vec_fit(h->node, h->capnode, (size_t)h->traces + 1);
	h->node[h->traces++] = node;
	return complete;
}

static bool
read_info(struct heap *h, struct str s)
{
	struct info i = {0};
	uint64_t trace = 0;
	bool complete = take(&s, &i.size) && take(&s, &trace) && s.len == 0 && i.size <= LARGEST &&
			trace <= h->traces;

	i.trace = complete ? (uint32_t)trace : SAMPLE_MISSING;
	if (!complete)
		i.size = 0;
	vec_fit(h->info, h->capinfo, (size_t)h->infos + 1);
	h->info[h->infos++] = i;
	return complete;
}

/* Stores the count held at the last peak, before it changes. */
static void
note_peak(const struct heap *h, struct info *i)
{
	if (i->peak != h->peaks)
		i->most = i->held;
	i->peak = h->peaks;
}

static bool
allocate(struct heap *h, struct str s)
{
	uint64_t n;
	struct info *i;

	if (!take(&s, &n) || s.len > 0 || n >= h->infos)
		return false;
	i = &h->info[n];
	note_peak(h, i);
	i->all++;
	i->held++;
	h->held += i->size;
	if (h->held > h->most) {
		h->most = h->held;
		h->peaks++;
	}
	h->last = (uint32_t)n + 1;
	return true;
}

static bool
give_back(struct heap *h, struct str s)
{
	uint64_t n;
	struct info *i;

	if (!take(&s, &n) || s.len > 0 || n >= h->infos || h->info[n].held == 0)
		return false;
	i = &h->info[n];
	note_peak(h, i);
	i->held--;
	i->temporary += h->last == n + 1;
	h->held -= i->size;
	h->last = 0;
	return true;
}

static void
refuse_unversioned(const struct heap *h)
{
	const char *input = lines_name(h->reader->lines);

	if (h->version == 0)
		cli_die("%s: heaptrack files without a version are not supported; use "
			"heaptrack_print -f %s -F stacks.txt",
		    input, input);
}

static void
read_version(struct heap *h, struct str s)
{
	uint64_t heaptrack = 0;

	take(&s, &heaptrack);
	if (!take(&s, &h->version))
		h->version = heaptrack == 0x10200; /* this heaptrack wrote file version 1 */
	reader_version(h->reader, VERSION_HEAPTRACK, h->version, 0);
	refuse_unversioned(h);
}

static bool
read_one(struct heap *h, struct str line)
{
	char letter = line.s[0];
	struct str s = str_from(line, 2);

	if (line.len > 1 && line.s[1] != ' ')
		return false;
	if (strchr("+-stai", letter) != NULL)
		refuse_unversioned(h);
	switch (letter) {
	case '+': return allocate(h, s);
	case '-': return give_back(h, s);
	case 's': return read_string(h, s);
	case 't': return read_trace(h, s);
	case 'a': return read_info(h, s);
	case 'i': return read_address(h, s);
	case 'v': read_version(h, s); return true;
	case 'x':
		if (h->addresses + h->traces + h->infos > 0)
			return false; /* the version comes first */
		cli_die("%s: heaptrack --raw output is unsymbolized; pass it through "
			"heaptrack_interpret, or record without --raw",
		    lines_name(h->reader->lines));
	}
	/* Lines to skip: times and sizes, the command, attached processes, known leaks. */
	if (strchr("cRXAIS#", letter) == NULL)
		reader_refuse(h->reader, h->reader->number,
		    "not a line of heaptrack's format: indices after it may be wrong");
	return true;
}

static void
give_all(struct heap *h, const uint32_t *event)
{
	static const struct sample_task nobody;
	struct sampler *s = h->reader->sampler;

	for (uint32_t n = 0; n < h->infos; n++) {
		struct info *i = &h->info[n];
		struct sample_weight w[EVENTS];
		uint32_t node;

		note_peak(h, i);
		w[0] = (struct sample_weight){event[ALLOCATIONS], value_of(i->all)};
		w[1] = (struct sample_weight){event[TEMPORARY], value_of(i->temporary)};
		w[2] = (struct sample_weight){event[PEAK], value_of(i->size) * i->most};
		w[3] = (struct sample_weight){event[LEAKED], value_of(i->size) * i->held};
		w[4] = (struct sample_weight){event[BYTES], value_of(i->size) * i->all};
		node = i->trace == SAMPLE_MISSING ? SAMPLE_MISSING
		       : i->trace > 0		  ? h->node[i->trace - 1]
						  : CALLTREE_ROOT;
		if (!sample_begin_all(s, &nobody, w, EVENTS, SAMPLE_NO_TIME))
			continue;
		if (node == SAMPLE_MISSING) {
			sample_frame_named(s, SAMPLE_MISSING);
			sample_end(s);
		} else
			for (unsigned e = 0; e < EVENTS; e++)
				if (event[e] == s->column[0])
					sample_add(s, node, SAMPLE_NO_TIME, &w[e].weight);
	}
}

static void
read_input(struct reader *r)
{
	static const char *const name[EVENTS] = {
	    "allocations", "temporary", "peak", "leaked", "bytes"};
	struct heap h = {.reader = r};
	uint32_t event[EVENTS];
	struct str line;

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_ROOT_FIRST);
	sampler_tree(r->sampler, NULL, 1);
	for (unsigned e = 0; e < EVENTS; e++)
		event[e] = sampler_event(
		    r->sampler, str_of(name[e]), str_of(e < PEAK ? "allocations" : "bytes"));
	sampler_default(r->sampler, event[ALLOCATIONS]);
	while (reader_raw(r, &line)) {
		if (str_ends(line, "\r"))
			line.len--;
		if (line.len > 0 && !read_one(&h, line))
			reader_malformed(
			    r, "not a line of heaptrack's format, or it has an invalid index");
	}
	give_all(&h, event);
	json_strings_free(&h.strings);
	free(h.end);
	free(h.frame);
	free(h.node);
	free(h.info);
	text_free(&h.text);
}

static int
sniff(const char *data, size_t len)
{
	struct str rest = {data, len}, line;
	uint64_t n;

	if (!scan_line(&rest, &line) || !scan_word(&line, "v ") || !take(&line, &n) ||
	    (n != 0x10200 && !take(&line, &n)))
		return 0;
	while (scan_line(&rest, &line))
		if (str_starts(line, "X ") || str_starts(line, "x ") || str_starts(line, "I ") ||
		    line.len == 1)
			return 97;
	return 0;
}

const struct format heaptrack_format = {
    .provides = DATA_CODE | DATA_EVENT,
    .values = FOLDED_EXACT,
    .sniff = sniff,
    .read = read_input,
};
