/*
 * noprograms: replaces programs.c, the formats perf.data and trace.dat, and the modules that name
 * addresses in a build without libdw. No program is read: the formats are refused with a message,
 * and addresses stay addresses, with a note.
 */
#include "fg-collapse/programs.h"

#include "base/cli.h"
#include "fg-collapse/format.h"
#include "fg-collapse/magic.h"
#include "symbol/symbol.h"

static int
sniff_perfdata(const char *data, size_t len)
{
	return magic_is_perfdata(data, len) ? 100 : 0;
}

static int
sniff_tracedat(const char *data, size_t len)
{
	return magic_is_tracedat(data, len) ? 100 : 0;
}

static void
refuse(struct reader *r)
{
	cli_die("%s: a recording with addresses; this program was built without libdw, which reads "
		"it: perf script writes one as text",
	    lines_name(r->lines));
}

const struct format perfdata_format = {
    .bytes = FORMAT_BINARY, .sniff = sniff_perfdata, .read = refuse};
const struct format tracedat_format = {
    .bytes = FORMAT_BINARY, .sniff = sniff_tracedat, .read = refuse};

void
programs_begin(struct sandbox *s, const struct options *o, int argc, char **argv, int first)
{
	(void)s;
	(void)o;
	(void)argc;
	(void)argv;
	(void)first;
}

void
programs_unneeded(void)
{
}

void
programs_end(void)
{
}

char *
programs_file_of(char *path)
{
	return path;
}

const struct symsource symsource_live;

struct modules *
modules_new(const struct symsource *o)
{
	(void)o;
	cli_note("no program is read for the names of addresses: this build has no libdw");
	return NULL;
}

struct module *
module_open(struct modules *ms, const char *path, const struct module_id *id,
    const struct module_reach *reach)
{
	(void)ms;
	(void)path;
	(void)id;
	(void)reach;
	return NULL;
}

uint64_t
module_vaddr(struct module *m, uint64_t file_offset)
{
	(void)m;
	return file_offset;
}

size_t
symbol_resolve(struct module *m, uint64_t vaddr, uint64_t time, unsigned flags,
    const struct symbol_frame **frames)
{
	(void)m;
	(void)vaddr;
	(void)time;
	(void)flags;
	*frames = NULL;
	return 0;
}
