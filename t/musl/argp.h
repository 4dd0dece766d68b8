/* The part of argp that elfutils uses and musl lacks. */
#ifndef ARGP_H
#define ARGP_H

#include <errno.h>
#include <getopt.h>
#include <stdio.h>

typedef int error_t;
struct argp_state;
struct argp_option {
	const char *name;
	int key;
	const char *arg;
	int flags;
	const char *doc;
	int group;
};
struct argp {
	const struct argp_option *options;
	error_t (*parser)(int, char *, struct argp_state *);
	const char *args_doc, *doc;
	const void *children;
	char *(*help_filter)(int, const char *, void *);
	const char *argp_domain;
};
struct argp_state {
	const struct argp *root_argp;
	int argc;
	char **argv;
	int next;
	unsigned flags, arg_num;
	int quoted;
	void *input, **child_inputs, *hook;
	char *name;
	FILE *err_stream, *out_stream;
	void *pstate;
};

#define OPTION_ARG_OPTIONAL 1
#define OPTION_HIDDEN 2
#define OPTION_DOC 8
#define ARGP_ERR_UNKNOWN E2BIG
#define ARGP_KEY_ARG 0
#define ARGP_KEY_END 0x1000001
#define ARGP_KEY_NO_ARGS 0x1000002
#define ARGP_KEY_INIT 0x1000003
#define ARGP_KEY_SUCCESS 0x1000004
#define ARGP_KEY_ERROR 0x1000005
#define ARGP_KEY_FINI 0x1000007
#define ARGP_HELP_SEE 0x40
#define ARGP_HELP_EXIT_ERR 0x100

error_t argp_parse(const struct argp *, int, char **, unsigned, int *, void *);
void argp_error(const struct argp_state *, const char *, ...);
void argp_failure(const struct argp_state *, int, int, const char *, ...);
void argp_help(const struct argp *, FILE *, unsigned, char *);
void argp_state_help(const struct argp_state *, FILE *, unsigned);

#endif
