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

#define CLI_LONG 256 /* first key of options without a letter */

struct options; /* each program's own */
struct text;

/*
 * One option of a program. The table ends with an all-zero entry; its order is that of --help
 * and of the manual. cli_options adds -h, -V, -q and -v.
 */
struct cli_option {
	int key; /* its letter, or 0, for which cli_start sets a number >= CLI_LONG */
	const char *name; /* long name without dashes */
	const char *arg; /* NULL: no argument; "N": required; "[N]": optional, --name=N or -xN */
	const char *help; /* one line for --help */
	/* Applies the option; `option` is its name with dashes, for messages. May be NULL. */
	void (*set)(struct options *o, char *arg, const char *option);
	/* As set, with the member of struct options that is at the offset `at`. */
	void (*into)(void *member, char *arg, const char *option);
	size_t at;
	/* 1 + offsets in struct options: of a bool to set, of a const char * for the argument. */
	size_t flag, text;
	/*
	 * The reader of a number in base/number and its limits. `whole` is for a member of 4 or 8
	 * bytes, its size; `decimal` for a double. The argument is required.
	 */
	uint64_t (*whole)(const char *option, const char *arg, uint64_t min, uint64_t max);
	double (*decimal)(const char *option, const char *arg, double min, double max);
	size_t size;
	uint64_t least, most;
	double from, to;
	/* Bits of struct cli: the option stands for `given`; see cli_check and cli_needing. */
	unsigned given, needs, excludes;
	void (*list)(struct text *help); /* appends the known arguments to the line; may be NULL */
};

/*
 * The rows of options.def, which each program includes in its table with OPTION, and the fields
 * of one that name a member: INTO_WHOLE and INTO_DECIMAL with the function of base/number that
 * reads it.
 */
#define CLI_OPTION(letter, name, arg, help, ...) {letter, name, arg, help, __VA_ARGS__},
#define FLAG(member) .flag = 1 + offsetof(struct options, member)
#define TEXT(member) .text = 1 + offsetof(struct options, member)
#define INTO_NUMBER(member) \
	.at = offsetof(struct options, member), .size = sizeof((struct options *)NULL)->member
#define INTO_WHOLE(member, function, min, max) \
	INTO_NUMBER(member), .whole = function, .least = min, .most = max
#define INTO_DECIMAL(member, function, min, max) \
	INTO_NUMBER(member), .decimal = function, .from = min, .to = max
#define INTO(member, function) .into = function, .at = offsetof(struct options, member)

/* --help rows of options that several programs have. */
#define CLI_HELP_OUTPUT "write to FILE instead of stdout"
#define CLI_HELP_JOBS "limit the number of threads; the output does not depend on it"
#define CLI_HELP_STRICT "treat a malformed line as an error"
#define CLI_HELP_NO_HEADER "omit the header lines: columns, unit, period"
#define CLI_HELP_NO_LABELS "omit the label lines"
#define CLI_HELP_NO_ANNOTATIONS "omit suffixes of frames:"
#define CLI_HELP_NO_ANNOTATE "alias for --no-annotations --no-header"
#define CLI_HELP_UNIT "set the unit of all values, overriding the inputs"
#define CLI_HELP_FILES0_FROM "read the file names, each ended by NUL, from LIST"
#define CLI_HELP_COLUMN "use only this column (a name or a number)"
#define CLI_HELP_COLUMNS "name the value columns (base,head), if no header does"
#define CLI_HELP_SKIP_AFTER "make the last NAME of a stack its root"

struct cli {
	const char *synopsis; /* "[options] [file ...]" */
	const char *purpose; /* one line */
	struct cli_option *options;
	bool posix; /* stop at the first operand, for programs that run a command */
	const char *const *given; /* by bit of given, needs and excludes: the name for messages */
	/* Hint for an unknown option, given with its dashes; NULL: none. */
	const char *(*hint)(const char *option);
	void (*details)(void); /* prints more for -V with -v; or NULL */
};

/*
 * First call of main: stores the program's name for messages; opens descriptors 0, 1 and 2 if
 * closed.
 */
void cli_start(const struct cli *cli, char **argv);

/*
 * Applies all options of the command line to o; then optind is the first operand. Handles help,
 * version, -q and -v; exits with 2 on a wrong option.
 */
void cli_options(struct options *o, int argc, char **argv);

/* Applies an option without an argument, as if it had been given; `name` exists. */
void cli_give(struct options *o, const char *name);

/* Bits of the options applied. A handler may change them, if they depend on its argument. */
extern unsigned cli_given;

/* Exits with 2 if an option was given without one that it needs, or with one that it excludes. */
void cli_check(void);

/* The index of an argument in a list of words; exits with 2 if it is none of them. */
int cli_word(const char *option, const char *arg, const char *const *words);

/* The last option given that needs this bit, as in messages; NULL: none. */
const char *cli_needing(unsigned bit);

/* The default number of threads: the processors that the program may use, at most 16. */
unsigned cli_jobs(void);
#define CLI_JOBS_MAX 256

#endif
