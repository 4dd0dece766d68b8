/*
 * Functions c0 to c2 of lockstep.erl: c0 runs on a normal scheduler, c1 and c2 on dirty ones. Each
 * prints a line with its thread's ID in front and waits for a line.
 */
#define _GNU_SOURCE
#include <string.h>
#include <unistd.h>

#include <erl_nif.h>

static void
stop_here(ErlNifEnv *env, ERL_NIF_TERM text)
{
	static char line[1 << 16];
	ErlNifBinary b;
	char c;
	int n;

	if (!enif_inspect_binary(env, text, &b) || b.size > sizeof line - 32)
		return;
	n = enif_snprintf(line, 32, "%d", (int)gettid());
	memcpy(line + n, b.data, b.size);
	if (write(1, line, (size_t)n + b.size) < 0)
		_exit(1);
	do {
		if (read(0, &c, 1) != 1)
			_exit(0);
	} while (c != '\n');
}

#define FUNCTION(name)                                                         \
	ERL_NIF_TERM name(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]) \
	{                                                                      \
		(void)argc;                                                    \
		stop_here(env, argv[0]);                                       \
		return enif_make_int(env, 0);                                  \
	}

FUNCTION(c0)
FUNCTION(c1)
FUNCTION(c2)

static ErlNifFunc functions[] = {{"c0", 1, c0, 0}, {"c1", 1, c1, ERL_NIF_DIRTY_JOB_CPU_BOUND},
    {"c2", 1, c2, ERL_NIF_DIRTY_JOB_IO_BOUND}};

ERL_NIF_INIT(lockstep, functions, NULL, NULL, NULL, NULL)
