/*
 * cli: the command line, common to all programs: usage, version, options and their arguments.
 */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/message.h"
#include "base/vec.h"

#define FG_VERSION "0.1"

/* First key of long options without a letter. */
#define CLI_LONG 256

/*
 * One option of a program. The table ends with an all-zero entry; its order is that of --help
 * and of the manual. cli_next adds -h, -V, -q and -v.
 */
struct cli_option {
	int key; /* its letter, or a number >= CLI_LONG */
	const char *name; /* long name without dashes, or NULL */
	const char *arg; /* NULL: no argument; "N": required; "[N]": optional, --name=N or -xN */
	const char *help; /* one line for --help */
};

#define CLI_NAME 24 /* bytes of "--name" with its NUL, at most */

/*
 * Makes the table of a program whose options are n rows of `size` bytes, each of which begins with
 * a struct cli_option. A key of 0 becomes a unique number. name gets each option with its dashes,
 * for messages.
 */
void cli_rows(
    struct cli_option *table, char (*name)[CLI_NAME], const void *rows, size_t size, size_t n);

/* --help rows of options that several programs have. */
#define CLI_HELP_OUTPUT "write to FILE instead of stdout"
#define CLI_HELP_STRICT "treat a malformed line as an error"
#define CLI_HELP_NO_HEADER "omit the header lines: columns, unit, period"
#define CLI_HELP_NO_LABELS "omit the label lines"
#define CLI_HELP_NO_ANNOTATIONS "omit suffixes of frames: _[k] _[j] _[i] _[l] _[w] _[p]"
#define CLI_HELP_NO_ANNOTATE "alias for --no-annotations --no-header"
#define CLI_HELP_UNIT "set the unit of all values, overriding the inputs"
#define CLI_HELP_FILES0_FROM "read the file names, each ended by NUL, from LIST"
#define CLI_HELP_COLUMN "use only this column (a name or a number)"
#define CLI_HELP_COLUMNS "name the value columns (base,head), if no header does"
#define CLI_HELP_SKIP_AFTER "make the last NAME of a stack its root"

struct cli {
	const char *synopsis; /* "[options] [file ...]" */
	const char *purpose; /* one line */
	const struct cli_option *options;
	bool posix; /* stop at the first operand, for programs that run a command */
	/* Hint for an unknown option, given with its dashes; NULL: none. */
	const char *(*hint)(const char *option);
};

/*
 * First call of main: stores the program's name for messages; opens descriptors 0, 1 and 2 if
 * closed.
 */
void cli_start(const struct cli *cli, char **argv);

/*
 * Returns the next option's key, with its argument in *arg (or NULL); -1 after the last, when
 * optind is the first operand. Handles help, version, -q and -v; exits with 2 on a wrong
 * option.
 */
int cli_next(int argc, char **argv, char **arg);

#endif
