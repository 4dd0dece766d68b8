/*
 * coderanges: the code of methods, symbols or mappings in one address space, found by address once
 * all are known.
 */
#ifndef CODERANGES_H
#define CODERANGES_H

#include <stddef.h>
#include <stdint.h>

struct coderanges {
	struct coderange {
		uint64_t start, last; /* addresses of the first and the last byte */
		size_t name, len; /* range in a text of the caller */
		uint32_t order; /* a later range replaces an earlier one */
	} * range;
	size_t n, cap;
};

/* Adds a range; one that ends before it starts is never found. */
void coderanges_add(struct coderanges *c, uint64_t start, uint64_t last, size_t name, size_t len);

/* Call after the last range was added, and before the first one is looked for. */
void coderanges_sort(struct coderanges *c);

/*
 * The range that contains an address, or NULL; of several, the one with the nearest start that was
 * added last. A caller's address is a return address, which may be after its function's last
 * instruction: an address in no range belongs to the range that ends before it.
 */
const struct coderange *coderanges_at(const struct coderanges *c, uint64_t address);

#endif
