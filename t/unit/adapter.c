/*
 * adapter: checks frames of HotSpot's adapters by code of JDK 27, from interpreted to compiled
 * code and back, and of the starts and ends of compiled methods by code of JDK 8 to 27. Exits 1 at
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
    {CODE("\x48\x83\xc4\x70\x5d\xe9\x83\x60\x65\x07"), 5, 8}, /* an exception */
    {CODE("\x83\xc0\x5d\xe9\x83\x60\x65\x07"), 3, FULL}, {CODE(LOAD END_27), 0, FULL},
    {CODE(STORE "\xe9\x94\x51\xaa\xff"), 0, FULL},
    {CODE("\x85\x05\x36\x6f\x0c\x16\x90"), 0, FULL}, /* a poll in a loop */
};

/* The start of a method with its entry barrier: instructions, and the frame at them. */
#define START_27 "\x55\x48\x81\xec\xc0\x00\x00\x00\x90\x41\x81\x7f\x20\x05\x00\x00\x00\x74\x05"

static const struct {
	size_t at;
	uint64_t frame;
} starts[] = {{0, 8}, {1, 16}, {8, FULL}, {9, FULL}, {17, FULL}};

static uint64_t
frame_at(uint64_t (*of)(struct memory_reader *, uint64_t, uint64_t), const uint8_t *bytes, size_t n,
    size_t at)
{
	uint8_t code[128] = {0};
	const uint64_t start = 0x7f0000001000;
	struct memory_reader *m = memory_of_image(start, code, sizeof code);
	uint64_t frame;

	memcpy(code + 32, bytes, n);
	memory_begin(m);
	frame = of(m, start + 32 + at, FULL);
	memory_free(m);
	return frame;
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
		if (frame_at(runtime_x86_64.hotspot->body, ends[i].code, ends[i].n, ends[i].at) !=
		    ends[i].frame) {
			printf("end %zu\n", i);
			return 1;
		}
	for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
		if (frame_at(runtime_x86_64.hotspot->entry, CODE(START_27), starts[i].at) !=
		    starts[i].frame) {
			printf("start %zu\n", i);
			return 1;
		}
	return 0;
}
