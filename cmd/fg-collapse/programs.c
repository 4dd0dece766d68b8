/*
 * programs: by access/openserver, with the directories of symbols and debug information.
 */
#include "fg-collapse/programs.h"

#include <errno.h>
#include <string.h>

#include "access/opener.h"
#include "access/openserver.h"
#include "base/cli.h"
#include "elf/debugfile.h"
#include "fg-collapse/perfdata/fileheader.h"
#include "fg-collapse/perfdata/parts.h"
#include "fg-collapse/perfdata/symbolsources.h"

void
programs_begin(struct sandbox *s, const struct options *o, int argc, char **argv, int first)
{
	if (!sandbox_is_off() && !openserver_start())
		cli_warn("cannot start a process: %s; no programs are read", strerror(errno));
	for (int i = first; i < argc; i++) {
		parts_sandbox(s, argv[i]);
		symbolsources_sandbox_beside(s, argv[i]);
	}
	symbolsources_sandbox(s, o);
	if (o->debuginfod)
		debugfile_network(s);
}

void
programs_unneeded(void)
{
	opener_through(-1);
}

void
programs_end(void)
{
	openserver_end();
}

char *
programs_file_of(char *path)
{
	return fileheader_file_of(path);
}
