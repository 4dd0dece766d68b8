/*
 * adapter: checks frames of HotSpot's adapters by code of JDK 27, from interpreted to compiled
 * code and back, and of the ends of compiled methods by code of JDK 8, 11, 17 and 27. Exits 1 at
 * the first wrong one, with its number.
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

#define FULL 64 /* bytes of a complete frame */

/* A method's end, and an instruction there: its number of bytes before, and the frame at it. */
#define LOAD "\x49\xba\x6e\x09\xee\x6f\x65\x7f\x00\x00" /* mov, %r10 */
#define STORE "\x4d\x89\x97\x10\x05\x00\x00" /* mov %r10, n(%r15) */
#define STUB LOAD STORE "\xe9\x94\x51\xaa\xff"
#define END_8 "\x48\x83\xc4\x20\x5d\x85\x05\x36\x6f\x0c\x16\xc3"
#define END_11 "\x5d\x4d\x8b\x97\x08\x01\x00\x00\x41\x85\x02\xc3"
#define END_17 "\x5d\x49\x3b\xa7\x40\x03\x00\x00\x0f\x87\x1f\x00\x00\x00\xc3"
#define END_27 "\x5d\x49\x3b\x67\x28\x0f\x87\x1f\x00\x00\x00\xc3"

static const struct {
	const uint8_t *code;
	size_t n, at;
	uint64_t frame;
} ends[] = {
    {CODE(END_8), 0, FULL}, {CODE(END_8), 4, 16}, {CODE(END_8), 5, 8}, {CODE(END_8), 11, 8},
    {CODE(END_11), 0, 16}, {CODE(END_11), 1, 8}, {CODE(END_11), 8, 8}, {CODE(END_11), 11, 8},
    {CODE(END_17), 1, 8}, {CODE(END_17), 8, 8}, {CODE(END_17), 14, 8}, {CODE(END_27), 1, 8},
    {CODE(END_27), 5, 8}, {CODE(STUB), 0, 8}, {CODE(STUB), 10, 8}, {CODE(STUB), 17, 8},
    {CODE(LOAD END_27), 0, FULL}, {CODE(STORE END_27), 0, FULL},
    {CODE("\x85\x05\x36\x6f\x0c\x16\x90"), 0, FULL}, /* a poll in a loop */
};

static bool
is_end_right(size_t i)
{
	uint8_t code[128] = {0};
	const uint64_t start = 0x7f0000001000;
	struct memory_reader *m = memory_of_image(start, code, sizeof code);
	uint64_t frame;

	memcpy(code + 32, ends[i].code, ends[i].n);
	memory_begin(m);
	frame = runtime_x86_64.hotspot->body(m, start + 32 + ends[i].at, FULL);
	memory_free(m);
	return frame == ends[i].frame;
}

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
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (!is_end_right(i)) {
			printf("end %zu\n", i);
			return 1;
		}
	return 0;
}
