/*
 * beamcode: functions of the code that BEAM has loaded: name, file and line of an address.
 */
#ifndef BEAMCODE_H
#define BEAMCODE_H

#include "runtime/runtime.h"

#define BEAM_CACHE 256

/* State in a process. */
struct beam_code {
	struct runtime_process *process;
	struct memory_reader *memory; /* for the current sample */
	uint64_t ranges, index, atoms; /* addresses of variables */
	uint64_t functions; /* offset in BeamCodeHeader, set by beam_code_check */
	/* The current sample's: */
	uint64_t modules, low, high; /* table of modules; their code is from low to high */
	uint32_t nmodules;
	uint64_t stamp; /* of the table of modules, by beam_code_since */
	uint64_t since; /* ns of CLOCK_MONOTONIC: when the table was first seen as it is */
	struct {
		uint64_t address;
		uint32_t name;
		bool header; /* address is in the header of a function */
	} cache[BEAM_CACHE];
};

/* Finds the variables of beam.smp; false if one has no symbol. */
bool beam_code_open(struct beam_code *c, struct runtime_process *p, const struct runtime_module *m);

/* Starts a sample; false while no code is loaded. */
bool beam_code_begin(struct beam_code *c);

/*
 * The time from which on the code has been as it is now, as far as is known (ns of
 * CLOCK_MONOTONIC): code that is loaded takes the place of other code, so an address of an earlier
 * sample can have another name now.
 */
uint64_t beam_code_since(struct beam_code *c);

/* False if code was loaded since this sample was started. */
bool beam_code_is_still(const struct beam_code *c);

/* The name of the function at pc, a byte of its code (before a return address); 0: none. */
uint32_t beam_code_name(struct beam_code *c, uint64_t pc);

/*
 * The name of the function to which a return address of a stack leads; 0: none. *header: it is not
 * a return address, but that of a function's header, which is on the stack while calls are traced.
 */
uint32_t beam_code_caller(struct beam_code *c, uint64_t address, bool *header);

/*
 * Searches the offset of a module's functions, at which the first ones of the first module have
 * names; false if there is none.
 */
bool beam_code_check(struct beam_code *c);

#endif
