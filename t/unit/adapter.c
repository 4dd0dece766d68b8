/*
 * adapter: checks frames of HotSpot's adapters by code of JDK 27, from interpreted to compiled
 * code and back. Exits 1 at the first wrong one, with its number.
 */
#include <stdio.h>
#include <string.h>

#include "runtime/cpu/runtimecpu.h"
#include "runtime/runtime.h"

#define CODE(bytes) (const uint8_t *)(bytes), sizeof(bytes) - 1

/* A call of the runtime, if the callee is compiled by now: the stack is aligned for it. */
#define ALIGN "\x4c\x8b\xec\x48\x8b\x04\x24\x48\x83\xe4\xf0\x9c"
#define SAVE "\x48\x81\xec\x80\x00\x00\x00"
#define RESTORE "\x48\x81\xc4\x80\x00\x00\x00"
#define REALIGN "\x49\x8b\xe5"
#define END "\x58\x4c\x8b\xec\x48\x81\xec\x20\x00\x00\x00\x48\x89\x04\x24\xff\xe1"

static const struct {
	const uint8_t *code;
	size_t n;
	uint64_t frame;
} all[] = {
    {CODE(END), 8},
    {CODE(SAVE RESTORE ALIGN SAVE RESTORE REALIGN END), 8}, /* before G1's barrier */
    {CODE(RESTORE ALIGN SAVE RESTORE REALIGN END), 0}, /* in it */
    {CODE(ALIGN SAVE RESTORE REALIGN END), 8},
    {CODE(SAVE RESTORE REALIGN END), 0}, /* aligned */
    {CODE(REALIGN END), 0},
};

int
main(void)
{
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		uint8_t code[128] = {0};

		memcpy(code, all[i].code, all[i].n);
		if (runtime_x86_64.hotspot->adapter(code, all[i].n) != all[i].frame) {
			printf("%zu\n", i);
			return 1;
		}
	}
	return 0;
}
