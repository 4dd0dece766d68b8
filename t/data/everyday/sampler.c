/*
 * Samples a Lua program by SIGPROF: require('sampler') before the program. At its end writes folded
 * stacks to the file $OUT; a function is named by its file and first line.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <lauxlib.h>
#include <lua.h>

static lua_State *volatile main_state;
static FILE *out;

static void
sample(lua_State *L, lua_Debug *ar)
{
	lua_Debug frame[64];
	int n = 0;

	(void)ar;
	lua_sethook(L, NULL, 0, 0);
	while (n < 64 && lua_getstack(L, n, &frame[n]))
		lua_getinfo(L, "S", &frame[n++]);
	for (int i = n; i-- > 0;)
		fprintf(out, "%s:%d%s", frame[i].short_src,
		    frame[i].linedefined > 0 ? frame[i].linedefined : 1, i > 0 ? ";" : " 1\n");
}

static void
on_signal(int number)
{
	(void)number;
	lua_sethook(main_state, sample, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
}

int
luaopen_sampler(lua_State *L)
{
	struct itimerval every = {{0, 1000}, {0, 1000}};

	main_state = L;
	out = fopen(getenv("OUT"), "w");
	signal(SIGPROF, on_signal);
	setitimer(ITIMER_PROF, &every, NULL);
	return 0;
}
