/*
 * mutate: changes of libFuzzer's, and ours: a part of another format's file, and ELF sections that
 * overlap. The file of FUZZ_OTHERS in the environment has seeds of all formats, one after another.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OTHERS ((size_t)1 << 22) /* bytes of FUZZ_OTHERS, at most */
#define SPLICED 512 /* bytes of another file */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

static unsigned long random_state;

static size_t
below(size_t n)
{
	random_state = random_state * 6364136223846793005UL + 1442695040888963407UL;
	return n == 0 ? 0 : (random_state >> 33) % n;
}

static size_t
splice(uint8_t *data, size_t size, size_t max)
{
	static uint8_t *others;
	static size_t n;
	const size_t at = below(size + 1);
	size_t from, part;

	if (others == NULL) {
		const char *path = getenv("FUZZ_OTHERS");
		FILE *f = path != NULL ? fopen(path, "r") : NULL;

		others = malloc(OTHERS);
		if (others == NULL)
			abort();
		n = f != NULL ? fread(others, 1, OTHERS, f) : 0;
		if (f != NULL)
			fclose(f);
	}
	from = below(n);
	part = 1 + below(below(2) == 0 ? 16 : SPLICED);
	part = part < n - from ? part : n - from;
	if (below(2) == 0) { /* inserted; else the part replaces bytes */
		part = part < max - size ? part : max - size;
		memmove(data + at + part, data + at, size - at);
		size += part;
	}
	part = part < size - at ? part : size - at;
	memcpy(data + at, others + from, part);
	return size;
}

/* Makes a section begin in another one, have its size, or be it. */
static void
overlap(uint8_t *data, size_t size)
{
	const size_t header = 64, offset = 24; /* of sh_offset, before sh_size */
	uint64_t table, value;
	uint16_t n;
	uint8_t *one, *other;
	size_t kind = below(4);

	memcpy(&table, data + 40, sizeof table);
	memcpy(&n, data + 60, sizeof n);
	if (n == 0 || table > size || n * header > size - table)
		return;
	one = data + table + header * below(n);
	other = data + table + header * below(n);
	if (kind == 3) { /* all but its name */
		memmove(one + 4, other + 4, header - 4);
		return;
	}
	memcpy(&value, other + offset + 8 * (kind & 1), sizeof value);
	value += kind == 2 ? below(64) : 0;
	memcpy(one + offset + 8 * (kind & 1), &value, sizeof value);
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	random_state = seed;
	if (size >= 64 && memcmp(data, "\177ELF\2\1", 6) == 0 && below(4) == 0)
		overlap(data, size);
	else if (below(8) == 0)
		return splice(data, size, max);
	return LLVMFuzzerMutate(data, size, max);
}
