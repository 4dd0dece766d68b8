/*
 * nosymbol: functions without symbols in a comparison. Their addresses are compared within one
 * build only; otherwise all of a module are one function.
 */
#ifndef NOSYMBOL_H
#define NOSYMBOL_H

#include <stddef.h>
#include <stdint.h>

#include "names/identity.h"
#include "names/origin.h"

/* A frame of a module without symbols that is one build. */
struct nosymbol_address {
	struct str module;
	uint32_t side, name;
};

/* All zero at first, except id. */
struct nosymbol {
	struct identity *id; /* its modules are set */
	struct nosymbol_address *address;
	size_t naddress, capaddress, capmodule;
};

/*
 * Returns the function that stands for all of the module of a frame, a name of a side; 0: the frame
 * is a function of its own.
 */
uint32_t nosymbol_function(
    struct nosymbol *n, struct frame_name *frame, uint32_t side, uint32_t name);

/*
 * After all frames: labels may be wrong. If hardly any function of a module is on both sides,
 * although its build ID is, the addresses are not those of one build, and all are one function.
 */
void nosymbol_end(struct nosymbol *n);

#endif
