/*
 * runtime_aarch64: registers of AArch64 by number (AAPCS64, 6.1.1), thread-local data above the
 * thread pointer (Drepper, "ELF Handling For Thread-Local Storage", variant I), and the code that
 * runtimes are compiled to. Rows that were not derived from the sources of a runtime are left out.
 */
#include <string.h>

#include "elf/aarch64.h"
#include "runtime/cpu/runtimecpu.h"
#include "runtime/runtime.h"

enum { X0, X1, BASE = 19, X19 = 19, X20, X21, PC = 21, FP = 29, SP = 31 };

/* The fields of an instruction (Arm Architecture Reference Manual, C4.1). */
#define RD(instruction) ((instruction)&31)
#define RN(instruction) ((instruction) >> 5 & 31)
#define IMM12(instruction) ((instruction) >> 10 & 0xfff)

/* The instruction at offset i of n bytes; 0, which is none, at their end. */
static uint32_t
instruction(const unsigned char *code, size_t n, size_t i)
{
	uint32_t word = 0;

	if (i + sizeof word <= n)
		memcpy(&word, code + i, sizeof word);
	return word;
}

static bool
is_adrp(uint32_t word)
{
	return (word & 0x9f000000) == 0x90000000;
}

/* add xD, xN, imm */
static bool
is_add(uint32_t word)
{
	return word >> 22 == 0x244;
}

/* ldr xD, [xN, imm] */
static bool
is_load(uint32_t word)
{
	return word >> 22 == 0x3e5;
}

/* The page that adrp at an address leads to. */
static uint64_t
page_of(uint32_t word, uint64_t at)
{
	const int64_t high = (int32_t)(word << 8) >> 13, low = word >> 29 & 3;

	return (at & ~UINT64_C(4095)) + ((uint64_t)(high * 4 + low) << 12);
}

/* The function that the first bl leads to. */
static uint64_t
called(const unsigned char *code, size_t n, uint64_t at)
{
	for (size_t i = 0; i < n; i += 4) {
		int64_t distance;

		if (aarch64_is_call(instruction(code, n, i), &distance))
			return at + i + (uint64_t)distance;
	}
	return 0;
}

/* ---- HotSpot ---- */

/* Instructions of macroAssembler_aarch64.cpp and of the generators named below. */
#define PUSH_FRAME 0xa9bf7bfd /* stp x29, x30, [sp, -16]! */
#define POP_FRAME 0xa8c17bfd /* ldp x29, x30, [sp], 16 */
#define SET_FRAME 0x910003fd /* mov x29, sp */
#define SET_INTERPRETED 0x910143fd /* add x29, sp, 80 */
#define STORE_SENDER 0xa90437ff /* stp xzr, x13, [sp, 64] */
#define KEEP_SENDER 0x910003ed /* mov x13, sp */
#define TAKE_SENDER 0x927cedbf /* and sp, x13, -16 */
#define TAKE_RESTORED 0x927cee9f /* and sp, x20, -16 */
#define MOVE_RESTORED 0x9100029f /* mov sp, x20 */
#define MOVE_SENDER 0x910001bf /* mov sp, x13 */
#define LEAVE_FRAME 0x910003bf /* mov sp, x29 */
#define PUSH_PC 0xa9bf27ff /* stp xzr, x9, [sp, -16]! */
#define POP_PC 0x910043ff /* add sp, sp, 16 */
#define POP_METHOD 0xa8c133e8 /* ldp x8, x12, [sp], 16 */
#define PUSH_METHOD 0xa9bf33e8 /* stp x8, x12, [sp, -16]! */
#define POP_RETURNED 0xa8c17be0 /* ldp x0, x30, [sp], 16 */
#define PUSH_RETURNED 0xa9bf7be0 /* stp x0, x30, [sp, -16]! */
#define POP_EXCEPTION 0xa8c103fe /* ldp x30, x0, [sp], 16 */
#define RETURN 0xd65f03c0
#define SYNCHRONIZE 0xd5033fdf /* isb */
#define LOAD_TARGET 0x58000048 /* ldr x8, 8 bytes from here */
#define JUMP_TARGET 0xd61f0100 /* br x8 */

#define STARTS 64 /* instructions of an interpreted method's start, at most */
#define ENTRY 48 /* of a compiled method's */
#define BARRIER 20 /* of its entry barrier */
#define ENDS 14 /* after a frame has ended, up to the jump */

/* Instructions before pc, and from it on: code[before] is the one at pc. False: unreadable. */
static bool
read_around(struct memory_reader *m, uint64_t pc, uint32_t *code, size_t before, size_t n)
{
	return memory_read(m, pc - before * sizeof *code, code, n * sizeof *code);
}

/* stp x29, x30, [sp, n] */
static bool
stores_frame(uint32_t word)
{
	return (word & 0xffc07fff) == 0xa9007bfd;
}

/* ldp x29, x30, [sp, n] */
static bool
loads_frame(uint32_t word)
{
	return (word & 0xffc07fff) == 0xa9407bfd;
}

/* sub sp, sp, imm, or sub sp, sp, xN */
static bool
lowers_stack(uint32_t word)
{
	return (word & 0xff8003ff) == 0xd10003ff || (word & 0xffe003ff) == 0xcb2003ff;
}

/* add sp, sp, imm */
static bool
raises_stack(uint32_t word)
{
	return (word & 0xff8003ff) == 0x910003ff;
}

/* b, br, ret: the next instruction is that of other code. */
static bool
is_end(uint32_t word)
{
	return word >> 26 == 5 || (word & 0xff9ffc1f) == 0xd61f0000;
}

/* bl, blr */
static bool
is_called(uint32_t word)
{
	int64_t distance;

	return aarch64_is_call(word, &distance) || (word & 0xfffffc1f) == 0xd63f0000;
}

/* ldp xN, xM, [sp], 16 of others than the frame */
static bool
pops(uint32_t word)
{
	return (word & 0xffff83e0) == 0xa8c103e0 && RD(word) != FP;
}

/* stp xN, xM, [sp, -16]! of others than the frame */
static bool
pushes(uint32_t word)
{
	return (word & 0xffff83e0) == 0xa9bf03e0 && RD(word) != FP;
}

/* True after the end of a frame, in code that polls for a safepoint, returns or jumps. */
static bool
has_ended(struct memory_reader *m, uint64_t pc)
{
	uint32_t code[ENDS + 1];

	if (!read_around(m, pc, code, ENDS, ENDS + 1))
		return false;
	for (size_t i = ENDS; i-- > 0;) {
		if (is_end(code[i]) || is_called(code[i]))
			return false;
		if (code[i] == POP_FRAME ||
		    (i > 0 && raises_stack(code[i]) && loads_frame(code[i - 1])))
			return true;
	}
	return false;
}

/*
 * True in the stub for a poll that hits: adr x8; str x8, [x28, n]; b. The frame has ended
 * (C2SafepointPollStubTable::emit_stub of c2_safepointPollStubTable_aarch64.cpp).
 */
static bool
in_poll_stub(struct memory_reader *m, uint64_t pc)
{
	uint32_t code[5];

	if (!read_around(m, pc, code, 2, 5))
		return false;
	for (size_t i = 0; i < 3; i++)
		if ((code[i] & 0x9f00001f) == 0x10000008 &&
		    (code[i + 1] & 0xffc003ff) == 0xf9000388 && code[i + 2] >> 26 == 5)
			return true;
	return false;
}

/*
 * The frame in code that builds one of that size: sub, stp; or, of large ones, stp, and sub after
 * it (MacroAssembler::build_frame). UINT64_MAX: the code at pc does not.
 */
static uint64_t
building(struct memory_reader *m, uint64_t pc, uint64_t size, size_t most, bool checks)
{
	uint32_t code[3 + ENTRY];
	const uint32_t *at = code + 3;

	if (!read_around(m, pc, code, 3, 3 + most))
		return UINT64_MAX;
	if (stores_frame(at[0]))
		return (lowers_stack(at[-1]) ? size : 0) | FRAME_LINKED;
	for (size_t i = 1; i <= 3; i++)
		if (at[-(ptrdiff_t)i] == PUSH_FRAME && lowers_stack(at[0]))
			return 16;
	if (at[-1] == PUSH_FRAME)
		return 16;
	/* An inline cache check jumps to its stub, before the start. */
	for (size_t i = 0; i < most && (checks || !is_end(at[i])) && at[i] != RETURN; i++)
		if (stores_frame(at[i]) || at[i] == PUSH_FRAME)
			return FRAME_LINKED;
	return UINT64_MAX;
}

/* Before the end of a method's start, which may have an entry barrier after its frame. */
static uint64_t
hotspot_entry(struct memory_reader *m, uint64_t pc, uint64_t size)
{
	uint32_t code[BARRIER];
	uint64_t frame;

	if (read_around(m, pc, code, BARRIER, BARRIER))
		for (size_t i = 1; i < BARRIER; i++)
			if ((stores_frame(code[i]) && lowers_stack(code[i - 1])) ||
			    (code[i - 1] == PUSH_FRAME && lowers_stack(code[i])))
				return size;
	frame = building(m, pc, size, ENTRY, true);
	return frame == UINT64_MAX ? size : frame;
}

/* Bytes that the code before pc has pushed, and not popped: arguments of C1's subtype check. */
static uint64_t
pushed_bytes(struct memory_reader *m, uint64_t pc)
{
	uint32_t code[ENTRY + 1];
	uint64_t bytes = 0, popped = 0;

	if (!read_around(m, pc, code, ENTRY, ENTRY + 1))
		return 0;
	if (code[ENTRY - 1] == PUSH_PC || code[ENTRY - 2] == PUSH_PC)
		return 16;
	for (size_t i = ENTRY; i-- > 0 && !loads_frame(code[i]) && !stores_frame(code[i]);)
		if (pops(code[i]) || code[i] == POP_PC)
			popped += 16;
		else if (pushes(code[i]) && popped > 0)
			popped -= 16;
		else if (pushes(code[i]))
			bytes += 16;
	return bytes == 0 && pops(code[ENTRY]) ? 16 : bytes;
}

/* After a method's start, also in the start of code for a loop that runs (OSR). */
static uint64_t
hotspot_body(struct memory_reader *m, uint64_t pc, uint64_t size)
{
	const uint64_t frame = building(m, pc, size, 6, false);

	if (frame != UINT64_MAX)
		return frame;
	if (memory_u32(m, pc) == POP_FRAME)
		return 16;
	if (has_ended(m, pc) || in_poll_stub(m, pc))
		return FRAME_LINKED;
	return size + pushed_bytes(m, pc);
}

/*
 * isb; mov x12; mov x8, each of three instructions; br x8 (CompiledStaticCall::emit_to_interp_stub
 * of compiledIC_aarch64.cpp); or ldr x8; br x8 (MacroAssembler::emit_trampoline_stub). Their calls
 * return to the method that they are part of.
 */
static uint64_t
hotspot_call_stub(struct memory_reader *m, uint64_t pc)
{
	enum { WORDS = 8 };
	uint32_t code[2 * WORDS];

	if (!read_around(m, pc, code, WORDS - 1, 2 * WORDS - 1))
		return 0;
	for (size_t i = 0; i < WORDS; i++)
		if (code[i] == SYNCHRONIZE && (code[i + 1] & 0xffe0001f) == 0xd280000c &&
		    (code[i + 4] & 0xffe0001f) == 0xd2800008 && code[i + 7] == JUMP_TARGET)
			return pc - (WORDS - 1 - i) * sizeof *code;
	for (size_t i = WORDS - 2; i < WORDS; i++)
		if (code[i] == LOAD_TARGET && code[i + 1] == JUMP_TARGET)
			return pc - (WORDS - 1 - i) * sizeof *code;
	return 0;
}

/* Bytes that code has pushed which looks for an exception's handler, after a frame's end. */
static uint64_t
searched(struct memory_reader *m, uint64_t pc)
{
	uint32_t code[ENDS];
	uint64_t bytes = 0;

	if (read_around(m, pc, code, ENDS, ENDS))
		for (size_t i = ENDS; i-- > 0 && code[i] != POP_FRAME;)
			bytes += code[i] == PUSH_RETURNED || code[i] == PUSH_METHOD ? 16 : 0;
	return bytes;
}

/*
 * An interpreted method's start stores its frame in twelve words, and last the caller's stack
 * pointer (TemplateInterpreterGenerator::generate_fixed_frame). Its end takes that from the frame
 * (InterpreterMacroAssembler::remove_activation); after it, an exception's handler is looked for
 * with two words above the caller's frame.
 */
static uint64_t
hotspot_interpreted(struct memory_reader *m, uint64_t pc, bool leaf)
{
	uint32_t code[2 + STARTS] = {0};
	const uint32_t *at = code + 2;

	if (!leaf)
		return read_around(m, pc, code, 0, 3) && code[0] == POP_METHOD &&
			       code[2] == POP_RETURNED
			   ? 32 | FRAME_KEEPS_FP
			   : FRAME_INTERPRETED;
	if (!read_around(m, pc, code, 2, 2 + STARTS))
		return FRAME_INTERPRETED;
	if (at[0] == STORE_SENDER && at[-1] == SET_INTERPRETED)
		return FRAME_INTERPRETED_START;
	if ((at[0] == TAKE_RESTORED || at[0] == MOVE_RESTORED) && at[-1] == POP_FRAME)
		return FRAME_INTERPRETED_END;
	if (at[0] == POP_METHOD && at[2] == POP_RETURNED)
		return 32 | FRAME_KEEPS_FP;
	if (at[0] == POP_RETURNED || (at[-1] == POP_METHOD && at[1] == POP_RETURNED))
		return 16 | FRAME_KEEPS_FP;
	if (at[-1] == POP_RETURNED || at[-2] == POP_RETURNED)
		return FRAME_LINKED;
	if (has_ended(m, pc))
		return searched(m, pc) | FRAME_LINKED;
	for (size_t i = 0; i < STARTS && at[i] != 0; i++) {
		if (at[i] == SET_INTERPRETED ||
		    at[i] == MOVE_SENDER) /* the latter: of a function */
			return FRAME_ADAPTER;
		if (is_called(at[i]) || (is_end(at[i]) && at[(ptrdiff_t)i - 1] != TAKE_SENDER))
			break;
	}
	return FRAME_INTERPRETED;
}

/* Code that the runtime generates for its calls: enter, or frames like those of methods. */
static uint64_t
hotspot_stub(struct memory_reader *m, uint64_t begin, uint64_t pc, uint64_t size)
{
	uint32_t code[ENTRY];
	const size_t at = (pc - begin) / sizeof *code;
	size_t i = 0;

	if (!read_around(m, begin, code, 0, ENTRY))
		return 0;
	while (i < ENTRY - 1 && !stores_frame(code[i]) && code[i] != PUSH_FRAME)
		i++;
	if (i == ENTRY - 1)
		return 0;
	if (memory_u32(m, pc) == PUSH_FRAME) /* one of several entries */
		return FRAME_LINKED;
	if (memory_u32(m, pc) == POP_FRAME || memory_u32(m, pc - 4) == PUSH_FRAME)
		return 16;
	if (at <= i)
		return (at == i && i > 0 && lowers_stack(code[i - 1]) ? size : 0) | FRAME_LINKED;
	if (has_ended(m, pc))
		return FRAME_LINKED;
	if (stores_frame(code[i]))
		return size;
	return code[i + 1] == SET_FRAME ? FRAME_POINTER : 0;
}

/*
 * The return address is in the link register, but for a call of the runtime with a frame. Code from
 * compiled methods stores its stack pointer in x13; that from interpreted ones has it there
 * (gen_c2i_adapter, gen_i2c_adapter of sharedRuntime_aarch64.cpp).
 */
static uint64_t
hotspot_adapter(const uint8_t *code, size_t n)
{
	if (instruction(code, n, 0) == SET_FRAME || instruction(code, n, 0) == POP_FRAME)
		return 16;
	for (size_t i = 0; i < n; i += 4) {
		const uint32_t word = instruction(code, n, i);

		if (word == LEAVE_FRAME)
			return FRAME_POINTER;
		if (word == KEEP_SENDER || word == PUSH_FRAME)
			return FRAME_LINKED;
		if (word == JUMP_TARGET)
			return FRAME_ADAPTER;
	}
	return 0;
}

/*
 * A frame of a size, and words pushed for the call: arguments of C1's subtype check, the return
 * address of a leaf call, or two registers around a call from code without a frame.
 */
static uint64_t
hotspot_called(struct memory_reader *m, uint64_t pc, uint64_t size)
{
	uint32_t code[5];

	if (!read_around(m, pc, code, 2, 5))
		return size;
	if (code[2] == POP_METHOD && code[4] == POP_EXCEPTION) /* generate_unwind_exception */
		return 24 | FRAME_KEEPS_FP;
	if (size != 0 && code[2] == POP_PC && code[0] == PUSH_PC)
		return size + 16;
	if (size == 0 || !pops(code[2]))
		return size;
	/* cbnz: two registers of arraycopy are below the arguments (emit_arraycopy) */
	return size + (code[3] >> 24 == 0xb5 ? 32 : 16);
}

/* frame_aarch64.hpp, register_aarch64.hpp */
static const struct hotspot_cpu hotspot = {
    .method = 12,
    .bytecode = 22,
    .thread = 28,
    .sender = 13,
    .restored = 20,
    .first = 17,
    .last = 17,
    .linked = true,
    .frame_method = -24,
    .frame_bytecode = -72,
    .call_stub = hotspot_call_stub,
    .entry = hotspot_entry,
    .body = hotspot_body,
    .adapter = hotspot_adapter,
    .interpreted = hotspot_interpreted,
    .stub = hotspot_stub,
    .called = hotspot_called,
};

/* ---- V8 ---- */

/* The start of a function: MacroAssembler::Prologue of macro-assembler-arm64.cc */
static const uint32_t v8_start[] = {
    0xa9bf7bfd, /* stp x29, x30, [sp, -16]! */
    0x910003fd, /* mov x29, sp */
    0xa9be03ff, /* stp xzr, x0, [sp, -32]! */
    0xa9016fe1, /* stp x1, x27, [sp, 16] */
};
enum { V8_STARTS = sizeof v8_start / sizeof *v8_start };

/* bl */
static bool
is_exit(struct memory_reader *m, uint64_t pc)
{
	int64_t distance;

	return aarch64_is_call(memory_u32(m, pc), &distance);
}

/* The index of the instruction at pc, of a start; V8_STARTS: it is in none. */
static size_t
start_index(struct memory_reader *m, uint64_t pc)
{
	uint32_t code[V8_STARTS];
	size_t i = 0;

	while (i < V8_STARTS && (!memory_read(m, pc - i * sizeof *code, code, sizeof code) ||
				    memcmp(code, v8_start, sizeof code) != 0))
		i++;
	return i;
}

static bool
starts(struct memory_reader *m, uint64_t pc, uint64_t sp, uint64_t fp)
{
	const size_t i = start_index(m, pc);

	return i < 2 || (i < V8_STARTS && fp - sp == (i == 2 ? 0 : 32));
}

static bool
fills(struct memory_reader *m, uint64_t pc, uint64_t sp, uint64_t fp)
{
	return fp - sp == 32 && memory_u32(m, pc) == v8_start[3] && start_index(m, pc) == 3;
}

/* register-arm64.h */
static const struct v8_cpu v8 = {
    .function = X1,
    .offset = X19,
    .array = X20,
    .dispatch = X21,
    .exit_bytes = 4,
    .is_exit = is_exit,
    .starts = starts,
    .fills = fills,
};

/* ---- BEAM ---- */

/* Registers of beam_asm.hpp: the table of registers, the Erlang stack's top, the process. */
enum { REGISTERS = X19, STACK = X20, PROCESS = X21, HTOP = 23, LR = 30 };

#define PUSH 0xf81f8e9e /* str x30, [x20, -8]!: a function's start */
#define POP 0xf840869e /* ldr x30, [x20], 8 */
#define POPPED 3 /* instructions between that and a jump */

/* ldr x20, [x21, stop], or ldp x23, x20 of htop before it; the stack's top stays in x20 else. */
static int
restores(const unsigned char *code, size_t n, uint8_t stop)
{
	const uint32_t field = stop / 8, load = 0xf9400000 | field << 10 | PROCESS << 5 | STACK,
		       pair = 0xa9400000 | (field - 1) << 15 | STACK << 10 | PROCESS << 5 | HTOP;
	int64_t distance;

	for (size_t i = 0; i < n; i += 4) {
		const uint32_t word = instruction(code, n, i);

		if (word == load || word == pair)
			return BEAM_PROCESS;
		if (aarch64_is_call(word, &distance) || (word & 0xff9ffc1f) == 0xd61f0000)
			break; /* bl, blr, br, ret */
	}
	return STACK;
}

/* adrp; add, perhaps with one or two between them */
static uint64_t
taken(const unsigned char *code, size_t n, uint64_t at)
{
	for (size_t i = 0; i < n; i += 4) {
		const uint32_t page = instruction(code, n, i);

		for (size_t k = i + 4; is_adrp(page) && k <= i + 12; k += 4) {
			const uint32_t word = instruction(code, n, k);

			if (is_add(word) && RN(word) == RD(page))
				return page_of(page, at + i) + IMM12(word);
			if (RD(word) == RD(page))
				break;
		}
	}
	return 0;
}

/* At a function's start, and after its end has taken the return address from the stack. */
static bool
in_register(struct memory_reader *m, uint64_t pc)
{
	uint32_t code[POPPED + 1];

	if (!memory_read(m, pc - POPPED * sizeof *code, code, sizeof code))
		return false;
	for (size_t i = POPPED; i-- > 0;) {
		if (code[i] == POP)
			return true;
		/* Only subs of the reductions in x22, and b.mi, are between these. */
		if ((code[i] & 0x7fffffff) != 0x710006d6 && (code[i] & 0xff00001f) != 0x54000004)
			break;
	}
	return code[POPPED] == PUSH;
}

static const struct beam_cpu beam = {
    REGISTERS, PROCESS, STACK, restores, called, taken, in_register, LR};

/* ---- Ruby ---- */

/* adrp x0; ldr, [x0, slot]; add x0, x0, slot, as each use of a TLS descriptor. */
static uint64_t
slot(const unsigned char *code, size_t n, uint64_t at)
{
	for (size_t i = 0; i < n; i += 4) {
		const uint32_t page = instruction(code, n, i), load = instruction(code, n, i + 4),
			       add = instruction(code, n, i + 8);

		if (is_adrp(page) && RD(page) == X0 && is_load(load) && RN(load) == X0 &&
		    is_add(add) && RN(add) == X0 && RD(add) == X0 && IMM12(add) == IMM12(load) * 8)
			return page_of(page, at + i) + IMM12(add);
	}
	return 0;
}

/* adrp x; add x, x, symbols; ldr y, [x, n]; ldr x0, [y, 16] */
static uint64_t
entries(const unsigned char *code, size_t n, uint64_t at)
{
	for (size_t i = 0; i < n; i += 4) {
		const uint32_t page = instruction(code, n, i), add = instruction(code, n, i + 4),
			       load = instruction(code, n, i + 8),
			       number = instruction(code, n, i + 12);

		if (is_adrp(page) && is_add(add) && RN(add) == RD(page) && is_load(load) &&
		    RN(load) == RD(add) && is_load(number) && RN(number) == RD(load) &&
		    RD(number) == X0 && IMM12(number) == 2)
			return page_of(page, at + i) + IMM12(add) + IMM12(load) * 8;
	}
	return 0;
}

/* rb_current_ec_noinline, which is called first, has the slot (vm_core.h). */
static const struct ruby_cpu ruby = {called, slot, entries};

/* ---- Lua ---- */

/* The first mov of x0 to another register, or str of it to the stack. */
static struct lua_kept
kept(const unsigned char *code, size_t n)
{
	for (size_t i = 0; i + 4 <= n; i += 4) {
		const uint32_t word = instruction(code, n, i);
		const uint8_t end = (uint8_t)(i + 4);

		if ((word & ~UINT32_C(31)) == 0xaa0003e0)
			return (struct lua_kept){KEPT_IN_REGISTER, (uint8_t)RD(word), end};
		if (word >> 22 == 0x3e4 && RN(word) == SP && RD(word) == X0 &&
		    IMM12(word) * 8 <= UINT8_MAX)
			return (struct lua_kept){KEPT_ON_STACK, (uint8_t)(IMM12(word) * 8), end};
	}
	return (struct lua_kept){KEPT_UNKNOWN, 0, 0};
}

static const struct lua_cpu lua = {kept};

/* ---- All ---- */

/*
 * vm_arm64.dasc of LuaJIT since September 2021. Its C functions keep the base's register, which
 * calls preserve.
 */
static const struct luajit_cpu luajit = {BASE, PC, BASE, 40, 16, 8, 0, 208};
static const struct php_cpu php = {27, 28, 27 * 8, 28 * 8, NULL}; /* zend_execute.c */

const struct runtime_cpu runtime_aarch64 = {
    .name = "aarch64",
    .fp = FP,
    .sp = SP,
    .kept = {19, 20, 21, 22, 23, 24, 25, 26, 27, 28, FP},
    .nkept = 11,
    .stat_bytes = 128,
    .tls_above = true,
    .hotspot = &hotspot,
    .v8 = &v8,
    .beam = &beam,
    .ruby = &ruby,
    .lua = &lua,
    .luajit = &luajit,
    .php = &php,
};
