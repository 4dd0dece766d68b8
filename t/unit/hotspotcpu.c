/*
 * hotspotcpu: checks frames that HotSpot's code has on AArch64 at each of its instructions, by code
 * of JDK 17. Exits 1 at the first wrong one, and prints its number.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "runtime/cpu/runtimecpu.h"
#include "runtime/runtime.h"

#define CODE UINT64_C(0x10000)
#define BEFORE 64 /* instructions before the code, which are those of nothing */
#define SIZE 80 /* bytes of a complete frame */

enum part { ENTRY, BODY, INTERPRETED, CALLER, RETURNED, STUB, ADAPTER, CALL_STUB };

/* Frames; NONE: the return address is in the link register, and no more. */
enum { NONE = FRAME_LINKED, PAIR = 16, LOWERED = SIZE | FRAME_LINKED };
#define POINTER FRAME_POINTER
#define SENDER FRAME_ADAPTER
#define FULL FRAME_INTERPRETED
#define STARTED FRAME_INTERPRETED_START
#define ENDED FRAME_INTERPRETED_END
#define SEARCHED (32 | FRAME_KEEPS_FP)

/* An instruction, and the frame at it. */
struct at {
	uint32_t instruction;
	uint64_t frame;
};

static const struct at entry[] = {{0xb9400828, NONE}, /* an inline cache check: ldr; cmp; b.eq; b */
    {0x6b08013f, NONE}, {0x54000040, NONE}, {0x17eac28d, NONE}, {0xd503201f, NONE}, /* nop */
    {0xd14053e9, NONE}, {0xf900013f, NONE}, /* sub x9, sp; str xzr, [x9] */
    {0xd10143ff, NONE}, {0xa9047bfd, LOWERED}, /* sub sp; stp x29, x30, [sp, 64] */
    {0xd2831103, SIZE}, {0xb9400860, SIZE}, {0xd65f03c0, SIZE}};
static const struct at large[] = {
    {0xd503201f, NONE}, {0xa9bf7bfd, NONE}, {0xd10803ff, PAIR}, {0xb9400860, SIZE}};
/* add w0; ldp x29, x30, [sp, 64]; add sp; ldr x8, [x28]; cmp; b.hi; ret; and the next code */
static const struct at end[] = {{0x11000420, SIZE}, {0xa9447bfd, SIZE}, {0x910143ff, SIZE},
    {0xf941a388, NONE}, {0xeb2863ff, NONE}, {0x54000188, NONE}, {0xd65f03c0, NONE},
    {0xd280bf08, SIZE},
    /* the stub for a poll that hits: b; adr; str x8, [x28]; b */
    {0x17ffffe7, SIZE}, {0x10fffe48, NONE}, {0xf901af88, NONE}, {0x15d5d1ff, NONE},
    {0xf90007e8, SIZE}};
/* an exception leaves a method: ldp; add; b; then a large frame's end: add; ldp; ret */
static const struct at leave[] = {{0xf901ef9f, SIZE}, {0xa9447bfd, SIZE}, {0x910143ff, SIZE},
    {0x15d872b7, NONE}, {0x910803ff, SIZE}, {0xa8c17bfd, PAIR}, {0xd65f03c0, NONE}};
/* C1's subtype check: stp; bl; ldp; cbz; and a leaf call: adr; stp xzr, x9; blr; add */
static const struct at pushes[] = {{0xa9bf0be1, SIZE}, {0x95d88283, SIZE + 16},
    {0xa8c10be1, SIZE + 16}, {0xb4000161, SIZE}, {0x10000089, SIZE}, {0xa9bf27ff, SIZE},
    {0xd63f0100, SIZE + 16}, {0x910043ff, SIZE + 16}, {0xf9014b9f, SIZE}};
/* the start of a loop that is compiled while it runs: b; sub x9; str; sub; stp */
static const struct at loop[] = {{0x17ffffe7, SIZE}, {0xd14053e9, NONE}, {0xf900013f, NONE},
    {0xd10143ff, NONE}, {0xa9047bfd, LOWERED}, {0xd2831103, SIZE}};
/* a method's start, shortened, after the end of other code; with its check of the stack */
static const struct at started[] = {{0xd61f0120, FULL}, {0x54000068, SENDER}, {0x927cedbf, SENDER},
    {0x17fff203, SENDER}, {0x8b226e98, SENDER}, {0xa9ba5bf4, SENDER}, {0xa90333e8, SENDER},
    {0xa9057bfd, SENDER}, {0x910143fd, SENDER}, {0xa90437ff, STARTED}, {0xf9400588, FULL},
    {0xd61f0120, FULL}};
/* the end: mov x20, x9; mov sp, x29; ldp; and sp, x20; ret; then other code */
static const struct at ended[] = {{0xaa0903f4, FULL}, {0x910003bf, FULL}, {0xa8c17bfd, FULL},
    {0x927cee9f, ENDED}, {0xd65f03c0, NONE}, {0xf81f8e80, FULL}};
/* the search for a handler of an exception, after the end */
static const struct at searched[] = {{0xa8c17bfd, FULL}, {0x927cee9f, ENDED}, {0xa9bf7be0, NONE},
    {0xaa1e03e1, 16 | NONE}, {0xa9bf33e8, 16 | NONE}, {0xd28bd808, 32 | NONE},
    {0xd63f0100, 32 | NONE}, {0xa8c133e8, SEARCHED}, {0xaa0003e1, 16 | FRAME_KEEPS_FP},
    {0xa8c17be0, 16 | FRAME_KEEPS_FP}, {0xaa1e03e3, NONE}, {0xd61f0020, NONE}};
/* a native method's end: ldp; mov sp, x20; ret; and a function: ldr d0; mov sp, x13; mov x19, x30
 */
static const struct at native[] = {{0xa8c17bfd, FULL}, {0x9100029f, ENDED}, {0xd65f03c0, NONE},
    {0xfd400280, SENDER}, {0x910001bf, SENDER}};
static const struct at caller[] = {
    {0xf81b83b6, FULL}, {0xa8c133e8, SEARCHED}, {0xaa0003e1, FULL}, {0xa8c17be0, FULL}};
/* after calls: of the subtype check, and of that with registers of arraycopy; of a leaf */
static const struct at returned[] = {{0xa8c10be1, SIZE + 16}, {0xb4000161, SIZE},
    {0xa8c10be1, SIZE + 32}, {0xb5000161, SIZE}, {0xa9bf27ff, SIZE}, {0xd63f0100, SIZE},
    {0x910043ff, SIZE + 16}, {0xa8c133e8, 24 | FRAME_KEEPS_FP}, {0xaa0003e1, SIZE},
    {0xa8c103fe, SIZE + 16}};
/* stubs: stp; mov x29, sp; sub; mov sp, x29; ldp; ret; and one with the frame of a method */
static const struct at stub[] = {{0xa9bf7bfd, NONE}, {0x910003fd, PAIR}, {0xd10083ff, POINTER},
    {0xd63f0100, POINTER}, {0x910003bf, POINTER}, {0xa8c17bfd, PAIR}, {0xd65f03c0, NONE}};
static const struct at sized[] = {{0xd503201f, NONE}, {0xd10143ff, NONE}, {0xa9047bfd, LOWERED},
    {0xd63f0100, SIZE}, {0xa9447bfd, SIZE}, {0x910143ff, SIZE}, {0xd65f03c0, NONE}};
/* from interpreted to compiled code, and back, with a call of the runtime */
static const struct at adapter[] = {{0xd10083e8, SENDER}, {0x927ced1f, SENDER},
    {0xf9402188, SENDER}, {0xd61f0100, SENDER}, {0xf9402588, NONE}, {0xa9bf7bfd, NONE},
    {0x910003fd, PAIR}, {0xa9b107e0, POINTER}, {0xd63f0100, POINTER}, {0x910003bf, POINTER},
    {0xa8c17bfd, PAIR}, {0x910003ed, NONE}, {0xd10183ff, SENDER}, {0xf9401d88, SENDER},
    {0xd61f0100, SENDER}};
/* the stub of a call: isb; mov x12; mov x8; br x8; and one with an address: ldr x8; br x8 */
static const struct at call_stub[] = {{0x17ffffe7, 0}, {0xd5033fdf, 1}, {0xd280000c, 1},
    {0xf2a0000c, 1}, {0xf2c0000c, 1}, {0xd2800008, 1}, {0xf2a00008, 1}, {0xf2c00008, 1},
    {0xd61f0100, 1}, {0x58000048, 1}, {0xd61f0100, 1}, {0x1b3d1200, 0}};

#define ALL(part, code)                                   \
	{                                                 \
		part, code, sizeof(code) / sizeof *(code) \
	}

static const struct {
	enum part part;
	const struct at *at;
	size_t n;
} all[] = {ALL(ENTRY, entry), ALL(ENTRY, large), ALL(BODY, end), ALL(BODY, leave),
    ALL(BODY, pushes), ALL(BODY, loop), ALL(INTERPRETED, started), ALL(INTERPRETED, ended),
    ALL(INTERPRETED, searched), ALL(INTERPRETED, native), ALL(CALLER, caller),
    ALL(RETURNED, returned), ALL(STUB, stub), ALL(STUB, sized), ALL(ADAPTER, adapter),
    ALL(CALL_STUB, call_stub)};

static uint64_t
frame_at(enum part part, struct memory_reader *m, uint64_t pc, const uint8_t *code, size_t n)
{
	const struct hotspot_cpu *cpu = runtime_aarch64.hotspot;

	switch (part) {
	case ENTRY: return cpu->entry(m, pc, SIZE);
	case BODY: return cpu->body(m, pc, SIZE);
	case INTERPRETED: return cpu->interpreted(m, pc, true);
	case CALLER: return cpu->interpreted(m, pc, false);
	case RETURNED: return cpu->called(m, pc, SIZE);
	case STUB: return cpu->stub(m, CODE + 4 * BEFORE, pc, SIZE);
	case ADAPTER: return cpu->adapter(code, n);
	default: return cpu->call_stub(m, pc) != 0;
	}
}

int
main(void)
{
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		uint32_t code[MEMORY_PAGE / 4] = {0};
		struct memory_reader *m = memory_of_image(CODE, code, sizeof code);

		for (size_t k = 0; k < all[i].n; k++)
			code[BEFORE + k] = all[i].at[k].instruction;
		memory_begin(m);
		for (size_t k = 0; k < all[i].n; k++) {
			const uint64_t got = frame_at(all[i].part, m, CODE + 4 * (BEFORE + k),
			    (const uint8_t *)(code + BEFORE + k), 4 * (all[i].n - k));

			if (got != all[i].at[k].frame) {
				printf("%zu, %zu: %" PRIx64 "\n", i, k, got);
				return 1;
			}
		}
		memory_free(m);
	}
	return 0;
}
