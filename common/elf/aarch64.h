/*
 * aarch64: instructions of AArch64 (Arm Architecture Reference Manual, C4.1) that several modules
 * look for.
 */
#ifndef AARCH64_H
#define AARCH64_H

#include <stdbool.h>
#include <stdint.h>

/* True at bl; sets the bytes from it to the function that it calls. */
static inline bool
aarch64_is_call(uint32_t instruction, int64_t *distance)
{
	*distance = (int64_t)((int32_t)(instruction << 6) >> 6) * 4;
	return instruction >> 26 == 0x25;
}

#endif
