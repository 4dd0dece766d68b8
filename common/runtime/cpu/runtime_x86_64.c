/*
 * runtime_x86_64: registers of x86-64 by DWARF number (System V ABI, figure 3.36), and the code
 * that runtimes generate for it or are compiled to.
 */
#include <string.h>

#include "runtime/cpu/runtimecpu.h"
#include "runtime/runtime.h"

enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R9 = 9, R12 = 12, R13, R14, R15 };

static bool
has(const uint8_t *at, const char *bytes, size_t n)
{
	return memcmp(at, bytes, n) == 0;
}

/* The distance of 4 bytes at `at`. */
static int64_t
distance(const uint8_t *at)
{
	int32_t v;

	memcpy(&v, at, sizeof v);
	return v;
}

/*
 * The offset to which the first instruction leads that begins with these bytes and ends with a
 * distance; 0: there is none.
 */
static int64_t
led_to(const unsigned char *code, size_t n, const char *bytes, size_t size)
{
	for (size_t i = 0; i + size + 4 <= n; i++)
		if (has(code + i, bytes, size))
			return (int64_t)(i + size + 4) + distance(code + i + size);
	return 0;
}

/* ---- HotSpot ---- */

#define BARRIER_BYTES 400 /* of the code of a method's entry barrier, up to its end */
#define POLL_STUB 17 /* bytes of two instructions: see is_poll_stub */

/* sub, %rsp */
static bool
lowers_stack(const uint8_t *at)
{
	return has(at, "\x48\x83\xec", 3) || has(at, "\x48\x81\xec", 3);
}

static uint64_t
call_target(struct memory_reader *m, uint64_t pc)
{
	uint8_t b[5];

	if (!memory_read(m, pc - sizeof b, b, sizeof b) || b[0] != 0xe8)
		return 0;
	return pc + (uint64_t)distance(b + 1);
}

/* mov, %rbx; jmp (CompiledDirectCall::emit_to_interp_stub of compiledIC_x86.cpp). */
static uint64_t
call_stub(struct memory_reader *m, uint64_t pc)
{
	uint8_t b[21] = {0}, *at = b + 10; /* 10 bytes before pc */

	memory_read(m, pc - 10, b, sizeof b);
	if (at[0] == 0xe9)
		at = b;
	return has(at, "\x48\xbb", 2) && at[10] == 0xe9 ? pc - 10 + (uint64_t)(at - b) : 0;
}

/*
 * A method's start: inline cache check, banging of the stack, push %rbp and sub, %rsp, or
 * sub, %rsp and mov %rbp, n(%rsp), and then the entry barrier: cmp, n(%r15), je or jne, call
 * (MacroAssembler::verified_entry; C1_MacroAssembler::build_frame;
 * BarrierSetAssembler::nmethod_entry_barrier).
 */
static uint64_t
entry(struct memory_reader *m, uint64_t pc, uint64_t size)
{
	uint8_t b[8 + 7] = {0}, *at = b + 8;
	size_t pad;

	memory_read(m, pc - 8, b, sizeof b);
	if (lowers_stack(at))
		return at[-1] == 0x55 ? 16 : 8;
	pad = at[0] == 0x90 ? 1 : has(at, "\x66\x90", 2) ? 2 : has(at, "\x0f\x1f\x00", 3) ? 3 : 0;
	if (pad > 0 && has(at + pad, "\x41\x81\x7f", 3)) /* nop: it aligns that cmp */
		return size;
	if (has(at, "\x48\x89\x6c\x24", 4) || has(at, "\x48\x89\xac\x24", 4)) /* mov %rbp, */
		return size | FRAME_KEEPS_FP;
	if (has(at, "\x41\x81\x7f", 3) || at[0] == 0xe8 || /* cmp; call */
	    has(b, "\x41\x81\x7f", 3)) /* je or jne after cmp */
		return size;
	return 8;
}

/*
 * True if the code polls for a safepoint and returns: cmp, n(%r15), %rsp, ja to a stub; until JDK
 * 15 a read of the page, whose address JDK 8 has not loaded from the thread; then ret.
 */
static bool
is_poll(const uint8_t at[14])
{
	return at[0] == 0xc3 || /* ret */
	       has(at, "\x49\x3b\xa7", 3) || has(at, "\x49\x3b\x67", 3) || /* cmp */
	       (has(at, "\x0f\x87", 2) && at[6] == 0xc3) || /* ja; ret */
	       has(at, "\x41\x85\x02\xc3", 4) || /* test %eax, (%r10); ret */
	       (has(at, "\x4d\x8b\x97", 3) && has(at + 7, "\x41\x85\x02\xc3", 4)) ||
	       (has(at, "\x85\x05", 2) && at[6] == 0xc3); /* test %eax, n(%rip); ret */
}

/*
 * True in that stub: mov, %r10; mov %r10, n(%r15); jmp (C2SafepointPollStub::emit of
 * c2_CodeStubs_x86.cpp). `before`: POLL_STUB bytes before pc.
 */
static bool
is_poll_stub(const uint8_t *before)
{
	for (size_t i = 0; i < 3; i++) {
		static const uint8_t past[] = {0, 10, POLL_STUB}; /* bytes of the stub before pc */
		const uint8_t *at = before + POLL_STUB - past[i];

		if (has(at, "\x49\xba", 2) && has(at + 10, "\x4d\x89\x97", 3) &&
		    at[POLL_STUB] == 0xe9)
			return true;
	}
	return false;
}

/*
 * After add, %rsp and pop %rbp of a method's end its frame is not complete (MachEpilogNode::emit of
 * x86_64.ad).
 */
static uint64_t
body(struct memory_reader *m, uint64_t pc, uint64_t size)
{
	uint8_t b[2 * POLL_STUB + 1] = {0}, *at = b + POLL_STUB;

	memory_read(m, pc - POLL_STUB, b, sizeof b);
	if (at[0] == 0x5d) /* pop %rbp */
		return 16;
	if (has(at - 1, "\x5d\xe9", 2) &&
	    (has(at - 5, "\x48\x83\xc4", 3) || has(at - 8, "\x48\x81\xc4", 3)))
		return 8; /* add, %rsp; pop %rbp; jmp: an exception leaves the method */
	return is_poll(at) || is_poll_stub(b) ? 8 : size;
}

/* The stack of a stub changes at push %rbp of its start, and at ret. */
static uint32_t
stub_words(struct memory_reader *m, uint64_t pc)
{
	uint8_t b[5] = {0}; /* from the byte before pc on */

	memory_read(m, pc - 1, b, sizeof b);
	if (has(b + 1, "\x55\x48\x8b\xec", 4) || b[1] == 0xc3)
		return 1;
	return has(b, "\x55\x48\x8b\xec", 4) ? 2 : 0; /* push %rbp; mov %rsp, %rbp */
}

/* push $-1; push %rbp; mov %rsp, %rbp at most BARRIER_BYTES before pc */
static bool
in_barrier(struct memory_reader *m, uint64_t pc)
{
	static const char start[] = "\x68\xff\xff\xff\xff\x55\x48\x8b\xec";
	uint8_t b[BARRIER_BYTES + 4] = {0};

	return memory_read(m, pc - BARRIER_BYTES, b, sizeof b) &&
	       memmem(b, sizeof b, start, sizeof start - 1) != NULL;
}

/* The stack pointer of code that was scanned, below that at its start. */
struct lowered {
	int64_t now;
	int64_t kept; /* in r13, while it is aligned for a call; -1: not kept */
};

/* Returns `adapter` by the next instructions of one; 1: they do not show it. */
static uint64_t
adapter_part(const uint8_t *b, const uint8_t *from, struct lowered *lowered)
{
	if (has(b, "\x41\xff\xe3", 3)) /* jmp *%r11 */
		return FRAME_ADAPTER_BELOW;
	if (has(b, "\x58\x4c\x8b\xec", 4) || has(b, "\x58\x49\x89\xe5", 4) ||
	    has(b, "\x4c\x8d\x6c\x24\x08\x58", 6))
		return 8; /* pop %rax; mov %rsp, %r13, or lea 8(%rsp), %r13; pop %rax */
	if (has(b, "\xff\xe1", 2)) /* jmp *%rcx */
		return lowers_stack(from) || has(from, "\x48\x89\x04\x24", 4) || from[0] == 0x50
			   ? FRAME_ADAPTER_BELOW /* sub, %rsp; mov %rax, (%rsp) or push %rax */
			   : FRAME_ADAPTER;
	if (has(b, "\x48\x81\xec", 3)) { /* sub, %rsp: code that saves registers for a call */
		lowered->now += distance(b + 3);
	} else if (has(b, "\x48\x81\xc4", 3)) { /* add, %rsp */
		lowered->now -= distance(b + 3);
	} else if (has(b, "\x4c\x8b\xec", 3) || has(b, "\x49\x89\xe5", 3)) {
		lowered->kept = lowered->now; /* mov %rsp, %r13 */
	} else if (has(b, "\x49\x8b\xe5", 3) || has(b, "\x4c\x89\xec", 3)) {
		/* mov %r13, %rsp after a call of the runtime that aligned the stack */
		lowered->now = lowered->kept;
		lowered->kept = -1;
	}
	return lowered->now < 0 ? 0 : 1;
}

/*
 * Adapters (gen_i2c_adapter, gen_c2i_adapter and generate_i2c2i_adapters of
 * sharedRuntime_x86_64.cpp). One from interpreted code ends with jmp *%r11; r13 is the
 * interpreter's stack pointer, and the return address below it is on top at the end only. One from
 * compiled code takes the return address from the top, with its caller's stack pointer in r13,
 * stores it on top again below the arguments, and ends with jmp *%rcx.
 */
static uint64_t
adapter(const uint8_t *code, size_t n)
{
	uint64_t size = 1;
	struct lowered lowered = {0, -1};

	for (size_t i = 0; i < n && size == 1; i++)
		size = adapter_part(code + i, code, &lowered);
	return size == 1 ? 0 : size;
}

/*
 * Two arguments, popped after the call, above two registers in arraycopy, which tests for success
 * (emit_typecheck_helper and emit_arraycopy of c1_LIRAssembler_x86.cpp).
 */
static uint32_t
popped(const uint8_t code[HOTSPOT_POPS])
{
	for (int i = 0; i < 2; i++) {
		code += *code == 0x41; /* pop of r8 to r15 */
		if ((*code++ & 0xf8) != 0x58)
			return 2;
	}
	code += (*code & 0xf0) == 0x40;
	code += 2; /* test */
	code += *code == 0x0f;
	return (*code & 0x0f) == 0x05 ? 4 : 2; /* jne, je */
}

/* frame_x86.hpp; generate_fixed_frame; generate_method_entry_barrier of stubGenerator_x86_64.cpp */
static const struct hotspot_cpu hotspot = {
    .method = RBX,
    .bytecode = R13,
    .thread = R15,
    .sender = R13,
    .returned = RAX,
    .frame_method = -24,
    .frame_bytecode = -64,
    .barrier_marked = true,
    .in_barrier = in_barrier,
    .call_target = call_target,
    .call_stub = call_stub,
    .entry = entry,
    .body = body,
    .stub_words = stub_words,
    .adapter = adapter,
    .popped = popped,
};

/* ---- V8 ---- */

/* call [r13 + x] */
static bool
is_exit(struct memory_reader *m, uint64_t pc)
{
	uint8_t call[3];

	return memory_read(m, pc, call, sizeof call) && call[0] == 0x41 && call[1] == 0xff &&
	       (call[2] == 0x95 || call[2] == 0x55);
}

static bool
starts(struct memory_reader *m, uint64_t pc, uint64_t sp, uint64_t fp)
{
	static const char start[] =
	    "\x55\x48\x89\xe5\x56\x57"; /* push and set rbp, push rsi, rdi */
	char code[6];

	return memory_read(m, pc, code, sizeof code) &&
	       (memcmp(code, start, 6) == 0 || memcmp(code, start + 1, 5) == 0 ||
		   (memcmp(code, start + 4, 2) == 0 && sp == fp) ||
		   (code[0] == start[5] && sp == fp - 8));
}

static const struct v8_cpu v8 = {
    /* register-x64.h */
    .function = RDI,
    .offset = R9,
    .array = R12,
    .dispatch = R15,
    .exit_bytes = 4,
    .is_exit = is_exit,
    .starts = starts,
};

/* ---- BEAM ---- */

static int
restores(const unsigned char *code, size_t n, uint8_t stop)
{
	const unsigned char from_rbp[] = {0x48, 0x89, 0xec}, /* mov %rbp,%rsp */
	    from_process[] = {0x49, 0x8b, 0x65, stop}; /* mov stop(%r13),%rsp */

	for (size_t i = 0; i + sizeof from_process <= n; i++) {
		if (memcmp(code + i, from_rbp, sizeof from_rbp) == 0)
			return RBP;
		if (memcmp(code + i, from_process, sizeof from_process) == 0)
			return BEAM_PROCESS;
	}
	return BEAM_UNKNOWN;
}

static uint64_t
called(const unsigned char *code, size_t n, uint64_t at)
{
	const int64_t offset = led_to(code, n, "\xe8", 1); /* call */

	return offset == 0 ? 0 : at + (uint64_t)offset;
}

static uint64_t
taken(const unsigned char *code, size_t n, uint64_t at)
{
	for (size_t i = 0; i + 7 <= n; i++) /* lea distance(%rip) */
		if ((code[i] & 0xf8) == 0x48 && code[i + 1] == 0x8d && (code[i + 2] & 0xc7) == 5)
			return at + i + 7 + (uint64_t)distance(code + i + 3);
	return 0;
}

static const struct beam_cpu beam = {RBX, R13, RSP, restores, called, taken, NULL, 0};

/* ---- Ruby ---- */

/* lea slot(%rip),%rdi with the prefix of a call of __tls_get_addr */
static uint64_t
slot(const unsigned char *code, size_t n, uint64_t at)
{
	int64_t offset = led_to(code, n, "\x66\x48\x8d\x3d", 4);

	return offset == 0 ? 0 : at + (uint64_t)offset;
}

/* mov distance(%rip),%rax; up to 2.7 push of r8 to r15; mov 0x10(%rax),%rdi */
static uint64_t
entries(const unsigned char *code, size_t n, uint64_t at)
{
	for (size_t i = 0; i + 13 <= n; i++)
		if (has(code + i, "\x48\x8b\x05", 3) &&
		    has(code + i + (code[i + 7] == 0x41 ? 9 : 7), "\x48\x8b\x78\x10", 4))
			return at + i + 7 + (uint64_t)distance(code + i + 3);
	return 0;
}

static const struct ruby_cpu ruby = {NULL, slot, entries};

/* ---- PHP ---- */

/* mov distance(%rip),%edi */
static int64_t
key(const unsigned char *code, size_t n)
{
	return led_to(code, n, "\x8b\x3d", 2);
}

/* ---- Lua ---- */

/* The first mov of %rdi to offset(%rsp) or another register. */
static struct lua_kept
kept(const unsigned char *code, size_t n)
{
	static const uint8_t number[8] = {RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI};

	for (size_t i = 0; i + 5 <= n; i++) {
		const uint8_t rm = code[i + 2] & 7, end = (uint8_t)(i + 5);

		if ((code[i] & 0xfe) == 0x48 && code[i + 1] == 0x89 && (code[i + 2] & 0xf8) == 0xf8)
			return (struct lua_kept){KEPT_IN_REGISTER,
			    (code[i] & 1) != 0 ? (uint8_t)(8 + rm) : number[rm], end};
		if (has(code + i, "\x48\x89\x7c\x24", 4))
			return (struct lua_kept){KEPT_ON_STACK, code[i + 4], end};
		if (has(code + i, "\x48\x89\x3c\x24", 4))
			return (struct lua_kept){KEPT_ON_STACK, 0, end};
	}
	return (struct lua_kept){KEPT_UNKNOWN, 0, 0};
}

static const struct lua_cpu lua = {kept};

/* ---- All ---- */

static const struct luajit_cpu luajit = {RDX, RBX, RBP, 8, 16, 24, 32, 80};
static const struct php_cpu php = {R14, R15, 8, 0, key};
static const struct haskell_cpu haskell = {RBP};

const struct runtime_cpu runtime_x86_64 = {
    .name = "x86_64",
    .fp = RBP,
    .sp = RSP,
    .kept = {R15, R14, R13, R12, RBX, RBP},
    .nkept = 6,
    .stat_bytes = 144,
    .hotspot = &hotspot,
    .v8 = &v8,
    .beam = &beam,
    .ruby = &ruby,
    .lua = &lua,
    .luajit = &luajit,
    .php = &php,
    .haskell = &haskell,
};
