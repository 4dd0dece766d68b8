/*
 * stackcache: from the lines of a sample to the leaf node of its stack.
 *
 * Stacks repeat, and so do their root ends: these are not parsed (tails.h). The node of each
 * other frame is a child of its caller's node. The names of recent lines are cached by their text;
 * any other line is hashed without address and offset, and a memo maps the hash to its names, so
 * that each name is made once.
 */
#include "fg-collapse/perfscript/stackcache.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/hash.h"
#include "base/vec.h"
#include "sample/nodes.h"

#define LINES (1u << 18) /* slots: limit of the memo */
#define MANY UINT32_C(0x80000000) /* flag of a line's number: an index into many, else a name */

static const struct memo_key inlined_key = {
    UINT64_C(0x8a5cd789635d2dff), UINT64_C(0x121fd2155c472f96)};

static inline struct memo_key
key_of(const char *s, size_t len)
{
	XXH128_hash_t h = hash_bytes128(s, len);

	return (struct memo_key){h.low64, h.high64};
}

/* The key of a prefix extended by one frame. */
static inline struct memo_key
append_key(struct memo_key prefix, struct memo_key frame)
{
	uint64_t lo = (prefix.lo ^ frame.lo) * UINT64_C(0x9fb21c651e98df25);
	uint64_t hi = (prefix.hi + frame.hi) * UINT64_C(0xa0761d6478bd642f);

	return (struct memo_key){lo ^ (lo >> 29) ^ frame.hi, hi ^ (hi >> 31) ^ frame.lo};
}

/* The key of a line's frame, without its source. */
static struct memo_key
line_key(struct stackcache *st, const struct frameline *f)
{
	struct memo_key key = key_of(f->symbol.s, f->symbol.len);

	if (!str_equal(f->module, text_as_str(&st->module))) {
		text_cut(&st->module, 0);
		text_str(&st->module, f->module);
		st->module_key = key_of(f->module.s, f->module.len);
	}
	key = append_key(key, st->module_key);
	if (st->sampler->options->style.addrs)
		key = append_key(key, key_of(f->address, (size_t)(f->symbol.s - f->address)));
	return key;
}

/* The key of a line with its source. */
static struct memo_key
item_key(struct stackcache *st, const struct frameline *f, bool java)
{
	struct memo_key key = line_key(st, f);

	if (f->inlined)
		key = append_key(key, inlined_key);
	if (f->source.len > 0 && st->sampler->options->style.source)
		key = append_key(key, key_of(f->source.s, f->source.len));
	key.lo += java;
	return key;
}

/* Forgets the numbers of lines. */
static void
forget(struct stackcache *st)
{
	memo_clear(&st->lines);
	memset(st->seen, 0, sizeof st->seen);
	st->seen_len = st->nmany = 0;
}

/* The number of a frame line: a name, or an index with MANY. */
static uint32_t
line_number(struct stackcache *st, const struct frameline *f, bool java)
{
	struct memo_key key = item_key(st, f, java);
	uint32_t name[FRAMELINE_MAX], number, n;

	number = memo_find(&st->lines, key);
	if (number != 0)
		return number;
	if (memo_full(&st->lines))
		forget(st);
	n = (uint32_t)frameline_names(st->sampler, f, java, &st->function, name);
	if (n == 1) {
		number = name[0];
	} else {
		vec_fit(st->many, st->capmany, (size_t)st->nmany + n + 1);
		number = MANY | st->nmany;
		st->many[st->nmany++] = n;
		memcpy(st->many + st->nmany, name, n * sizeof *name);
		st->nmany += n;
	}
	memo_put(&st->lines, key, number);
	return number;
}

/* The entry for lines with this address (the 16 bytes after the TAB). */
static struct known_line *
seen_at(struct stackcache *st, const struct item *item)
{
	uint64_t half[2];

	memcpy(half, item->line + 1, sizeof half);
	half[0] = (half[1] ^ half[0] * UINT64_C(0x9fb21c651e98df25)) * UINT64_C(0xa0761d6478bd642f);
	return &st->seen[hash_place(half[0], SEEN)];
}

/* Stores the line of item in an entry. */
static void
see(struct stackcache *st, struct known_line *seen, const struct item *item, uint32_t number,
    bool java)
{
	size_t len = (size_t)(item->end - item->line);

	if (len > SEEN_TEXT - st->seen_len) {
		memset(st->seen, 0, sizeof st->seen);
		st->seen_len = 0;
	}
	memcpy(st->seen_text + st->seen_len, item->line, len);
	*seen = (struct known_line){number, st->seen_len, (uint32_t)len, java};
	st->seen_len += (uint32_t)len;
}

/* The number of a line; 0 if it is bad. *likely: the module of the line before. */
static uint32_t
item_number(struct stackcache *st, struct item *item, bool java, struct str *likely)
{
	size_t len = (size_t)(item->end - item->line);
	bool plain = len > 16 && len <= SEEN_MAX && !item->inlined && item->source.len == 0;
	struct known_line *seen = plain ? seen_at(st, item) : NULL;
	struct frameline f;
	uint32_t number;

	if (seen != NULL && seen->len == len && seen->java == java &&
	    memcmp(st->seen_text + seen->text, item->line, len) == 0)
		return seen->number;
	if (!frameline_split(&f, item->line, item->end, likely)) {
		item->bad = true;
		return 0;
	}
	f.source = item->source;
	f.inlined = item->inlined;
	number = line_number(st, &f, java);
	if (seen != NULL)
		see(st, seen, item, number, java);
	return number;
}

void
stackcache_begin(struct stackcache *st, struct sample *s)
{
	const struct sample_options *o = st->sampler->options;
	const struct sampleline *h = &s->header;
	struct sample_task task = {.comm = {h->comm, h->comm_len},
	    .pid = {h->pid, h->pid_len},
	    .tid = {h->tid, h->tid_len}};

	if (!st->has_root || !str_equal(task.comm, text_as_str(&st->comm))) {
		text_cut(&st->comm, 0);
		text_str(&st->comm, task.comm);
		st->root = sample_root(st->sampler, &task);
		st->java = h->comm_len >= 4 && memcmp(h->comm, "java", 4) == 0;
		st->has_root = !o->pid && !o->tid;
	}
	s->root = st->root;
	s->java = st->java;
}

/* The child of a node with the names of a line. */
static uint32_t
node_below(struct stackcache *st, uint32_t node, uint32_t number)
{
	const uint32_t *many;

	if ((number & MANY) == 0)
		return sample_child(st->sampler, node, number);
	many = st->many + (number & ~MANY);
	for (uint32_t i = 1; i <= many[0]; i++)
		node = sample_child(st->sampler, node, many[i]);
	return node;
}

uint32_t
stackcache_node(struct stackcache *st, struct sample *s)
{
	struct tails *tails = &st->tails;
	struct tail like = s->same > 0 ? *s->tail : tails->last;
	struct tail_frame *frame = NULL;
	uint32_t node = s->root, depth = s->same;
	struct str likely = {0};

	s->bad = 0;
	if (depth > 0)
		node = tails_frame_of(tails, &like, depth - 1)->node;
	else if (like.root != s->root || like.block + 1 < tails->block)
		like.n = 0;
	if (s->end != NULL)
		frame = tails_begin(tails, s->tail, s->same, s->n);
	for (size_t i = s->n; i-- > 0; depth++) {
		struct item *item = &s->item[i];
		uint32_t number = item_number(st, item, s->java, &likely);

		if (depth < like.n && tails_frame_of(tails, &like, depth)->number == number &&
		    (number & MANY) == 0) {
			node = tails_frame_of(tails, &like, depth)->node;
		} else {
			like.n = 0;
			if (number != 0)
				node = node_below(st, node, number);
		}
		s->bad += item->bad;
		if (frame != NULL)
			*frame++ = (struct tail_frame){
			    (uint32_t)(s->end - item->line), s->lines - item->at, number, node};
	}
	if (s->end != NULL && s->bad == 0)
		tails_end(tails, s->end, s->root, s->java);
	return node;
}

void
sample_grow(struct sample *s)
{
	vec_fit(s->item, s->cap, s->n + 1);
}

void
stackcache_init(struct stackcache *st, struct sampler *sampler)
{
	st->sampler = sampler;
	st->module_key = key_of("", 0);
	text_puts(&st->module, "");
	st->seen_text = cli_alloc(SEEN_TEXT, 1);
	memo_init(&st->lines, 1u << 8, LINES);
}

void
stackcache_free(struct stackcache *st)
{
	memo_free(&st->lines);
	tails_free(&st->tails);
	free(st->many);
	free(st->seen_text);
	text_free(&st->module);
	text_free(&st->function);
	text_free(&st->comm);
}
