/*
 * goheap: follows runtime.mbuckets (src/runtime/mprof.go), found by its symbol or by the code that
 * uses it.
 *
 * A bucket is {next, allnext, type, hash, size, number of addresses}, the addresses, and a record.
 * The record has the sums until the last published collection, and three later ones. Each is
 * {blocks allocated, blocks freed, bytes allocated, bytes freed}, since Go 1.9. Buckets are
 * neighbours in large pieces of memory, which are read as pieces.
 *
 * A collection moves counts of a later record to the sums under a lock: a read beside it is
 * repeated. The layout is proved by each record: all its blocks have the size of the bucket.
 */
#include "fg-record/watching/goheap.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "access/opener.h"
#include "base/cli.h"
#include "base/intmap.h"
#include "base/vec.h"
#include "elf/elfmachine.h"
#include "elf/gopclntab.h"

#define CODE_MAX 65536 /* bytes of a function that is searched */
#define RATE_MAX (UINT64_C(1) << 32)

#define PIECE 65536 /* bytes of one read */
#define BUCKETS_MAX (1 << 20)
#define FRAMES_MAX 1024 /* runtime.maxProfStackDepth */
#define PIECES_MAX (1 << 17) /* of all buckets */
#define STACKS_MAX (1 << 24) /* frames of all buckets */
#define MEMORY_BUCKET 1 /* its type: memProfile */
#define LATER 3 /* records of collections that are not published */
#define TRIES 20 /* reads beside a collection */
#define TRY_DELAY 2000000 /* ns between them */
#define TORN 2 /* blocks that a record may lack while the runtime writes to it */

struct header {
	uint64_t next, all, type, hash, size, n;
};

struct cycle {
	uint64_t allocated, freed, allocated_bytes, freed_bytes;
};

struct counts {
	struct cycle published, later[LATER];
};

/* The variables of the runtime. */
struct variables {
	uint64_t list, rate, cycle, lock; /* addresses in the process; 0: unknown */
	bool flag; /* the cycle is above a flag */
	bool sampled; /* the linker left the profile in, as far as is known */
};

struct goheap {
	int pid;
	struct variables at_process;
	uint64_t mean;
	struct goheap_bucket *bucket;
	size_t n, cap, nframe; /* frames of all buckets */
	struct intmap known; /* by address: index + 1 */
	struct counts *counts; /* of the current read, by bucket */
	size_t ncounts, capcounts;
	unsigned char piece[PIECE];
	uint64_t at; /* address of the piece */
	size_t size; /* its bytes; 0: none */
	size_t pieces; /* that the current read copied */
};

/* ---- Memory ---- */

static size_t
copy(int pid, uint64_t address, void *to, size_t n)
{
	struct iovec here = {to, n}, there = {(void *)(uintptr_t)address, n};
	const ssize_t got = opener_memory(pid, &here, &there, 1);

	return got > 0 ? (size_t)got : 0;
}

static bool
copy_value(int pid, uint64_t address, void *to, size_t n)
{
	return address != 0 && copy(pid, address, to, n) == n;
}

/* Copies memory of buckets, by pieces. */
static bool
copy_bucket(struct goheap *g, uint64_t address, void *to, size_t n)
{
	unsigned char *out = to;

	while (n > 0) {
		const uint64_t from = address / PIECE * PIECE;
		size_t part = PIECE - (address - from);

		if (g->size == 0 || g->at != from) {
			if (++g->pieces > PIECES_MAX)
				return false;
			g->at = from;
			g->size = copy(g->pid, from, g->piece, PIECE);
			if (g->size == 0) { /* memory begins within the piece */
				g->at = address;
				g->size = copy(g->pid, address, g->piece, part);
			}
		}
		if (address < g->at || address - g->at >= g->size)
			return false;
		part = g->size - (address - g->at);
		part = part < n ? part : n;
		memcpy(out, g->piece + (address - g->at), part);
		out += part;
		address += part;
		n -= part;
	}
	return true;
}

/* ---- Buckets ---- */

/* True if the bytes are those of blocks of that size, but for one that is counted now. */
static bool
is_product(uint64_t blocks, uint64_t size, uint64_t bytes)
{
	uint64_t all;

	if (__builtin_mul_overflow(blocks, size, &all))
		return false;
	return (all > bytes ? all - bytes : bytes - all) <= TORN * size;
}

static bool
is_valid(const struct cycle *c, uint64_t size)
{
	return is_product(c->allocated, size, c->allocated_bytes) &&
	       is_product(c->freed, size, c->freed_bytes);
}

/* The bucket at an address, with its stack; NULL if it cannot be read. */
static struct goheap_bucket *
bucket_at(struct goheap *g, uint64_t address, const struct header *h)
{
	void **index = intmap_at(&g->known, address);
	struct goheap_bucket *b;
	uint64_t pc[FRAMES_MAX];

	if (*index != NULL) {
		b = &g->bucket[(uintptr_t)*index - 1];
		return b->size == h->size && b->npc == h->n ? b : NULL;
	}
	if ((g->nframe += h->n) > STACKS_MAX)
		return NULL;
	*index = (void *)(uintptr_t)(g->n + 1);
	vec_fit(g->bucket, g->cap, g->n + 1);
	b = &g->bucket[g->n++];
	*b = (struct goheap_bucket){.address = address, .size = h->size, .npc = h->n};
	if (!copy_bucket(g, address + sizeof *h, pc, h->n * sizeof *pc)) {
		b->npc = 0;
		return NULL;
	}
	b->pc = cli_alloc(h->n, sizeof *pc);
	memcpy(b->pc, pc, h->n * sizeof *pc);
	return b;
}

/* Reads the counts of all buckets into g->counts. */
static bool
read_list(struct goheap *g)
{
	uint64_t at;
	size_t n = 0;

	g->size = g->pieces = 0;
	if (!copy_value(g->pid, g->at_process.list, &at, sizeof at))
		return false;
	if (g->ncounts > 0)
		memset(g->counts, 0, g->ncounts * sizeof *g->counts);
	while (at != 0) {
		const struct goheap_bucket *b;
		struct counts c;
		struct header h;
		size_t i;

		if (n++ == BUCKETS_MAX || at % sizeof(uint64_t) != 0 ||
		    !copy_bucket(g, at, &h, sizeof h) || h.type != MEMORY_BUCKET || h.n == 0 ||
		    h.n > FRAMES_MAX || (b = bucket_at(g, at, &h)) == NULL ||
		    !copy_bucket(g, at + sizeof h + h.n * sizeof(uint64_t), &c, sizeof c) ||
		    !is_valid(&c.published, h.size))
			return false;
		for (i = 0; i < LATER; i++)
			if (!is_valid(&c.later[i], h.size))
				return false;
		i = (size_t)(b - g->bucket);
		if (i >= g->ncounts) {
			vec_fit(g->counts, g->capcounts, g->n);
			memset(g->counts + g->ncounts, 0, (g->n - g->ncounts) * sizeof *g->counts);
			g->ncounts = g->n;
		}
		g->counts[i] = c;
		at = h.all;
	}
	return true;
}

/* The number of the collection, with its flag; and whether the lock of the sums is held. */
static bool
read_cycle(const struct goheap *g, uint32_t *cycle, bool *locked)
{
	uint64_t key = 0;

	if (!copy_value(g->pid, g->at_process.cycle, cycle, sizeof *cycle) ||
	    (g->at_process.lock != 0 && !copy_value(g->pid, g->at_process.lock, &key, sizeof key)))
		return false;
	*locked = key != 0;
	return true;
}

static uint64_t
held(uint64_t allocated, uint64_t freed)
{
	return allocated > freed ? allocated - freed : 0;
}

/*
 * Takes over the counts. Before the first collection nothing is published, and all of it counts,
 * as in runtime.MemProfile.
 */
static void
use_counts(struct goheap *g, uint32_t cycle)
{
	const unsigned due = (g->at_process.flag ? cycle >> 1 : cycle) % LATER;
	bool published = false;

	for (size_t i = 0; i < g->ncounts; i++)
		published |=
		    g->counts[i].published.allocated > 0 || g->counts[i].published.freed > 0;
	for (size_t i = 0; i < g->ncounts; i++) {
		const struct counts *c = &g->counts[i];
		struct goheap_bucket *b = &g->bucket[i];
		uint64_t freed = c->published.freed, live = c->published.allocated;

		b->allocated = c->published.allocated;
		for (unsigned k = 0; k < LATER; k++) {
			b->allocated += c->later[k].allocated;
			if (published && k != due)
				continue;
			live += c->later[k].allocated;
			freed += c->later[k].freed;
		}
		b->live = held(live, freed);
	}
}

bool
goheap_read(struct goheap *g, const char **reason)
{
	const struct timespec delay = {.tv_nsec = TRY_DELAY};
	uint32_t before, after;
	uint64_t rate;
	bool locked, read;

	for (int i = 0; i < TRIES; i++) {
		*reason = "its memory cannot be read, or it has ended";
		if (!copy_value(g->pid, g->at_process.rate, &rate, sizeof rate) ||
		    !read_cycle(g, &before, &locked))
			return false;
		*reason = "it collects garbage all the time";
		if (!locked) {
			read = read_list(g);
			if (!read_cycle(g, &after, &locked))
				continue; /* the process ends */
			if (!read)
				*reason = "the layout of its memory profile is unknown";
			if (read && !locked && before == after) {
				g->mean = rate;
				use_counts(g, before);
				return true;
			}
		}
		nanosleep(&delay, NULL);
	}
	return false;
}

void
goheap_rebase(struct goheap *g)
{
	for (size_t i = 0; i < g->n; i++)
		g->bucket[i].base = g->bucket[i].allocated;
}

uint64_t
goheap_rate(const struct goheap *g)
{
	return g->mean;
}

const struct goheap_bucket *
goheap_buckets(const struct goheap *g, size_t *n)
{
	*n = g->n;
	return g->bucket;
}

/* ---- The variables of the runtime ---- */

/* A module's code, and its functions. */
struct code {
	const struct runtime_module *m;
	const struct elfmachine *machine;
	struct gopclntab *functions;
};

/* The address that the nth instruction of that use in a function has; 0: none. */
static uint64_t
operand(const struct code *c, const char *function, enum elfmachine_use use, unsigned nth)
{
	const unsigned char *bytes;
	uint64_t start, end;
	int64_t offset;

	if (!gopclntab_function(c->functions, function, &start, &end) || end - start > CODE_MAX ||
	    (bytes = runtime_file_bytes(c->m, start - c->m->bias, end - start)) == NULL)
		return 0;
	offset = c->machine->operand(bytes, end - start, use, nth);
	return offset == 0 ? 0 : start + (uint64_t)offset - c->m->bias;
}

/*
 * Without symbols (go build -ldflags -s): by the code of the functions that use the variables,
 * which Go's own table names. The rate is the one whose value is neither a pointer nor 0.
 */
static void
find_by_code(struct variables *v, const struct runtime_module *m, int pid)
{
	Elf *elf = module_elf(m->module);
	uint64_t start, end, value, address = 1;
	struct code c = {.m = m};
	GElf_Ehdr header;

	if (gelf_getehdr(elf, &header) == NULL ||
	    (c.machine = elfmachine(header.e_machine)) == NULL || c.machine->operand == NULL ||
	    (c.functions = gopclntab_open(elf)) == NULL)
		return;
	v->sampled = gopclntab_function(c.functions, "runtime.MemProfile", &start, &end);
	v->list = operand(&c, "runtime.mProf_FlushLocked", ELFMACHINE_LOAD, 0);
	v->cycle = operand(&c, "runtime.mProf_PostSweep", ELFMACHINE_LOAD_HALF, 0);
	v->lock = operand(&c, "runtime.mProf_PostSweep", ELFMACHINE_ADDRESS, 0);
	v->flag = true;
	for (unsigned i = 0; pid != 0 && v->rate == 0 && address != 0; i++) {
		address = operand(&c, "runtime.profilealloc", ELFMACHINE_LOAD, i);
		if (copy_value(pid, address, &value, sizeof value) && value > 0 &&
		    value <= RATE_MAX)
			v->rate = address;
	}
	gopclntab_close(c.functions);
}

static void
find_variables(struct variables *v, const struct runtime_module *m, int pid)
{
	uint64_t disabled;
	const char *byte;

	*v = (struct variables){.list = runtime_symbol(m, "runtime.mbuckets", NULL),
	    .rate = runtime_symbol(m, "runtime.MemProfileRate", NULL),
	    .cycle = runtime_symbol(m, "runtime.mProfCycle", NULL),
	    .lock = runtime_symbol(m, "runtime.profMemActiveLock", NULL)};
	if (v->list == 0) {
		find_by_code(v, m, pid);
		return;
	}
	v->flag = v->cycle != 0;
	if (v->cycle == 0) /* before Go 1.19: its member cycle */
		v->cycle = runtime_symbol(m, "runtime.mProf", NULL);
	/* Set by the linker if the program cannot reach runtime.MemProfile, since Go 1.17. */
	disabled = runtime_symbol(m, "runtime.disableMemoryProfiling", NULL);
	byte = disabled != 0 ? runtime_file_bytes(m, disabled, 1) : NULL;
	v->sampled = byte == NULL || *byte == 0;
}

enum goheap_state
goheap_state(const struct runtime_module *m, int pid)
{
	struct variables v;
	uint64_t rate;

	find_variables(&v, m, pid);
	if (v.list == 0 || v.cycle == 0 || (pid != 0 && v.rate == 0))
		return GOHEAP_UNKNOWN;
	if (!v.sampled)
		return GOHEAP_OFF;
	/* A program that has not started sets the rate then. */
	return pid == 0 || !copy_value(pid, v.rate, &rate, sizeof rate) || rate != 0
		   ? GOHEAP_SAMPLES
		   : GOHEAP_OFF;
}

struct goheap *
goheap_open(const struct runtime_module *m, int pid)
{
	struct variables v;
	struct goheap *g;

	find_variables(&v, m, pid);
	if (v.list == 0 || v.cycle == 0 || v.rate == 0)
		return NULL;
	g = cli_alloc(1, sizeof *g);
	g->pid = pid;
	g->at_process = v;
	return g;
}

void
goheap_free(struct goheap *g)
{
	if (g == NULL)
		return;
	for (size_t i = 0; i < g->n; i++)
		free(g->bucket[i].pc);
	free(g->bucket);
	free(g->counts);
	free(g->known.slot);
	free(g);
}
