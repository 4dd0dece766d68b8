/*
 * luastate: two states of Lua 5.3 and a loop that runs in each, as luaV_execute of Debian's lua5.3
 * from 2025 on: it has its state on the stack only, where it also leaves another one. Prints its
 * stack as t/unit/script reads it.
 */
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#ifndef RELEASE
#define RELEASE "5.3.6"
#endif

const char lua_ident[] = "$LuaVersion: Lua " RELEASE "  Copyright (C) 1994-2020";

enum { THREAD = 8, CLOSURE = 0x46, IS_LUA = 2, IS_FRESH = 8 };

static struct {
	uint64_t words[40];
} global, state[2], function[2], closure[2], proto[2], source[2];
static uint32_t code[2];

/*
 * The largest function: calls then(); stale is a state that its frame, or with -DREGISTER another
 * register has, but that does not run.
 */
void execute(void *run, void *stale, void (*then)(void));
__asm__(".globl execute\n"
	".type execute, @function\n"
	"execute: .cfi_startproc\n"
#ifdef __aarch64__
	"stp x29, x30, [sp, #-48]!\n"
	".cfi_def_cfa_offset 48\n"
	".cfi_offset x29, -48\n"
	".cfi_offset x30, -40\n"
#ifdef REGISTER
	"stp x19, x20, [sp, #16]\n"
	".cfi_offset x19, -32\n"
	".cfi_offset x20, -24\n"
	"mov x20, x0\n"
	"mov x19, x1\n"
	"blr x2\n"
	"ldp x19, x20, [sp, #16]\n"
#else
	"str x0, [sp, #16]\n"
	"str x1, [sp, #24]\n"
	"blr x2\n"
#endif
	"ldp x29, x30, [sp], #48\n"
	".cfi_def_cfa_offset 0\n"
#else
#ifdef REGISTER
	"push %rbp\n"
	".cfi_def_cfa_offset 16\n"
	".cfi_offset %rbp, -16\n"
	"push %r15\n"
	".cfi_def_cfa_offset 24\n"
	".cfi_offset %r15, -24\n"
	"sub $24, %rsp\n"
	".cfi_def_cfa_offset 48\n"
	"mov %rdi, %rbp\n"
	"mov %rsi, %r15\n"
	"call *%rdx\n"
	"add $24, %rsp\n"
	".cfi_def_cfa_offset 24\n"
	"pop %r15\n"
	".cfi_def_cfa_offset 16\n"
	"pop %rbp\n"
#else
	"sub $40, %rsp\n"
	".cfi_def_cfa_offset 48\n"
	"mov %rdi, 8(%rsp)\n"
	"mov %rsi, 16(%rsp)\n"
	"call *%rdx\n"
	"add $40, %rsp\n"
#endif
	".cfi_def_cfa_offset 8\n"
#endif
	"ret\n"
	".fill 4096, 1, 0x90\n"
	".cfi_endproc\n"
	".size execute, . - execute\n");

static void
leaf(void)
{
	char c;

	if (read(0, &c, 1) < 0)
		_exit(1);
}

__attribute__((noinline)) void
c0(void)
{
	execute(&state[1], &state[0], leaf);
	__asm__ volatile(""); /* a call, not a jump */
}

static void
make(int n)
{
	uint64_t *call = state[n].words + 20;

	state[n].words[1] = THREAD;
	state[n].words[3] = (uint64_t)&global;
	state[n].words[4] = (uint64_t)call;
	call[0] = (uint64_t)&function[n];
	call[2] = (uint64_t)(state[n].words + 12); /* the first call, of C */
	call[5] = (uint64_t)(code + 1);
	call[8] = (IS_LUA | IS_FRESH) << 16;
	function[n].words[0] = (uint64_t)&closure[n];
	function[n].words[1] = CLOSURE;
	closure[n].words[3] = (uint64_t)&proto[n];
	proto[n].words[3] = 2; /* instructions, without lines */
	proto[n].words[5] = 1; /* its first line */
	proto[n].words[7] = (uint64_t)code;
	proto[n].words[13] = (uint64_t)&source[n];
	snprintf((char *)(source[n].words + 3), 8, "@s%d", n);
}

int
main(void)
{
	make(0);
	make(1);
	global.words[200 / 8] = (uint64_t)&state[0];
	printf("0\ts0;c0;s1\n");
	fflush(stdout);
	execute(&state[0], &state[1], c0);
	return 0;
}
