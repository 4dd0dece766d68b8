/*
 * jitdump: generates two functions, which a jitdump in the current directory names, and computes in
 * them. The second one is written to the jitdump after the first one has run.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* tools/perf/Documentation/jitdump-specification.txt of the kernel. */
struct header {
	uint32_t magic, version, size, machine, pad, pid;
	uint64_t timestamp, flags;
};

struct load {
	uint32_t id, size;
	uint64_t timestamp;
	uint32_t pid, tid;
	uint64_t vma, address, code_size, index;
};

/* push rbp; mov rbp, rsp; mov ecx, 100000000; 1: dec ecx; jnz 1b; pop rbp; ret */
static const unsigned char code[] = {
    0x55, 0x48, 0x89, 0xe5, 0xb9, 0, 0xe1, 0xf5, 0x05, 0xff, 0xc9, 0x75, 0xfc, 0x5d, 0xc3};

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void
load(FILE *f, const char *name, unsigned char *at, uint64_t index)
{
	struct load l = {.size = (uint32_t)(sizeof l + strlen(name) + 1 + sizeof code),
	    .timestamp = now(),
	    .pid = (uint32_t)getpid(),
	    .tid = (uint32_t)getpid(),
	    .vma = (uintptr_t)at,
	    .address = (uintptr_t)at,
	    .code_size = sizeof code,
	    .index = index};

	memcpy(at, code, sizeof code);
	fwrite(&l, sizeof l, 1, f);
	fwrite(name, strlen(name) + 1, 1, f);
	fwrite(code, sizeof code, 1, f);
	fflush(f);
}

int
main(void)
{
	const struct header h = {
	    0x4A695444, 1, sizeof h, EM_X86_64, 0, (uint32_t)getpid(), now(), 0};
	unsigned char *at = mmap(
	    NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void (*first)(void), (*second)(void);
	char name[64];
	FILE *f;

	snprintf(name, sizeof name, "jit-%d.dump", (int)getpid());
	f = fopen(name, "w+");
	if (f == NULL || at == MAP_FAILED)
		return 1;
	fwrite(&h, sizeof h, 1, f);
	fflush(f);
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(f), 0) == MAP_FAILED)
		return 1;
	*(void **)&first = at;
	*(void **)&second = at + 1024;
	load(f, "generated_first", at, 0);
	for (int i = 0; i < 12; i++) {
		first();
		if (i == 3)
			load(f, "generated_second", at + 1024, 1);
		if (i > 3)
			second();
	}
	return 0;
}
