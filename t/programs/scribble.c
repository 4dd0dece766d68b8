/*
 * scribble: allocates, and fills the memory that libfgheap.so shares with its recorder with
 * numbers at random, by a seed; prints "right".
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROUNDS 200

int
main(int argc, char **argv)
{
	const char *path = getenv("FG_HEAP_SHARED");
	const int fd = path != NULL ? open(path, O_RDWR) : -1;
	uint64_t state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	void *volatile block[16] = {0};
	struct stat s;
	uint32_t *at;

	if (fd < 0 || fstat(fd, &s) != 0)
		return 3;
	at = mmap(NULL, (size_t)s.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (at == MAP_FAILED)
		return 3;
	for (int round = 0; round < ROUNDS; round++) {
		for (int i = 0; i < 10000; i++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			/* Often small numbers, as states and sizes are */
			at[(state >> 33) % ((uint64_t)s.st_size / 4)] =
			    (uint32_t)(state >> 20) & (state & 1 ? 3 : UINT32_MAX);
		}
		free(block[round % 16]);
		block[round % 16] = malloc(10000);
		memset(block[round % 16], 1, 10000);
		usleep(1000);
	}
	puts("right");
	return 0;
}
