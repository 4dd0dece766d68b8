/*
 * addresstext: one parser for each kind of line.
 */
#include "fg-collapse/shape/addresstext.h"

#include "fg-collapse/shape/scan.h"

void
addresstext_stack(struct addresses *a, struct str line, enum addresstext_kind kind)
{
	uint64_t pc;
	uint32_t *n;

	while (line.len > 0) {
		struct str word = scan_until(&line, ' ');

		if (!scan_hex(&word, &pc) || word.len > 0)
			continue;
		addresses_of(a, a->nsample - 1, &n);
		if (pc > 0 && (kind == ADDRESSTEXT_RETURNS || (kind == ADDRESSTEXT_LEAF && *n > 0)))
			pc--;
		addresses_add(a, pc);
	}
}

static bool
hexadecimal(struct str *s, uint64_t *n)
{
	size_t digits = text_hex(s->s, s->len, n);

	*s = str_from(*s, digits);
	return digits > 0;
}

bool
addresstext_map(struct addresses *a, struct str s)
{
	struct addresses_mapping m = {0};
	uint64_t major = 0, minor = 0;
	bool code = true;

	s = str_trim(s);
	if (!hexadecimal(&s, &m.start) || !scan_word(&s, "-") || !hexadecimal(&s, &m.end))
		return false;
	if (scan_word(&s, ":")) {
		s = str_trim(s);
	} else {
		struct str rights;

		scan_blanks(&s);
		rights = scan_until(&s, ' ');
		if (rights.len < 4)
			return false;
		code = rights.s[2] == 'x';
		scan_blanks(&s);
		if (!hexadecimal(&s, &m.offset) || s.len == 0 || s.s[0] != ' ')
			return false;
		scan_blanks(&s);
		if (!hexadecimal(&s, &major) || !scan_word(&s, ":") || !hexadecimal(&s, &minor))
			return false;
		scan_blanks(&s);
		scan_number(&s, &m.id.inode);
		m.id.major = (uint32_t)major;
		m.id.minor = (uint32_t)minor;
		s = str_trim(s);
	}
	if (code && m.end > m.start)
		addresses_map(a, &m, s);
	return true;
}

/* Splits `a.go:12` into file and line. Returns the line, or 0 if there is none. */
static unsigned
cut_line(struct str *file)
{
	size_t colon = str_find_last(*file, ":");
	struct str digits = str_from(*file, colon + 1);
	uint64_t line;

	if (colon == file->len || !scan_number(&digits, &line) || digits.len > 0)
		return 0;
	file->len = colon;
	return line <= INT32_MAX ? (unsigned)line : 0;
}

bool
addresstext_java(struct addresses *a, struct str s)
{
	struct str file = {0};
	uint64_t pc;
	size_t open;
	unsigned line;

	if (!scan_hex(&s, &pc))
		return false;
	s = str_trim(s);
	open = str_find_last(s, " (");
	if (open < s.len && str_ends(s, ")")) {
		file = str_from(s, open + 2);
		file.len--;
		s.len = open;
	}
	line = cut_line(&file);
	addresses_name(a, pc, s, file, line);
	return true;
}

/* Returns the text before the next TABs and removes both from s. */
static struct str
cell(struct str *s)
{
	struct str c = scan_until(s, '\t');

	while (s->len > 0 && s->s[0] == '\t')
		*s = str_from(*s, 1);
	return c;
}

/* Reads ` 0x4d4655 main.f+0x55 /srv/main.go:90`, Go's symbols of the last sample. */
static void
go(struct addresses *a, struct str s)
{
	struct str function, file;
	uint64_t pc;
	unsigned line;

	cell(&s);
	function = cell(&s);
	if (a->nsample == 0 || !scan_hex(&function, &pc))
		return;
	function = cell(&s);
	function.len = str_find_last(function, "+0x");
	file = cell(&s);
	line = cut_line(&file);
	a->go = true;
	addresses_name(a, pc, function, file, line);
}

bool
addresstext_beside(struct addresses *a, struct str s)
{
	s = str_trim(s);
	if (a->maps)
		return addresstext_map(a, s) || s.len == 0 || str_starts(s, "build=");
	if (str_starts(s, "#")) {
		go(a, s);
		return true;
	}
	a->maps = str_is(s, "MAPPED_LIBRARIES:") || str_starts(s, "--- Memory map:");
	return a->maps;
}
