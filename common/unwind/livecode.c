/*
 * livecode: reads and decodes the code around an address. A fixed-size cache stores the rules
 * for a short time, since JIT code changes. The code is untrusted input, so the work has a
 * budget.
 */
#include "unwind/livecode.h"

#include <elf.h>
#include <stdlib.h>

#include "base/cli.h"
#include "base/clock.h"
#include "base/hash.h"
#include "kernel/cpu.h"
#include "unwind/codeframe.h"
#include "access/opener.h"

#define KEPT 4096 /* rules, a power of two */
#define AGE UINT64_C(100000000) /* ns that a cached rule is valid */
#define BEFORE (UINT64_C(16) << 10) /* bytes read before an address, for loops */
#define AFTER (UINT64_C(48) << 10) /* bytes read after it */
#define PAGE UINT64_C(4096)
#define BUDGET 1000 /* rules computed per AGE, at 10 us each */

struct kept {
	uint64_t address, until; /* until: ns; 0: empty */
	int pid;
	bool exact;
	struct cfi_rule rule;
};

struct livecode {
	struct kept kept[KEPT];
	unsigned char bytes[BEFORE + AFTER];
	uint64_t next; /* ns: time of the next budget; left: rest of this one */
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

/* Reads [from, to); returns fewer bytes where a page is unreadable. */
static size_t
read_code(struct livecode *l, int pid, uint64_t from, uint64_t to)
{
	struct iovec here = {l->bytes, (size_t)(to - from)};
	struct iovec there = {(void *)(uintptr_t)from, (size_t)(to - from)};
	ssize_t n = opener_memory(pid, &here, &there, 1);

	return n > 0 ? (size_t)n : 0;
}

/* Computes a rule. Reads only inside the mapping: a read of another one could block. */
static void
make_rule(struct livecode *l, struct kept *k, uint64_t start, uint64_t end)
{
	const uint64_t page = k->address & ~(PAGE - 1);
	struct codeframe code = {.bytes = l->bytes, .machine = elfmachine(CPU_MACHINE)};
	const uint64_t to = end - page < AFTER ? end : page + AFTER;

	code.start = page - start < BEFORE ? start : page - BEFORE;
	code.n = read_code(l, k->pid, code.start, to);
	if (code.n <= k->address - code.start) { /* an unreadable page before the address */
		code.start = page;
		code.n = read_code(l, k->pid, page, to);
	}
	if (code.n <= k->address - code.start)
		return; /* the process has ended: the old rule stays */
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
