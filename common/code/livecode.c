/*
 * livecode: addresses in, some code around each read and walked through, rules out. Those
 * are kept for a while, as many as there is room for: generated code comes and goes. A stranger may
 * have made it to keep us busy, so there is a budget.
 */
#include "code/livecode.h"

#include <stdlib.h>
#include <sys/uio.h>

#include "base/cli.h"
#include "base/clock.h"
#include "base/hash.h"
#include "code/codeframe.h"

#define KEPT 4096 /* rules, a power of two */
#define AGE UINT64_C(100000000) /* ns that they are believed */
#define BEFORE (UINT64_C(16) << 10) /* bytes that are read before an address, for loops */
#define AFTER (UINT64_C(48) << 10) /* and after */
#define PAGE UINT64_C(4096)
#define BUDGET 1000 /* rules made in that time, which is 10 us each */

struct kept {
	uint64_t address, until; /* ns: 0 of none */
	int pid;
	bool exact;
	struct cfi_rule rule;
};

struct livecode {
	struct kept kept[KEPT];
	unsigned char bytes[BEFORE + AFTER];
	uint64_t next; /* ns: when there is another budget; what is left of this one */
	unsigned left;
};

struct livecode *
livecode_new(void)
{
	return cli_alloc(1, sizeof(struct livecode));
}

void
livecode_free(struct livecode *l)
{
	free(l);
}

/* From `from` on; less than all where a page cannot be read. */
static size_t
read_code(struct livecode *l, int pid, uint64_t from, uint64_t to)
{
	struct iovec here = {l->bytes, (size_t)(to - from)};
	struct iovec there = {(void *)(uintptr_t)from, (size_t)(to - from)};
	ssize_t n = process_vm_readv(pid, &here, 1, &there, 1, 0);

	return n > 0 ? (size_t)n : 0;
}

/* Never past the mapping's ends: who knows what would answer there, and when. */
static void
make_rule(struct livecode *l, struct kept *k, uint64_t start, uint64_t end)
{
	const uint64_t page = k->address & ~(PAGE - 1);
	struct codeframe code = {.bytes = l->bytes};
	const uint64_t to = end - page < AFTER ? end : page + AFTER;

	code.start = page - start < BEFORE ? start : page - BEFORE;
	code.n = read_code(l, k->pid, code.start, to);
	if (code.n <= k->address - code.start) { /* there may be a hole before it */
		code.start = page;
		code.n = read_code(l, k->pid, page, to);
	}
	if (code.n <= k->address - code.start)
		return; /* of a process that has gone what was known stays */
	k->rule = (struct cfi_rule){0};
	codeframe_rule(&code, k->address, k->exact, &k->rule);
}

const struct cfi_rule *
livecode_rule(
    struct livecode *l, int pid, uint64_t start, uint64_t end, uint64_t address, bool exact)
{
	struct kept *k = &l->kept[(hash_pair(address, (uint64_t)pid) >> 32) & (KEPT - 1)];
	const uint64_t time = clock_ns(CLOCK_MONOTONIC_COARSE);
	const bool known = k->address == address && k->pid == pid && k->exact == exact;

	if (time >= l->next) {
		l->next = time + AGE;
		l->left = BUDGET;
	}
	if (!known && l->left == 0)
		return NULL;
	if (!known)
		*k = (struct kept){address, 0, pid, exact, {0}};
	if (k->until <= time && l->left > 0) {
		l->left--;
		k->until = time + AGE;
		make_rule(l, k, start, end);
	}
	return k->rule.kind == CFI_RULE ? &k->rule : NULL;
}
