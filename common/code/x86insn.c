/*
 * x86insn: prefixes, opcode, ModRM, SIB, displacement, immediate in turn. A letter for
 * each opcode says what follows it; the few that matter for the stack are looked at.
 */
#include "code/x86insn.h"

#include <string.h>

/*
 * What follows an opcode: nothing (.), a ModRM (m), an immediate of one byte (b), two (w),
 * three (e), as the operand (z), also of eight (v), or an address (o), a displacement of
 * four (j), ModRM and immediate (M, Z; of TEST alone g, G); p is a prefix, x none at all.
 */
static const char one_byte[] = "mmmmbzxxmmmmbzxx" /* 00 */
			       "mmmmbzxxmmmmbzxx"
			       "mmmmbzpxmmmmbzpx"
			       "mmmmbzpxmmmmbzpx"
			       "pppppppppppppppp" /* 40: REX */
			       "................"
			       "xxxmppppzZbM...."
			       "bbbbbbbbbbbbbbbb"
			       "MZxMmmmmmmmmmmmm" /* 80 */
			       "..........x....."
			       "oooo....bz......"
			       "bbbbbbbbvvvvvvvv"
			       "MMw.xxMZe.w..bx." /* C0 */
			       "mmmmxxx.mmmmmmmm"
			       "bbbbbbbbjjxb...."
			       "p.ppp.gG......mm";

/* After 0F. */
static const char two_bytes[] = "mmmmx.....x.xm.M"
				"mmmmmmmmmmmmmmmm"
				"mmmmxxxxmmmmmmmm"
				"......x.xxxxxxxx"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm"
				"MMMMmmm.mmxxmmmm"
				"jjjjjjjjjjjjjjjj" /* 80 */
				"mmmmmmmmmmmmmmmm"
				"...mMmxx...mMmmm"
				"mmmmmmmmmmMmmmmm"
				"mmMmMMMm........" /* C0 */
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm"
				"mmmmmmmmmmmmmmmm";

static const uint8_t dwarf[X86_REGS] = {0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15};

enum { SP = 4, BP = 5 }; /* by the processor's number */

enum { MAP_ONE, MAP_0F, MAP_0F38, MAP_0F3A };

/* What an instruction is made of, as far as it was read. */
struct parts {
	const unsigned char *code;
	size_t n, at;
	bool narrow, address_narrow, vector; /* 66; 67; VEX or EVEX */
	uint8_t rex, map, opcode;
	char kind;
	uint8_t mod, reg, rm; /* of ModRM */
	bool indexed; /* by another register */
	bool relative; /* to the next instruction */
	int32_t displacement, immediate;
};

static bool
byte(struct parts *p, uint8_t *b)
{
	if (p->at == p->n)
		return false;
	*b = p->code[p->at++];
	return true;
}

/* Of one or four bytes. */
static bool
number(struct parts *p, size_t bytes, int32_t *v)
{
	if (p->n - p->at < bytes)
		return false;
	if (bytes == 1)
		*v = (int8_t)p->code[p->at];
	else
		memcpy(v, p->code + p->at, sizeof *v);
	p->at += bytes;
	return true;
}

static bool
read_opcode(struct parts *p)
{
	uint8_t b, more;

	do {
		if (!byte(p, &b))
			return false;
		p->narrow |= b == 0x66;
		p->address_narrow |= b == 0x67;
		if (one_byte[b] == 'p')
			p->rex = (b & 0xf0) == 0x40 ? b : 0;
	} while (one_byte[b] == 'p');
	if (b == 0xc4 || b == 0xc5 || b == 0x62) {
		p->vector = true;
		if (!byte(p, &more))
			return false;
		p->map = b == 0xc5 ? MAP_0F : more & (b == 0x62 ? 7 : 0x1f);
		/* The rest of the prefix has nothing that counts here. */
		p->at += b == 0xc5 ? 0 : b == 0xc4 ? 1 : 2;
		if (p->at > p->n || !byte(p, &p->opcode))
			return false;
		p->kind = p->map == MAP_0F3A || (p->map == MAP_0F && two_bytes[p->opcode] == 'M')
			      ? 'M'
			      : 'm';
		if (b != 0x62 && p->map == MAP_0F && p->opcode == 0x77) /* VZEROUPPER */
			p->kind = '.';
		return p->map != MAP_ONE;
	}
	p->opcode = b;
	p->kind = one_byte[b];
	if (b != 0x0f)
		return p->kind != 'x';
	if (!byte(p, &p->opcode))
		return false;
	p->map = p->opcode == 0x38 ? MAP_0F38 : p->opcode == 0x3a ? MAP_0F3A : MAP_0F;
	p->kind = two_bytes[p->opcode];
	if (p->map != MAP_0F) {
		p->kind = p->map == MAP_0F3A ? 'M' : 'm';
		return byte(p, &p->opcode);
	}
	return p->kind != 'x';
}

static bool
read_modrm(struct parts *p)
{
	uint8_t modrm, sib;
	size_t bytes;

	if (!byte(p, &modrm))
		return false;
	p->mod = modrm >> 6;
	p->reg = (modrm >> 3 & 7) | (p->rex & 4 ? 8 : 0);
	p->rm = modrm & 7;
	bytes = p->mod == 1 ? 1 : p->mod == 2 ? 4 : 0;
	if (p->mod != 3 && p->rm == SP) {
		if (!byte(p, &sib))
			return false;
		p->indexed = (sib >> 3 & 7) != SP || (p->rex & 2) != 0;
		p->rm = sib & 7;
		if (p->mod == 0 && p->rm == BP) { /* no base */
			p->indexed = true;
			bytes = 4;
		}
	} else if (p->mod == 0 && p->rm == BP) {
		p->relative = true;
		bytes = 4;
	}
	p->rm |= p->rex & 1 ? 8 : 0;
	return bytes == 0 || number(p, bytes, &p->displacement);
}

/* The immediate, or displacement of a jump. */
static bool
read_immediate(struct parts *p)
{
	const bool wide = (p->rex & 8) != 0;
	size_t bytes = 0;

	switch (p->kind) {
	case 'b':
	case 'M': bytes = 1; break;
	case 'w': bytes = 2; break;
	case 'e': bytes = 3; break;
	case 'z':
	case 'Z': bytes = p->narrow && !wide ? 2 : 4; break;
	case 'v': bytes = wide ? 8 : p->narrow ? 2 : 4; break;
	case 'o': bytes = p->address_narrow ? 4 : 8; break;
	case 'j': bytes = 4; break;
	case 'g': bytes = (p->reg & 7) < 2 ? 1 : 0; break;
	case 'G': bytes = (p->reg & 7) >= 2 ? 0 : p->narrow && !wide ? 2 : 4; break;
	}
	if (bytes == 1 || bytes == 4)
		return number(p, bytes, &p->immediate);
	p->at += bytes;
	return p->at <= p->n;
}

static void
flow(const struct parts *p, struct x86_insn *i)
{
	const uint8_t op = p->opcode;
	const bool conditional = p->map == MAP_0F
				     ? (op & 0xf0) == 0x80
				     : (op & 0xf0) == 0x70 || (op >= 0xe0 && op <= 0xe3);

	i->target = p->immediate;
	if (conditional)
		i->flow = X86_BRANCH;
	else if (p->map == MAP_0F)
		i->flow = op == 0x0b || op == 0xff ? X86_STOP : X86_NEXT; /* UD2 and UD0 */
	else if (op == 0xe8)
		i->flow = X86_CALL;
	else if (op == 0xe9 || op == 0xeb)
		i->flow = X86_JUMP;
	else if (op == 0xc2 || op == 0xc3)
		i->flow = X86_RETURN;
	else if (op == 0xca || op == 0xcb || op == 0xcc || op == 0xcf || op == 0xf4 || op == 0xc8)
		i->flow = X86_STOP;
	else if (op == 0xff && (p->reg & 7) == 2)
		i->flow = X86_CALL;
	else if (op == 0xff && (p->reg & 7) == 4)
		i->flow = p->relative ? X86_RETURN : X86_STOP;
	else if (op == 0xff && ((p->reg & 7) == 3 || (p->reg & 7) == 5))
		i->flow = X86_STOP;
}

static void
set(struct x86_insn *i, enum x86_effect effect, unsigned reg, unsigned base, int32_t value)
{
	i->effect = effect;
	i->reg = reg == X86_NO_REG ? X86_NO_REG : dwarf[reg];
	i->base = dwarf[base];
	i->value = value;
}

/* Of MOV and LEA; to is where the result goes, between registers. */
static void
move(const struct parts *p, struct x86_insn *i)
{
	const bool load = p->opcode != 0x89, lea = p->opcode == 0x8d;
	const unsigned to = load ? p->reg : p->rm, from = load ? p->rm : p->reg;
	const bool known =
	    (p->rex & 8) != 0 && !p->indexed && !p->relative && (p->rm == SP || p->rm == BP);

	if (p->mod == 3 || lea) {
		if (lea && !known) {
			if (to == SP)
				i->effect = X86_LOSE;
		} else if ((to == SP && (from == BP || from == SP)) || (to == BP && from == SP)) {
			set(i, X86_MOVE, to, from, p->displacement);
		} else if (to == SP) {
			i->effect = X86_LOSE;
		}
	} else if (load && p->reg == SP) {
		i->effect = X86_LOSE;
	} else if (known) {
		set(i, load ? X86_LOAD : X86_STORE, p->reg, p->rm, p->displacement);
	}
}

static void
effect(const struct parts *p, struct x86_insn *i)
{
	const uint8_t op = p->opcode, extended = p->rex & 1 ? 8 : 0;

	if ((op & 0xf8) == 0x50)
		set(i, X86_PUSH, (op & 7) | extended, SP, 0);
	else if ((op & 0xf8) == 0x58)
		set(i, (op & 7) == SP && !extended ? X86_LOSE : X86_POP, (op & 7) | extended, SP,
		    0);
	else if (op == 0x68 || op == 0x6a || op == 0x9c || (op == 0xff && (p->reg & 7) == 6))
		set(i, X86_PUSH, X86_NO_REG, SP, 0);
	else if (op == 0x9d || op == 0x8f)
		set(i, X86_POP, X86_NO_REG, SP, 0);
	else if (op == 0xc9)
		i->effect = X86_LEAVE;
	else if (op == 0x89 || op == 0x8b || op == 0x8d)
		move(p, i);
	else if ((op == 0x81 || op == 0x83) && p->mod == 3 && p->rm == SP && (p->reg & 7) != 7)
		/* ADD and SUB; to CMP, which was left out, all is one. */
		set(i, (p->reg & 7) == 0 || (p->reg & 7) == 5 ? X86_MOVE : X86_LOSE, SP, SP,
		    (p->reg & 7) == 5 ? (int32_t)(0 - (uint32_t)p->immediate) : p->immediate);
	else if (op < 0x38 && (op & 7) < 4 &&
		 ((op & 2) != 0 ? p->reg == SP : p->mod == 3 && p->rm == SP))
		i->effect = X86_LOSE; /* arithmetic with two operands */
}

bool
x86_decode(const unsigned char *code, size_t n, struct x86_insn *i)
{
	static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	struct parts p = {.code = code, .n = n < 15 ? n : 15};

	memset(i, 0, sizeof *i);
	if (!read_opcode(&p) || (strchr("mMZgG", p.kind) != NULL && !read_modrm(&p)) ||
	    !read_immediate(&p))
		return false;
	i->length = (uint8_t)p.at;
	i->entry = n >= sizeof endbr64 && memcmp(code, endbr64, sizeof endbr64) == 0;
	if (p.vector)
		return true;
	i->padding = p.map == MAP_ONE ? p.opcode == 0x90 && (p.rex & 1) == 0
				      : p.map == MAP_0F && p.opcode == 0x1f;
	flow(&p, i);
	if (p.map == MAP_ONE)
		effect(&p, i);
	return true;
}
