/*
 * addresses: samples of bare addresses, followed by the mappings, as gperftools, jemalloc
 * and the older formats of pprof write them. Addresses are symbolized at the end: by the
 * names in the profile, else by the mapped files if these are on this machine and the same
 * (equal device and inode, no newer than the profile). An unsymbolized address is its own
 * name.
 */
#ifndef ADDRESSES_H
#define ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "base/rangemap.h"
#include "base/text.h"
#include "symbol/symbol.h"
#include "fg-collapse/reader.h"
#include "sample/sample.h"

struct addresses_sample;
struct addresses_map;
struct addresses_place;
struct addresses_known;

struct addresses {
	struct reader *reader;
	const char *symbolizer; /* command that symbolizes such a profile, for a hint */
	bool go; /* Go wrote the names, which omit the runtime's own functions */
	bool maps; /* the lines that follow are mappings */
	bool heap; /* omit the allocator's own functions at the leaf once they are symbolized */

	/* Private. */
	struct addresses_sample *sample;
	size_t nsample, capsample;
	struct sample_weight *weight;
	size_t nweight, capweight;
	uint64_t *pc;
	size_t npc, cappc;
	struct addresses_map *map;
	size_t nmap, capmap;
	struct rangemap ranges;
	struct intmap places; /* index in place, by address */
	struct addresses_place *place;
	size_t nplace, capplace;
	struct addresses_known *known; /* names that the profile itself gives */
	size_t nknown, capknown;
	uint64_t nameless;
	struct text text; /* strings: names, paths and comms */
	uint32_t *name;
	size_t nname, capname;
	uint8_t *allocates; /* is_allocation by name of the sampler: 1 no, 2 yes, 0 not checked */
	size_t capallocates;
};

void addresses_init(struct addresses *a, struct reader *r, const char *symbolizer);
void addresses_free(struct addresses *a);

/* Adds a sample with n weights. Its addresses follow by addresses_add, leaf first. */
void addresses_begin(struct addresses *a, const struct sample_weight *w, unsigned n,
    struct str comm, struct str tid);
/* Adds an address to the last sample: pc of the leaf, else the return address minus 1. */
void addresses_add(struct addresses *a, uint64_t pc);
/* The addresses of a sample, and a pointer to their number, for a reader that removes some. */
uint64_t *addresses_of(struct addresses *a, size_t sample, uint32_t **n);
/* Repeats the last sample with another weight; false if there is none. */
bool addresses_again(struct addresses *a, value weight);

/* An executable mapping of a file. */
struct addresses_mapping {
	uint64_t start, end, offset; /* offset: file offset of start */
	struct module_id id; /* inode is 0 if unknown */
};
void addresses_map(struct addresses *a, const struct addresses_mapping *m, struct str path);

/* Base name of the file mapped at an address; empty if there is none. Valid once all mappings
 * are added. */
struct str addresses_module(struct addresses *a, uint64_t pc);

/*
 * Adds a name that the profile itself gives to an address. If one address of the last
 * sample gets several names in a row, each is inlined into the next.
 */
void addresses_name(
    struct addresses *a, uint64_t pc, struct str function, struct str file, unsigned line);

/* Symbolizes all samples, passes them to the sampler and warns how many addresses have no name. */
void addresses_take(struct addresses *a);

#endif
