/*
 * Like .NET: a library, libcoreclr.so if compiled with -DLIBRARY, calls code in anonymous memory
 * and uses some of the CPU time itself.
 */
#ifdef LIBRARY

int
runtime_run(int (*generated)(void))
{
	volatile unsigned n = 0;

	while (n < 100000000)
		n++;
	return generated();
}

#else
#include <string.h>
#include <sys/mman.h>

int runtime_run(int (*generated)(void));

int
main(void)
{
	/* mov $1000000000,%ecx; 1: dec %ecx; jnz 1b; xor %eax,%eax; ret */
	static const unsigned char code[] = {
	    0xb9, 0x00, 0xca, 0x9a, 0x3b, 0xff, 0xc9, 0x75, 0xfc, 0x31, 0xc0, 0xc3};
	int (*generated)(void);
	void *p = mmap(
	    NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return 1;
	memcpy(p, code, sizeof code);
	memcpy(&generated, &p, sizeof generated);
	return runtime_run(generated);
}
#endif
