/*
 * addresses: samples of bare addresses and, behind them, where files were mapped, as
 * gperftools, jemalloc and the older formats of pprof have them. They are named at the
 * end: by the profile itself where it has names, by the mapped files where these are
 * here and the same (device and inode agree, and they are no newer than the profile),
 * else an address is its own name.
 */
#ifndef ADDRESSES_H
#define ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intmap.h"
#include "base/rangemap.h"
#include "base/text.h"
#include "code/symbol.h"
#include "fg-collapse/reader.h"

struct addresses_sample;
struct addresses_map;
struct addresses_place;
struct addresses_known;

struct addresses {
	struct reader *reader;
	const char *cure; /* the tool that names such a profile where its files are */
	bool go; /* it has Go's names, which leave the runtime's own out */
	bool maps; /* what follows is where files were mapped */
	bool heap; /* an allocator's own functions at the leaf are left out, once they have names */

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
	struct intmap places; /* by address */
	struct addresses_place *place;
	size_t nplace, capplace;
	struct addresses_known *known; /* names that the profile has */
	size_t nknown, capknown;
	uint64_t nameless;
	struct text text; /* of names, paths and comms */
	uint32_t *name;
	size_t nname, capname;
	uint8_t *allocates; /* by the sampler's name: 1 no, 2 yes */
	size_t capallocates;
};

void addresses_init(struct addresses *a, struct reader *r, const char *cure);
void addresses_free(struct addresses *a);

/* Another sample; its addresses follow, the leaf first. */
void addresses_begin(struct addresses *a, const struct sample_weight *w, unsigned n,
    struct str comm, struct str tid);
/* A return address less one, or that of the leaf. */
void addresses_add(struct addresses *a, uint64_t pc);
/* The addresses of a sample, and where their number is, for a reader that takes some out. */
uint64_t *addresses_of(struct addresses *a, size_t sample, uint32_t **n);
/* The last sample again, with that weight besides; false when there is none. */
bool addresses_again(struct addresses *a, value weight);

/* Where a file was mapped to be run. */
struct addresses_mapping {
	uint64_t start, end, offset; /* offset: of start, in the file */
	struct module_id id; /* its inode is 0 where it is not known */
};
void addresses_map(struct addresses *a, const struct addresses_mapping *m, struct str path);

/* The base name of the file that is mapped at an address; empty where none is. All mappings are
 * known by then. */
struct str addresses_module(struct addresses *a, uint64_t pc);

/*
 * What the profile itself says of an address. Where it says more than one name of an
 * address of the last sample, one after the other, the first are inlined into the next.
 */
void addresses_name(
    struct addresses *a, uint64_t pc, struct str function, struct str file, unsigned line);

/* Give all samples to the sampler, and say how many addresses have no name. */
void addresses_take(struct addresses *a);

#endif
