#include <stdio.h>
#include <stdlib.h>
/* corrupt FILE SEED COUNT: change COUNT bytes after the ELF header's identification. */
int
main(int argc, char **argv)
{
	FILE *f = fopen(argv[1], "r+");
	unsigned long size, seed = strtoul(argv[2], 0, 10) * 2654435761u + 1;
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	for (int i = atoi(argv[3]); i > 0; i--) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		fseek(f, 16 + (seed >> 33) % (size - 16), SEEK_SET);
		fputc(seed >> 25 & 1 ? 0xff : seed >> 17, f);
	}
	return fclose(f);
}
