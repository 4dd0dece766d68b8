/*
 * reader: provides lines one by one and counts malformed data.
 */
#include "fg-collapse/reader.h"

#include <string.h>

#include "base/cli.h"
#include "fg-collapse/shape/scan.h"
#include "profile/unit.h"
#include "sample/account.h"
#include "sample/events.h"

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

bool
reader_line(struct reader *r, struct str *line)
{
	if (!r->again) {
		if (!lines_line(r->lines, &r->line))
			return false;
		r->number = lines_at(r->lines);
		while (r->line.len > 0 && is_blank(r->line.s[r->line.len - 1]))
			r->line.len--;
	}
	r->again = false;
	*line = r->line;
	return true;
}

bool
reader_fill(struct reader *r)
{
	if (r->at != NULL)
		lines_count(r->lines, r->block.seq, r->block_lines);
	r->block_lines = 0;
	if (!lines_next(r->lines, &r->block)) {
		lines_block_free(&r->block);
		r->at = r->end = NULL;
		return false;
	}
	r->at = r->block.data;
	r->end = r->at + r->block.len;
	return true;
}

void
reader_again(struct reader *r)
{
	r->again = true;
}

/* Accounts for n malformed units; true if the first one is to be reported. */
static bool
is_first(struct reader *r, uint64_t n)
{
	sample_malformed(r->sampler, n, 0);
	r->malformed += n;
	return r->malformed == n;
}

void
reader_malformed_at(struct reader *r, uint64_t line, uint64_t n, const char *why)
{
	if (r->options->strict)
		reader_refuse(r, line, why);
	if (is_first(r, n))
		cli_warn(
		    "%s:%llu: %s; left out", lines_name(r->lines), (unsigned long long)line, why);
}

void
reader_malformed(struct reader *r, const char *why)
{
	reader_malformed_at(r, r->number, 1, why);
}

void
reader_broken(struct reader *r, struct stack *s, const char *why)
{
	if (!s->broken)
		reader_malformed(r, why);
	s->broken = true;
}

static void
malformed_bytes(struct reader *r, const char *name, uint64_t offset, uint64_t n, const char *why)
{
	if (r->options->strict)
		cli_die("%s: byte %llu: %s", name, (unsigned long long)offset, why);
	if (is_first(r, n))
		cli_warn("%s: byte %llu: %s; left out", name, (unsigned long long)offset, why);
}

void
reader_malformed_in(struct reader *r, const char *name, uint64_t offset, const char *why)
{
	malformed_bytes(r, name, offset, 1, why);
}

void
reader_malformed_bytes(struct reader *r, uint64_t offset, uint64_t n, const char *why)
{
	malformed_bytes(r, lines_name(r->lines), offset, n, why);
}

void
reader_malformed_byte(struct reader *r, uint64_t offset, const char *why)
{
	reader_malformed_bytes(r, offset, 1, why);
}

void
reader_refuse(const struct reader *r, uint64_t line, const char *why)
{
	cli_die("%s:%llu: %s", lines_name(r->lines), (unsigned long long)line, why);
}

void
reader_refuse_byte(const struct reader *r, uint64_t offset, const char *why)
{
	cli_die("%s: byte %llu: %s", lines_name(r->lines), (unsigned long long)offset, why);
}

static const struct version_row {
	const char *what;
	uint64_t major, minor;
	enum { READ, REFUSE } newer;
	const char *advice;
} versions[] = {
#define VERSION(id, ...) {__VA_ARGS__},
#include "fg-collapse/versions.def"
};

/* Appends a version; minor versions only for formats that have them. */
static void
add_version(struct text *t, const struct version_row *row, uint64_t major, uint64_t minor)
{
	text_printf(t, "%llu", (unsigned long long)major);
	if (row->minor > 0 || minor > 0)
		text_printf(t, ".%llu", (unsigned long long)minor);
}

void
reader_version(const struct reader *r, enum version v, uint64_t major, uint64_t minor)
{
	const struct version_row *row = &versions[v];
	struct text text = {0};

	if (major < row->major || (major == row->major && minor <= row->minor))
		return;
	text_printf(&text, "%s version ", row->what);
	add_version(&text, row, major, minor);
	text_printf(&text, "; tested up to ");
	add_version(&text, row, row->major, row->minor);
	cli_warn("%s: %s%s", lines_name(r->lines), text.s, row->advice);
	if (row->newer == REFUSE)
		cli_exit_error();
	text_free(&text);
}

void
reader_version_text(const struct reader *r, enum version v, struct str s)
{
	uint64_t major = 0, minor = 0;

	if (scan_number(&s, &major) && scan_word(&s, "."))
		scan_number(&s, &minor);
	reader_version(r, v, major, minor);
}

struct reader_account
reader_account(const struct sampler *s, uint64_t stacks)
{
	return (struct reader_account){
	    s->samples + stacks, s->account.left_out, s->account.malformed};
}

void
reader_check(const struct reader *r, const struct reader_account *before, uint64_t stacks)
{
	const struct reader_account now = reader_account(r->sampler, stacks);
	const unsigned long long folded = now.folded - before->folded,
				 left_out = now.left_out - before->left_out,
				 malformed = now.malformed - before->malformed;

	if (cli_verbose && !r->options->sample.list && !r->options->header)
		cli_note("%s: %llu folded, %llu left out, %llu malformed", lines_name(r->lines),
		    folded, left_out, malformed);
	if (malformed > 0 && folded + left_out == 0)
		cli_die(
		    "%s: no stacks in the input: %llu malformed", lines_name(r->lines), malformed);
	if (malformed > folded + left_out)
		cli_die("%s: more of the input is malformed than valid: %llu malformed, %llu "
			"folded, %llu left out",
		    lines_name(r->lines), malformed, folded, left_out);
}

void
reader_missing(struct reader *r)
{
	struct sample_account *a = &r->sampler->account;
	const char *const why = "a frame of its stack is missing or malformed";
	const unsigned long long sample = a->first_missing - r->before;

	if (a->missing > 0 && r->options->strict)
		cli_die("%s: sample %llu: %s", lines_name(r->lines), sample, why);
	if (a->missing > 0 && r->malformed == 0)
		cli_warn("%s: sample %llu: %s; left out", lines_name(r->lines), sample, why);
	r->malformed += a->missing;
	a->missing = a->first_missing = 0;
}

void
reader_resolve_units(struct reader *r)
{
	struct sampler *s = r->sampler;

	for (uint32_t i = 0; i < s->nevent; i++) {
		struct str name = str_of(s->event[i].name);

		if (s->event[i].varies || s->event[i].period != VALUE_ONE)
			sampler_event(s, name, unit_of_event(name));
	}
}
