/*
 * hotspot: frames of Java methods in HotSpot, see runtime.h.
 */
#ifndef HOTSPOT_H
#define HOTSPOT_H

#include "runtime/runtime.h"

extern const struct runtime runtime_hotspot;

/* A field of a JVM's structures, by its table gHotSpotVMStructs. */
struct hotspot_place {
	const char *type, *name; /* type NULL ends a list */
	uint64_t
	    *at; /* receives its offset, or its address if static; unchanged without an entry */
};

/* Finds the places of a list in the process of a JVM whose module is m, libjvm.so. */
void hotspot_places(
    const struct runtime_process *p, const struct runtime_module *m, struct hotspot_place *place);

#endif
