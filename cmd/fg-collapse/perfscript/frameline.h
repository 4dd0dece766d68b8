/*
 * frameline: parses one frame line of perf script into frame names.
 */
#ifndef FRAMELINE_H
#define FRAMELINE_H

#include <stdint.h>
#include <string.h>

#include "base/chars.h"
#include "base/hash.h"
#include "sample/sampler.h"

#define FRAMELINE_MAX 64 /* frames of one line: inlined Java methods, a->b->c */

/*
 * `address symbol+offset (module)`, and the source from the next line if perf script was
 * run with -F +srcline. Address and offset are not part of a frame's identity, except
 * with --addrs. Points into the lines.
 */
struct frameline {
	const char *address; /* white space, then hexadecimal digits */
	struct str symbol; /* without its offset */
	struct str module; /* without its brackets; empty if absent */
	struct str source; /* file:line; empty if absent */
	bool inlined; /* from the source line */
};

/*
 * Parses [line, end); false if it is not a frame line. Does not set source and inlined.
 * *likely is the module of the previous line (empty at first), tried first because
 * neighbours usually share it; it becomes this line's module.
 */
bool frameline_split(struct frameline *f, const char *line, const char *end, struct str *likely);

/*
 * The text after symbol and offset of a line that ends at `end`. Empty without a module, or
 * if the symbol itself ends like one with an offset: another offset might change both.
 */
struct str frameline_rest(const struct frameline *f, const char *end);

#define FRAMELINE_SYMBOL 18 /* place of the symbol after a TAB, an address of 16 bytes, a blank */

/* True if a line begins so; it has 16 more bytes at least. */
static inline bool
frameline_usual(const char *line, const char *end)
{
	uint32_t blank, hex;

	if (end - line < FRAMELINE_SYMBOL + 16 || line[0] != '\t' ||
	    !is_blank(line[FRAMELINE_SYMBOL - 1]))
		return false;
	blank = chars_is16(line + 1, ' ');
	hex = chars_hex16(line + 1);
	return hex != 0 && (blank | hex) == 0xffff && (blank & (blank + 1)) == 0;
}

/*
 * A hash of some bytes of the symbol and the module of such a line, whatever its offset. 64 bytes
 * after the line must be readable.
 */
static inline uint64_t
frameline_sketch(const char *line, const char *end)
{
	const char *symbol = line + FRAMELINE_SYMBOL;
	uint64_t plus = chars_is16(symbol, '+') | (uint64_t)chars_is16(symbol + 16, '+') << 16 |
			(uint64_t)chars_is16(symbol + 32, '+') << 32,
		 first, middle, last, module;
	size_t n = (size_t)__builtin_ctzll(plus | UINT64_C(1) << 48), most = (size_t)(end - symbol);

	memcpy(&module, end - sizeof module, sizeof module);
	memcpy(&first, symbol, sizeof first);
	n = n < most ? n : most;
	if (n < 8)
		return first << (56 - 8 * n) << 8 ^ module;
	memcpy(&middle, symbol + n / 2 - 4, sizeof middle);
	memcpy(&last, symbol + n - 8, sizeof last);
	first = (first ^ (middle << 21 | middle >> 43)) * hash_key[0];
	return first ^ first >> 32 ^ last ^ module ^ n;
}

/* True if [s, end) is a plus sign and a hexadecimal number, as after a symbol. */
static inline bool
frameline_is_offset(const char *s, const char *end)
{
	size_t digits = (size_t)(end - s) - 3;

	return digits - 1 < 16 && memcmp(s, "+0x", 3) == 0 &&
	       (~chars_hex16(s + 3) & ((UINT32_C(1) << digits) - 1)) == 0;
}

/* Reads source and inlined from the line that follows the frame line. */
struct str frameline_source(const char *line, const char *end, bool *inlined);

/*
 * Interns the names of the line's frames in s, outermost first; returns their number.
 * java: the process is a JVM. work: a scratch buffer of the caller.
 */
size_t frameline_names(struct sampler *s, const struct frameline *line, bool java,
    struct text *work, uint32_t name[FRAMELINE_MAX]);

/* True if a line begins with white space, a hexadecimal address and a space. */
bool frameline_begins(const char *line, const char *end);

#endif
