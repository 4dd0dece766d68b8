/*
 * byhand: matches a few encodings (Intel SDM, volume 2, chapter 2). A decoder is needed only for
 * instructions that the compiler moved between the restored frame pointer and the return.
 */
#include "unwind/byhand.h"

#include <stddef.h>

#include "unwind/x86insn.h"

#define CALL_MAX 7 /* bytes of the longest call: FF /2 with SIB and a 32-bit displacement */
#define LAST_MAX 8 /* instructions from the restored frame pointer to the return */

/* The bytes at vaddr, of which *n follow and all of c come before; NULL: not in c. */
static const unsigned char *
code_at(const struct elfcode *c, uint64_t vaddr, size_t *n)
{
	const uint64_t at = vaddr - c->start;

	if (c->bytes == NULL || at >= c->n)
		return NULL;
	*n = c->n - at;
	return c->bytes + at;
}

/* Bytes of an operand: its ModRM byte, SIB and displacement. */
static size_t
operand_size(const unsigned char *modrm)
{
	const unsigned mod = modrm[0] >> 6, rm = modrm[0] & 7;
	size_t n = 1;

	if (mod == 3)
		return n;
	n += rm == 4;
	if (mod == 0)
		return n + (rm == 5 || (rm == 4 && (modrm[1] & 7) == 5) ? 4 : 0);
	return n + (mod == 1 ? 1 : 4);
}

/* True if a call of n bytes, without prefixes, may begin at b. */
static bool
is_call(const unsigned char *b, size_t n)
{
	if (n == 5 && b[0] == 0xe8)
		return true;
	return n >= 2 && n <= CALL_MAX && b[0] == 0xff && (b[1] >> 3 & 7) == 2 &&
	       (n > 2 || b[1] != 0x14) && 1 + operand_size(b + 1) == n;
}

bool
byhand_return(const struct elfcode *c, uint64_t vaddr, bool starts)
{
	size_t n;
	const unsigned char *b = code_at(c, vaddr, &n);

	if (b == NULL || (size_t)(b - c->bytes) < CALL_MAX)
		return false;
	for (n = 2; n <= CALL_MAX; n++)
		if (is_call(b - n, n))
			return false;
	return starts || (b[-2] == 0xff && b[-1] >= 0xe0 && b[-1] <= 0xe7);
}

/*
 * Length of an instruction that may follow the one that restored the frame pointer: lea DISP(%reg),
 * %sp, a pop of another register, or one without an effect on the stack. 0: it is another one.
 */
static size_t
length_after(const unsigned char *b, size_t n, bool wide)
{
	struct x86_insn other;
	size_t i = 0, reg;
	unsigned rex = 0;

	if (n < 8)
		return 0;
	if (wide && (b[0] & 0xf0) == 0x40)
		rex = b[i++];
	reg = (b[i] & 7) | (rex & 1) << 3;
	if (b[i] >= 0x58 && b[i] <= 0x5f && reg != 4 && reg != 5)
		return i + 1;
	if (b[i] == 0x8d && (b[i + 1] >> 3 & 7) == 4 && (rex & 4) == 0 && (b[i + 1] & 7) != 4 &&
	    ((b[i + 1] & 7) != 5 || (rex & 1) != 0) && (b[i + 1] >> 6 == 1 || b[i + 1] >> 6 == 2))
		return i + 1 + operand_size(b + i + 1);
	return wide && x86_decode(b, n, &other) && other.flow == X86_NEXT &&
		       other.effect == X86_NONE
		   ? other.length
		   : 0;
}

static bool
is_return(const unsigned char *b, size_t n)
{
	return b[0] == 0xc3 || b[0] == 0xc2 ||
	       (n > 1 && b[0] >= 0xf2 && b[0] <= 0xf3 && b[1] == 0xc3);
}

/* True if the instructions from b on restore no frame pointer before their return. */
static bool
is_after(const unsigned char *b, size_t n, bool wide)
{
	for (int i = 0; i < LAST_MAX && n > 0; i++) {
		size_t length;

		if (is_return(b, n))
			return true;
		length = length_after(b, n, wide);
		if (length == 0 || length > n)
			return false;
		b += length;
		n -= length;
	}
	return false;
}

void
byhand_restored(
    const struct cfi_machine *m, const struct elfcode *c, uint64_t vaddr, struct cfi_rule *r)
{
	const unsigned char *b;
	unsigned kept = 0;
	bool own = false;
	size_t n;

	for (unsigned i = 0; i < r->nsaved; i++)
		own |= r->saved[i].reg == m->fp && r->saved[i].base == m->fp && r->saved[i].deref;
	if (!own || r->cfa.base == m->fp || (b = code_at(c, vaddr, &n)) == NULL ||
	    !is_after(b, n, m->word == 8))
		return;
	for (unsigned i = 0; i < r->nsaved; i++)
		if (r->saved[i].base != m->fp)
			r->saved[kept++] = r->saved[i];
	for (unsigned i = kept; i < r->nsaved; i++)
		r->saved[i] = (struct cfi_term){0};
	r->nsaved = (uint8_t)kept;
}
