/*
 * hotspot: frames of Java methods in HotSpot, see runtime.h.
 */
#ifndef HOTSPOT_H
#define HOTSPOT_H

#include "runtime/runtime.h"

extern const struct runtime runtime_hotspot;

#endif
