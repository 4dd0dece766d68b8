/*
 * stackcopy: main -> middle -> descend * 3 -> leaf, which prints the contents of a sample there
 * as lines for t/perfdata/make.pl: mappings, registers by perf's numbers, the bytes of the
 * stack.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define COPY_MAX 4096 /* maximum bytes of stack, less if main is nearer */

static const char *end; /* end of the readable stack */

__attribute__((noinline)) static void
write_maps(void)
{
	char line[4200], mode[8], path[4096];
	uint64_t from, to, offset;
	FILE *f = fopen("/proc/self/maps", "r");

	if (f == NULL)
		return;
	while (fgets(line, sizeof line, f) != NULL) {
		path[0] = 0;
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %4095[^\n]",
			&from, &to, mode, &offset, path) < 4)
			continue;
		if (strstr(path, "[stack]"))
			end = (const char *)(uintptr_t)to;
		if (path[0] != 0)
			printf("mmap2(100, 0x%" PRIx64 ", 0x%" PRIx64 ", '%s', offset => 0x%" PRIx64
			       ", misc => %d);\n",
			    from, to - from, path, offset, mode[2] == 'x' ? 0 : 1 << 13);
	}
	fclose(f);
}

__attribute__((noinline)) static void
leaf(void)
{
#ifdef __x86_64__
	/* Callee-saved registers; bp, sp and ip are 6, 7 and 8. */
	static const int number[] = {1, 6, 7, 8, 20, 21, 22, 23};
	uint64_t r[8];
	const unsigned char *sp;

	write_maps();
	__asm__ volatile("movq %%rbx, 0(%0)\n\tmovq %%rbp, 8(%0)\n\tmovq %%rsp, 16(%0)\n\t"
			 "leaq 0(%%rip), %%rax\n\tmovq %%rax, 24(%0)\n\tmovq %%r12, 32(%0)\n\t"
			 "movq %%r13, 40(%0)\n\tmovq %%r14, 48(%0)\n\tmovq %%r15, 56(%0)"
			 :
			 : "D"(r)
			 : "rax", "memory");
	sp = (const unsigned char *)(uintptr_t)r[2]; /* NOLINT: the stack */
	printf("our %%reg = (");
	for (int i = 0; i < 8; i++)
		printf("%d => 0x%" PRIx64 ", ", number[i], r[i]);
	printf(");\nour $stack = pack 'H*', '");
	for (int i = 0; i < COPY_MAX && sp + i < (const unsigned char *)end; i++)
		printf("%02x", sp[i]);
	printf("';\n");
#endif
	__asm__ volatile("" ::: "memory"); /* no tail calls */
}

__attribute__((noinline)) static void
descend(int depth)
{
	if (depth > 0)
		descend(depth - 1);
	else
		leaf();
	__asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void
middle(volatile int depth)
{
	char room[256]; /* lets copies end between these frames */

	memset(room, depth, sizeof room);
	__asm__ volatile("" ::"r"(room) : "memory");
	descend(depth);
	__asm__ volatile("" ::: "memory");
}

int
main(void)
{
	middle(2);
	return 0;
}
