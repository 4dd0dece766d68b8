/*
 * golabel: follows a thread's goroutine: g is thread-local, and g.m.curg is the goroutine also
 * while the runtime works for it on another stack. g.labels points to a map of strings up to
 * Go 1.23, and to a sorted slice from then on; neither changes once it is made.
 */
#include "threadlabel/golabel.h"

#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "elf/elftable.h"
#include "kernel/recipe.h"
#include "runtime/tls.h"

#define BUILD_INFO ".go.buildinfo" /* its section */
#define BUILD_MAGIC "\xff Go buildinf:"
enum { BUILD_FLAGS = 15, BUILD_VERSION = 32 }; /* from 1.18 on: flag 2, then the version */

#define LABELS_MAX 64

/*
 * Offsets of g and m by version. 1.19: debug information; the others follow from the declarations
 * of these versions (src/runtime/runtime2.go), and were never run.
 */
static const struct layout {
	unsigned minor; /* from this version on */
	uint16_t current; /* m.curg */
	uint16_t number, labels; /* g.goid, g.labels */
	bool slice;
} layouts[] = {
    {18, 192, 152, 360, false},
    {21, 192, 152, 344, false},
    {23, 192, 160, 352, false},
    {24, 192, 160, 352, true},
    {25, 184, 152, 344, true},
    {26, 184, 152, 352, true},
};

#define LAST 26
#define VERSIONS "1.18 to 1.26"

/* Offsets of all these versions. */
enum {
	G_M = 48,
	HASH_LOG2 = 9, /* runtime.hmap: the logarithm of the number of buckets */
	HASH_BUCKETS = 16,
	HASH_BYTES = 48,
	BUCKET_SLOTS = 8,
	BUCKET_KEYS = 8, /* after a byte of each slot */
	BUCKET_VALUES = 136,
	BUCKET_NEXT = 264,
	BUCKET_BYTES = 272,
	SLOT_USED = 5, /* minTopHash: smaller values of that byte are those of free slots */
	STRING = 16, /* pointer, length */
	LABEL_BYTES = 32, /* two strings */
	SLICE_BYTES = 24,
};

struct go {
	struct runtime_process *process;
	const struct layout *at;
	const char *key; /* NULL: the number of the goroutine */
	int64_t tls; /* distance of g from the thread pointer */
};

static const struct layout *
layout_of(unsigned minor)
{
	const struct layout *found = NULL;

	for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
		if (layouts[i].minor <= minor)
			found = &layouts[i];
	return minor <= LAST ? found : NULL;
}

/* The version, which strip(1) keeps: its length, then "go1.19.8". */
static bool
find_version(const struct runtime_module *m, char *to, size_t size)
{
	Elf *elf = module_elf(m->module);
	Elf_Scn *section = elf != NULL ? elftable_section(elf, NULL, BUILD_INFO) : NULL;
	const Elf_Data *data = section != NULL ? elf_rawdata(section, NULL) : NULL;
	const unsigned char *b = data != NULL ? data->d_buf : NULL;

	if (b == NULL || data->d_size < BUILD_VERSION + 1 ||
	    memcmp(b, BUILD_MAGIC, strlen(BUILD_MAGIC)) != 0 || (b[BUILD_FLAGS] & 2) == 0 ||
	    b[BUILD_VERSION] >= 128 || data->d_size - BUILD_VERSION - 1 < b[BUILD_VERSION])
		return false;
	snprintf(to, size, "%.*s", (int)b[BUILD_VERSION], (const char *)b + BUILD_VERSION + 1);
	return true;
}

/*
 * Sets the distance of g from the thread pointer. Go's linker makes no thread-local block, and puts
 * g before the thread pointer; with that of C, g is a variable in the block.
 */
static bool
find_g(struct go *go, const struct runtime_module *m)
{
	struct tls_block block;
	uint64_t offset = 0, size;
	bool found;

	go->tls = -8;
	if (!tls_block(&block, m))
		return true;
	found = runtime_tls_symbol(m, "runtime.tlsg", &offset, &size);
	go->tls = (int64_t)(offset - block.size);
	return block.slot == 0 && (block.size == 8 || found);
}

static void *
open_go(struct runtime_process *p, const struct threadlabel_key *key)
{
	const struct runtime_module *m;

	if (key->variable != NULL)
		return NULL;
	while ((m = runtime_next_module(p)) != NULL) {
		struct go *go;
		unsigned minor = 0;

		if (!find_version(m, p->version, sizeof p->version))
			continue;
		sscanf(p->version, "go1.%u", &minor);
		if (layout_of(minor) == NULL) {
			snprintf(p->reason, sizeof p->reason,
			    "%s is unknown (" VERSIONS " are known)", p->version);
			return NULL;
		}
		if (p->cpu->tls_above) { /* without C g is in a register only */
			snprintf(p->reason, sizeof p->reason, "labels of Go are not read on %s",
			    p->cpu->name);
			return NULL;
		}
		go = cli_alloc(1, sizeof *go);
		go->process = p;
		go->at = layout_of(minor);
		go->key = strcmp(key->key, "goroutine") != 0 ? key->key : NULL;
		if (find_g(go, m))
			return go;
		snprintf(p->reason, sizeof p->reason,
		    "%s is a library or stripped, with other thread-local data", m->module->name);
		free(go);
		return NULL;
	}
	return NULL;
}

static void
close_go(void *state)
{
	free(state);
}

/* Registers of the recipe, and steps that others go to. */
enum { G = WALK_FREE, LABELS, AT, LEFT, NEXT, KEY, VALUE };
enum {
	LABEL = 10, /* of a slice: a label */
	SLICE_VALUES = 12,
	SLICE_MORE,
	SLICE_SHORT = 16,
	BUCKET = 11, /* of a map: a bucket, a slot of it */
	SLOT = 14,
	MAP_VALUES = 17,
	MAP_MORE,
	MAP_SHORT = 22,
	DONE = WALK_STEPS - 1
};

#define TEXT_BYTES 208 /* of strings: THREADLABEL_MAX, or */
#define SHORT_BYTES 16 /* at the end of a mapping */

#define FIRST_STEPS                                                                           \
	READ(G, WALK_THREAD_POINTER, (uint64_t)go->tls, DONE), READ(G, G, G_M, DONE),         \
	    COPY(G, go->at->current, 8, DONE, {G, 0}), IF_ZERO(G, DONE), COPY(G, 0, 0, DONE), \
	    COPY(G, go->at->number, 8, DONE), COPY(G, go->at->labels, 8, DONE, {LABELS, 0}),  \
	    IF_ZERO(LABELS, DONE)

/* Copies the goroutine's number, and its labels with their strings. */
static bool
recipe(void *state, struct walk_step step[WALK_STEPS])
{
	const struct go *go = state;
	const struct walk_step slice[] = {
	    FIRST_STEPS,
	    COPY(LABELS, 0, SLICE_BYTES, DONE, {AT, 0}, {LEFT, 8}),
	    IF_ZERO(LEFT, DONE),
	    [LABEL] = COPY(AT, 0, LABEL_BYTES, DONE, {KEY, 0}, {VALUE, STRING}),
	    COPY(KEY, 0, TEXT_BYTES, SLICE_SHORT),
	    [SLICE_VALUES] = COPY(VALUE, 0, TEXT_BYTES, SLICE_SHORT + 2),
	    [SLICE_MORE] = SET(AT, AT, LABEL_BYTES, SLICE_MORE + 1),
	    SET(LEFT, LEFT, -UINT64_C(1), LABEL),
	    END,
	    [SLICE_SHORT] = COPY(KEY, 0, SHORT_BYTES, SLICE_VALUES),
	    GO(SLICE_VALUES),
	    COPY(VALUE, 0, SHORT_BYTES, SLICE_MORE),
	    GO(SLICE_MORE),
	};
	const struct walk_step map[] = {
	    FIRST_STEPS,
	    COPY(LABELS, 0, 8, DONE, {AT, 0}),
	    COPY(AT, 0, HASH_BYTES, DONE, {AT, HASH_BUCKETS}),
	    IF_ZERO(AT, DONE),
	    [BUCKET] = COPY(AT, 0, BUCKET_BYTES, DONE, {NEXT, BUCKET_NEXT}),
	    SET(LEFT, WALK_ZERO, BUCKET_SLOTS, BUCKET + 2),
	    SET(AT, AT, BUCKET_KEYS, SLOT),
	    [SLOT] = READ(KEY, AT, 0, DONE),
	    READ(VALUE, AT, BUCKET_VALUES - BUCKET_KEYS, DONE),
	    COPY(KEY, 0, TEXT_BYTES, MAP_SHORT),
	    [MAP_VALUES] = COPY(VALUE, 0, TEXT_BYTES, MAP_SHORT + 2),
	    [MAP_MORE] = SET(AT, AT, STRING, MAP_MORE + 1),
	    SET(LEFT, LEFT, -UINT64_C(1), SLOT),
	    SET(AT, NEXT, 0, BUCKET),
	    END,
	    [MAP_SHORT] = COPY(KEY, 0, SHORT_BYTES, MAP_VALUES),
	    GO(MAP_VALUES),
	    COPY(VALUE, 0, SHORT_BYTES, MAP_MORE),
	    GO(MAP_MORE),
	};

	memcpy(step, go->at->slice ? slice : map, go->at->slice ? sizeof slice : sizeof map);
	return true;
}

/* True if a string, {address, length}, is the key of the label. */
static bool
is_key(struct go *go, const uint64_t string[2])
{
	char text[THREADLABEL_MAX];
	const size_t n = strlen(go->key);

	return string[1] == n && n <= sizeof text &&
	       memory_read(go->process->memory, string[0], text, n) &&
	       memcmp(text, go->key, n) == 0;
}

static bool
read_slice(struct go *go, uint64_t labels, struct text *to)
{
	struct memory_reader *m = go->process->memory;
	const uint64_t first = memory_u64(m, labels), n = memory_u64(m, labels + 8);
	uint64_t label[LABEL_BYTES / 8];

	for (uint64_t i = 0; i < n && i < LABELS_MAX; i++)
		if (memory_read(m, first + i * LABEL_BYTES, label, sizeof label) &&
		    is_key(go, label))
			return threadlabel_text(m, label[2], label[3], to);
	return false;
}

/* Maps of up to 8 labels have one bucket; others are not read. */
static bool
read_map(struct go *go, uint64_t labels, struct text *to)
{
	struct memory_reader *m = go->process->memory;
	unsigned char head[HASH_BYTES], b[BUCKET_BYTES];
	uint64_t bucket;

	if (!memory_read(m, memory_u64(m, labels), head, sizeof head) || head[HASH_LOG2] != 0)
		return false;
	memcpy(&bucket, head + HASH_BUCKETS, sizeof bucket);
	for (int n = 0; n < LABELS_MAX && bucket != 0; n++) {
		if (!memory_read(m, bucket, b, sizeof b))
			return false;
		for (size_t i = 0; i < BUCKET_SLOTS; i++) {
			uint64_t key[2], value[2];

			memcpy(key, b + BUCKET_KEYS + STRING * i, sizeof key);
			memcpy(value, b + BUCKET_VALUES + STRING * i, sizeof value);
			if (b[i] >= SLOT_USED && is_key(go, key))
				return threadlabel_text(m, value[0], value[1], to);
		}
		memcpy(&bucket, b + BUCKET_NEXT, sizeof bucket);
	}
	return false;
}

static bool
read_go(void *state, const struct runtime_sample *at, struct text *to)
{
	struct go *go = state;
	struct memory_reader *m = go->process->memory;
	const uint64_t labels = memory_u64(m, at->start + go->at->labels);

	if (at->start == 0)
		return false;
	if (go->key != NULL)
		return labels != 0 &&
		       (go->at->slice ? read_slice(go, labels, to) : read_map(go, labels, to));
	text_printf(to, "%" PRIu64, memory_u64(m, at->start + go->at->number));
	return true;
}

const struct threadlabel threadlabel_go = {
    .name = "Go",
    .from = LABEL_COPIED,
    .open = open_go,
    .recipe = recipe,
    .read = read_go,
    .close = close_go,
};
