/*
 * inside: uses CPU time until it is killed, in a function of its own (no argument) or in an
 * endless loop at JIT_AT, which only a perf map names (argument "jit").
 */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define JIT_AT UINT64_C(0x10000000)

static volatile unsigned long counter;

static __attribute__((noinline)) void
spin_inside(void)
{
	for (;;)
		counter++;
}

static void
run_generated(void)
{
#if defined(__x86_64__)
	static const uint8_t loop[] = {0xeb, 0xfe};
#elif defined(__aarch64__)
	static const uint8_t loop[] = {0x00, 0x00, 0x00, 0x14};
#else
	static const uint8_t loop[] = {0};
#endif
	void *at = mmap((void *)(uintptr_t)JIT_AT, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	void (*run)(void);

	if (at == MAP_FAILED)
		return;
	memcpy(at, loop, sizeof loop);
	memcpy(&run, &at, sizeof run);
	run();
}

int
main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1)
		run_generated();
	else
		spin_inside();
	return 1;
}
