/*
 * cli: options and --help from one table.
 */
#include "base/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/sandbox.h"
#include "base/text.h"
#include "kernel/compat.h"

#define JOBS_DEFAULT_MAX 16
#define NAME_SIZE 24 /* of "--name" with its NUL, at most */

unsigned cli_given;

static const struct cli *program;
static bool *used; /* by option of the program */
static char (*names)[NAME_SIZE]; /* of the options, with their dashes */
static const char *program_name = "fg";
static char *letters; /* short options for getopt_long */
static struct option *long_options;

static const struct cli_option common_options[] = {
#define OPTION CLI_OPTION
#include "base/options.def"
    {0}};

static void
add_options(const struct cli_option *o, size_t *nletters, size_t *nlong)
{
	for (; o->key != 0; o++) {
		bool optional = o->arg != NULL && o->arg[0] == '[';

		if (o->key < CLI_LONG) {
			letters[(*nletters)++] = (char)o->key;
			if (o->arg != NULL)
				letters[(*nletters)++] = ':';
			if (optional)
				letters[(*nletters)++] = ':';
		}
		if (o->name != NULL)
			long_options[(*nlong)++] = (struct option){
			    o->name,
			    o->arg == NULL ? no_argument
			    : optional	   ? optional_argument
					   : required_argument,
			    NULL,
			    o->key,
			};
	}
}

/*
 * Opens descriptors 0, 1 and 2 if closed, so that no other file gets their number and our
 * messages. Except for messages, they fail like closed ones: they are open for the other
 * direction.
 */
static void
open_standard(void)
{
	static const int mode[] = {O_WRONLY, O_RDONLY, O_WRONLY};

	for (int fd = 0; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", mode[fd]) < 0)
			exit(cli_error_status);
}

void
cli_start(const struct cli *cli, char **argv)
{
	const char *slash = argv[0] == NULL ? NULL : strrchr(argv[0], '/');
	size_t n = 0, nletters = 0, nlong = 0;

	open_standard();
	interrupt_start();
	program = cli;
	if (argv[0] != NULL)
		program_name = slash != NULL ? slash + 1 : argv[0];
	message_start(program_name);
	for (; cli->options[n].name != NULL; n++)
		if (cli->options[n].key == 0)
			cli->options[n].key = CLI_LONG + (int)n;
	used = cli_alloc(n + 1, sizeof *used);
	names = cli_alloc(n + 1, sizeof *names);
	for (size_t i = 0; i < n; i++)
		snprintf(names[i], sizeof names[i], "--%s", cli->options[i].name);
	n += sizeof common_options / sizeof common_options[0];
	letters = cli_alloc(3 * n + 3, 1);
	long_options = cli_alloc(n + 1, sizeof *long_options);
	if (cli->posix)
		letters[nletters++] = '+';
	letters[nletters++] = ':';
	add_options(cli->options, &nletters, &nlong);
	add_options(common_options, &nletters, &nlong);
}

static void
help_options(const struct cli_option *o)
{
	struct text help = {0};

	for (; o->key != 0; o++) {
		char left[80];
		int n = 0;

		if (o->key < CLI_LONG)
			n += snprintf(
			    left, sizeof left, "  -%c%s", o->key, o->name != NULL ? ", " : "");
		else
			n += snprintf(left, sizeof left, "      ");
		if (o->name != NULL)
			n += snprintf(left + n, sizeof left - n, "--%s", o->name);
		if (o->arg != NULL && o->arg[0] == '[')
			snprintf(left + n, sizeof left - n, "[=%s", o->arg + 1);
		else if (o->arg != NULL)
			snprintf(
			    left + n, sizeof left - n, "%s%s", o->name != NULL ? "=" : " ", o->arg);
		text_puts(&help, o->help);
		if (o->list != NULL)
			o->list(&help);
		if (strlen(left) < 28)
			printf("%-28s  %s\n", left, help.s);
		else
			printf("%s\n%-28s  %s\n", left, "", help.s);
		text_cut(&help, 0);
	}
	text_free(&help);
}

static void
help(void)
{
	printf("usage: %s %s\n%s\n\n", program_name, program->synopsis, program->purpose);
	help_options(program->options);
	help_options(common_options);
	cli_exit_flushed();
}

/* Optional libraries, and the features that need them. */
static const struct library {
	const char *what, *name;
	bool built_in;
} libraries[] = {
#ifdef HAVE_DW
    {"symbols and unwinding", "libdw", true},
#else
    {"symbols and unwinding", "libdw", false},
#endif
#ifdef HAVE_LIBIBERTY
    {"demangling", "libiberty", true},
#else
    {"demangling", "libiberty", false},
#endif
#ifdef HAVE_ZYDIS
    {"unwinding without call frame information", "Zydis", true},
#else
    {"unwinding without call frame information", "Zydis", false},
#endif
#ifdef HAVE_ZSTD
    {"zstd input", "libzstd", true},
#else
    {"zstd input", "libzstd", false},
#endif
#ifdef HAVE_LZMA
    {"xz input", "liblzma", true},
#else
    {"xz input", "liblzma", false},
#endif
#ifdef HAVE_YAJL
    {"JSON profiles", "yajl", true},
#else
    {"JSON profiles", "yajl", false},
#endif
#ifdef HAVE_EXPAT
    {"XML profiles", "expat", true},
#else
    {"XML profiles", "expat", false},
#endif
#ifdef HAVE_LIBDEFLATE
    {"fast compression", "libdeflate", true},
#else
    {"fast compression", "libdeflate", false},
#endif
#ifdef HAVE_NCURSESW
    {"interactive terminal", "ncursesw", true},
#else
    {"interactive terminal", "ncursesw", false},
#endif
};

static void
version(void)
{
	printf("%s %s\n", program_name, FG_VERSION);
	for (const struct library *l = libraries;
	     l < libraries + sizeof libraries / sizeof libraries[0]; l++)
		printf(l->built_in ? "%s: %s\n" : "%s: not built in (%s)\n", l->what, l->name);
	printf("sandbox: %s\n", sandbox_built_in != NULL ? sandbox_built_in : "not built in");
	if (cli_verbose && program->details != NULL)
		program->details();
	cli_exit_flushed();
}

static void __attribute__((noreturn)) unknown(const char *option)
{
	const char *hint = program->hint != NULL ? program->hint(option) : NULL;

	if (hint != NULL)
		cli_usage("unknown option %s: %s", option, hint);
	cli_usage(
	    option[1] == '-' ? "unknown or ambiguous option %s" : "unknown option %s", option);
}

/* Returns the next option's key, with its argument in *arg, or -1. */
static int
next(int argc, char **argv, char **arg)
{
	static bool wants_version;

	for (;;) {
		int key;

		opterr = 0;
		key = getopt_long(argc, argv, letters, long_options, NULL);
		*arg = optarg;
		switch (key) {
		case 'h': help(); break;
		case 'V': wants_version = true; break;
		case 'q': cli_quiet = true; break;
		case 'v': cli_verbose = true; break;
		case ':': cli_usage("%s needs an argument", argv[optind - 1]);
		case '?':
			/* Inside a group of short options argv may still be the previous word. */
			if (optopt > 0 && optopt < CLI_LONG &&
			    (optopt == ':' || optopt == '+' || strchr(letters, optopt) == NULL))
				unknown((char[]){'-', (char)optopt, '\0'});
			if (optopt != 0)
				cli_usage("%s does not take an argument", argv[optind - 1]);
			unknown(argv[optind - 1]);
		case -1:
			if (wants_version) /* -v can come after -V */
				version();
			return key;
		default: return key;
		}
	}
}

static void
apply(struct options *o, size_t i, char *arg)
{
	const struct cli_option *row = &program->options[i];

	used[i] = true;
	cli_given |= row->given;
	if (row->flag != 0)
		*(bool *)((char *)o + row->flag - 1) = true;
	if (row->text != 0)
		*(const char **)((char *)o + row->text - 1) = arg;
	if (row->whole != NULL) {
		const uint64_t n = row->whole(names[i], arg, row->least, row->most);

		if (row->size == sizeof(uint32_t))
			*(uint32_t *)((char *)o + row->at) = (uint32_t)n;
		else
			*(uint64_t *)((char *)o + row->at) = n;
	}
	if (row->decimal != NULL)
		*(double *)(void *)((char *)o + row->at) =
		    row->decimal(names[i], arg, row->from, row->to);
	if (row->into != NULL)
		row->into((char *)o + row->at, arg, names[i]);
	if (row->set != NULL)
		row->set(o, arg, names[i]);
}

void
cli_give(struct options *o, const char *name)
{
	size_t i = 0;

	while (strcmp(program->options[i].name, name) != 0)
		i++;
	apply(o, i, NULL);
}

void
cli_options(struct options *o, int argc, char **argv)
{
	char *arg;

	for (int key; (key = next(argc, argv, &arg)) != -1;) {
		size_t i = 0;

		while (program->options[i].key != key)
			i++;
		apply(o, i, arg);
	}
}

/* Exits if an option lacks another one, or contradicts it. */
static void
check(const struct cli_option *row, const char *option)
{
	struct text needed = {0};

	for (unsigned i = 0; row->excludes >> i != 0; i++)
		if (row->excludes & cli_given & 1u << i)
			cli_usage("%s cannot be used with %s", option, program->given[i]);
	if (row->needs == 0 || (row->needs & cli_given))
		return;
	for (unsigned i = 0; row->needs >> i != 0; i++)
		if (row->needs & 1u << i)
			text_printf(
			    &needed, "%s%s", needed.len > 0 ? " or " : "", program->given[i]);
	cli_usage("%s needs %s", option, needed.s);
}

void
cli_check(void)
{
	for (size_t i = 0; program->options[i].name != NULL; i++)
		if (used[i])
			check(&program->options[i], names[i]);
}

const char *
cli_needing(unsigned bit)
{
	const char *option = NULL;

	for (size_t i = 0; program->options[i].name != NULL; i++)
		if (used[i] && program->options[i].needs & bit)
			option = names[i];
	return option;
}

int
cli_word(const char *option, const char *arg, const char *const *words)
{
	struct text known = {0};

	for (int i = 0; words[i] != NULL; i++)
		if (strcmp(arg, words[i]) == 0)
			return i;
	for (int i = 0; words[i] != NULL; i++)
		text_printf(&known, "%s%s",
		    i == 0		   ? ""
		    : words[i + 1] != NULL ? ", "
					   : " or ",
		    words[i]);
	cli_usage("%s: bad value '%s' (expected %s)", option, arg, known.s);
}

unsigned
cli_jobs(void)
{
	unsigned n = compat_processors();

	return n < JOBS_DEFAULT_MAX ? n : JOBS_DEFAULT_MAX;
}
