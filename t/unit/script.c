/*
 * script: checks readers of script frames against a program that knows its own stack.
 *
 *	script STACKS COMMAND...	the program prints a line for each stack, TID TAB SHADOW TAB
 *					BACKTRACE, and then waits for a line. SHADOW has its script
 *					functions s0..s9 and C functions c0..c9 in their order,
 *					BACKTRACE is that of the language, as name:line;name:line.
 *	script -n STACKS COMMAND...	the same; functions without a name get that of their calls
 *	script -f STOPS COMMAND...	the program runs and is stopped at random moments. Its
 *					function fN calls f(N+1) and f(N+2) only.
 *	script -s STOPS COMMAND...	as -f; after each stop, the thread executes one instruction
 *					after another, and its stack is read at each
 *	script -d STOPS COMMAND...	as -f, with damage to all memory that is read; prints the
 *					longest CPU time for a stack, of two reads of each damage
 *					the shorter, without that for the list of mappings
 *	script -p PID			prints the merged stacks of all threads once
 *	script -k COMMAND...		the program prints a line and is killed before it is read
 *
 * With KEEP in the environment, only functions with this prefix are compared with BACKTRACE, or
 * those of files whose path has it. With THREAD, -f and -d stop the last thread of this name, else
 * the first thread.
 * Prints the number of stacks and of different ones; prints the first of these to stderr.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/types.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "fg-record/stopping/ptrace_regs.h"
#include "symbol/symbol.h"
#include "trace/livestack.h"
#include "trace/script.h"

#define SHOWN 2 /* wrong stacks to print */
#define FUNCTION_LINES 100000 /* of one function, at most */
#define STEPS 200 /* instructions after a stop */

static struct processes *ps;
static struct unwind *unwinder;
static struct script *script;
static struct chain chain;
static struct livestack live;
static struct modules *volatile modules; /* read by leak checkers only: modules are never freed */

static struct {
	unsigned long stacks, order, backtraces, wrong, none;
	unsigned long calls; /* system calls that read the memory of scripts */
} count;

static double maps_seconds; /* CPU time of reading /proc/PID/maps */
static bool settles; /* after each stack: functions have the names of their calls */
static bool native_complete; /* the thread's own stack was unwound to its first function */

static bool
stop(int tid)
{
	int status;

	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0)
		return false;
	if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) == 0 &&
	    waitpid(tid, &status, __WALL) == tid && WIFSTOPPED(status))
		return true;
	return false;
}

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Reads the merged stack of a stopped thread into chain; false if no script was found. */
static bool
read_stack(int pid, int tid)
{
	struct ptrace_regs u;
	struct unwind_input in = {0};
	uint64_t sp_now;
	bool slept;
	struct process_thread *t;
	struct script_process *sp;
	bool merged;

	if (!ptrace_regs_read(tid, &u))
		return false;
	ptrace_regs_store(&u, &in, &sp_now, &slept);
	t = processes_thread(ps, pid, tid);
	in.process = t->process;
	sp = script_find(script, t->process); /* before unwinding: process.own_stack */
	chain_clear(&chain);
	if (!livestack_read(
		&live, unwinder, sp != NULL ? script_memory(sp) : NULL, tid, &in, sp_now, &chain))
		return false;
	if (chain.maps_suspect) { /* a mapping is unknown: read the maps again */
		double begin = seconds();

		processes_read(ps, pid);
		maps_seconds += seconds() - begin;
		sp = script_find(script, t->process);
		livestack_read(&live, unwinder, NULL, tid, &in, sp_now, &chain);
	}
	native_complete = chain.end == UNWIND_COMPLETE;
	if (sp == NULL)
		return false;
	memory_overlay(script_memory(sp), live.part[0].at, live.bytes[0], live.part[0].n);
	merged = script_merge(script, sp, t, live.native, NULL, &chain);
	count.calls += memory_cost(script_memory(sp)).calls;
	return merged;
}

static const struct symbol_frame *
name_of(size_t i, size_t *n)
{
	static const struct symbol_frame unknown = {.function = "?"};
	const struct symbol_frame *f = NULL;

	*n = chain.frame[i].module == NULL
		 ? 0
		 : symbol_resolve(chain.frame[i].module, chain.frame[i].vaddr, 0, 0, &f);
	return *n == 0 ? &unknown : f;
}

/* The last part of a name: s0 of "K.s0" and "K::s0". "block in s0" is another function. */
static const char *
last_part(const char *name)
{
	const char *end = name + strlen(name);

	if (strchr(name, ' ') != NULL)
		return name;
	while (end > name && strchr(".:#", end[-1]) == NULL)
		end--;
	return end;
}

/* True for a name like s0; also for "s0:1", a Lua function by file and line, and "s0/1" of Erlang.
 */
static bool
is_marked(const char *name, char letter)
{
	return name[0] == letter && name[1] >= '0' && name[1] <= '9' &&
	       (name[2] == '\0' || name[2] == ':' || name[2] == '/');
}

static void
show(FILE *to)
{
	for (size_t i = chain.n; i-- > 0;) {
		size_t n;
		const struct symbol_frame *f = name_of(i, &n);
		bool is_script =
		    chain.frame[i].module != NULL && chain.frame[i].module->kind == MODULE_SCRIPT;

		if (is_script)
			fprintf(to, "%s (%s:%u:%u)_[p]%s", f->function, f->file ? f->file : "",
			    f->decl_line, f->line, i > 0 ? ";" : "\n");
		else
			fprintf(to, "%s%s", f->function, i > 0 ? ";" : "\n");
	}
}

/*
 * True if Ruby leaves a frame out of backtraces: a method of its own that is in Ruby; with RESCUED
 * in the environment, from 3.4 on, one that handles an exception.
 */
static bool
is_hidden(const struct symbol_frame *f)
{
	return (f->file != NULL && strncmp(f->file, "<internal:", 10) == 0) ||
	       (getenv("RESCUED") != NULL && (strncmp(f->function, "rescue in ", 10) == 0 ||
						 strncmp(f->function, "ensure in ", 10) == 0));
}

/* Compares the stack that the program printed with the one that was read. */
static void
compare(const char *shadow, const char *backtrace, bool read)
{
	static struct text order, names;
	static unsigned long shown;
	const char *kept = getenv("KEEP") != NULL ? getenv("KEEP") : "";
	bool wrong_order, wrong_names;

	order.len = names.len = 0;
	text_puts(&order, "");
	for (size_t i = chain.n; i-- > 0;) {
		size_t n;
		const struct symbol_frame *f = name_of(i, &n);
		const char *last =
		    is_marked(f->function, 's') ? f->function : last_part(f->function);
		bool is_script =
		    chain.frame[i].module != NULL && chain.frame[i].module->kind == MODULE_SCRIPT;

		if (is_script && !is_hidden(f) &&
		    strncmp(kept[0] == '/' ? f->file != NULL ? f->file : "" : f->function, kept,
			strlen(kept)) == 0)
			text_printf(
			    &names, "%s%s:%u", names.len > 0 ? ";" : "", f->function, f->line);
		if (is_marked(last, 'c') || (is_script && is_marked(last, 's')))
			text_printf(&order, "%s%.2s", order.len > 0 ? ";" : "", last);
	}
	text_char(&order, '\0');
	text_char(&names, '\0');
	wrong_order = strcmp(order.s, shadow) != 0;
	wrong_names = backtrace != NULL && strcmp(names.s, backtrace) != 0;
	count.stacks++;
	count.order += wrong_order;
	count.backtraces += backtrace != NULL;
	count.wrong += wrong_names;
	count.none += !read;
	if ((wrong_order || wrong_names) && shown++ < SHOWN) {
		fprintf(stderr, "truth %s\nread  %s\n", shadow, order.s);
		if (backtrace != NULL)
			fprintf(stderr, "backtrace %s\nread      %s\n", backtrace, names.s);
		show(stderr);
	}
}

static int
start(char **argv, FILE **from, int *to)
{
	int in[2], out[2], pid;

	if (pipe(in) != 0 || pipe(out) != 0 || (pid = fork()) < 0)
		exit(1);
	if (pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		close(in[1]);
		close(out[0]);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	*from = fdopen(out[0], "r");
	*to = in[1];
	return pid;
}

static char
state_of(int pid, int tid)
{
	char path[64], line[512] = "", *end;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/task/%d/stat", pid, tid);
	f = fopen(path, "r");
	if (f == NULL)
		return 0;
	if (fgets(line, sizeof line, f) == NULL)
		line[0] = '\0';
	fclose(f);
	end = strrchr(line, ')');
	return end != NULL && end[1] != '\0' ? end[2] : 0;
}

static void
wait_until_asleep(int pid, int tid)
{
	for (int i = 0; i < 20000 && state_of(pid, tid) != 'S'; i++)
		usleep(100);
}

static void
lockstep(unsigned long stacks, char **argv)
{
	FILE *from;
	int to, pid = start(argv, &from, &to);
	char *line = NULL;
	size_t cap = 0;

	while (count.stacks < stacks && getline(&line, &cap, from) > 0) {
		char *shadow = strchr(line, '\t'), *backtrace;
		int tid = atoi(line);
		bool read = false;

		line[strcspn(line, "\n")] = '\0';
		if (shadow == NULL) {
			if (strcmp(line, "END") == 0)
				break;
			fprintf(stderr, "%s\n", line);
			continue;
		}
		*shadow++ = '\0';
		backtrace = strchr(shadow, '\t');
		if (backtrace != NULL)
			*backtrace++ = '\0';
		if (tid == 0)
			tid = pid;
		wait_until_asleep(pid, tid);
		if (count.stacks == 0)
			processes_read(ps, pid);
		chain.n = 0;
		if (stop(tid)) {
			read = read_stack(pid, tid);
			ptrace(PTRACE_DETACH, tid, NULL, NULL);
		}
		if (settles)
			script_settle(script);
		compare(shadow, backtrace, read);
		if (write(to, "\n", 1) != 1)
			break;
	}
	free(line);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	printf("stacks %lu wrong order %lu; backtraces %lu wrong %lu; without script %lu\n",
	    count.stacks, count.order, count.backtraces, count.wrong, count.none);
}

/*
 * True if each neighbouring pair of functions fN can call each other, none of their lines is above
 * the function's first one or far below it (others may have lines of what is inlined in them), and
 * native code called the outermost script function.
 */
static bool
is_possible(void)
{
	int last = -1;

	if (native_complete && chain.n > 0 && chain.frame[chain.n - 1].module != NULL &&
	    chain.frame[chain.n - 1].module->kind == MODULE_SCRIPT)
		return false;
	for (size_t i = chain.n; i-- > 0;) {
		size_t n;
		const struct symbol_frame *f = name_of(i, &n);
		const char *name = last_part(f->function);
		int number;

		if (chain.frame[i].module == NULL || chain.frame[i].module->kind != MODULE_SCRIPT)
			continue;
		if (strcmp(f->function, "?") == 0)
			return false;
		if (f->function[0] == 'f' && strchr(f->function, ':') != NULL)
			name = f->function; /* Lua's "f1:1" */
		if (name[0] != 'f' || name[1] < '0' || name[1] > '9')
			continue;
		if (f->line != 0 &&
		    (f->line < f->decl_line || f->line > f->decl_line + FUNCTION_LINES))
			return false;
		number = atoi(name + 1);
		if (last < 0 ? number > 1 : number != last + 1 && number != last + 2)
			return false;
		last = number;
	}
	return true;
}

/* Waits until a process has used half a second of CPU: its interpreter runs the script then. */
static void
wait_until_started(int pid)
{
	struct timespec used = {0};
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0)
		exit(1);
	while (clock_gettime(clock, &used) == 0 && used.tv_sec == 0 && used.tv_nsec < 500000000 &&
	       state_of(pid, pid) != 'Z')
		usleep(10000);
}

/* The ID of the thread to stop. */
static int
chosen_thread(int pid)
{
	const char *wanted = getenv("THREAD");
	char path[64], name[32];
	struct dirent *e;
	int found = pid;
	DIR *d;

	snprintf(path, sizeof path, "/proc/%d/task", pid);
	if (wanted == NULL || (d = opendir(path)) == NULL)
		return pid;
	while ((e = readdir(d)) != NULL) {
		FILE *f;

		snprintf(path, sizeof path, "/proc/%d/task/%.20s/comm", pid, e->d_name);
		f = fopen(path, "r");
		if (f != NULL && fgets(name, sizeof name, f) != NULL) {
			name[strcspn(name, "\n")] = '\0';
			if (strcmp(name, wanted) == 0)
				found = atoi(e->d_name);
		}
		if (f != NULL)
			fclose(f);
	}
	closedir(d);
	return found;
}

/* Ends a program of which one thread is traced. */
static void
end(int pid)
{
	int status, ended;

	kill(pid, SIGKILL);
	do /* the traced thread, and then its process */
		ended = waitpid(-1, &status, __WALL);
	while (ended > 0 && (ended != pid || WIFSTOPPED(status)));
}

/* True if native frames show that a runtime's own frames could not be read. */
static bool
is_partial(void)
{
	for (size_t i = 0; i < chain.n; i++) {
		size_t n;

		if (strcmp(name_of(i, &n)->function, "_PyEval_EvalFrameDefault") == 0)
			return true;
	}
	return false;
}

/* Executes one instruction of a stopped thread; false if it stopped elsewhere, as in a handler. */
static bool
step(int tid)
{
	int status;

	return ptrace(PTRACE_SINGLESTEP, tid, NULL, NULL) == 0 &&
	       waitpid(tid, &status, __WALL) == tid && WIFSTOPPED(status) &&
	       WSTOPSIG(status) == SIGTRAP;
}

static struct {
	unsigned long impossible, empty, incomplete;
} stacks;

/* Reads and counts a stack of a stopped thread. */
static void
count_stack(int pid, int tid)
{
	count.stacks++;
	if (!read_stack(pid, tid) || is_partial())
		stacks.empty++;
	else if (!is_possible() && stacks.impossible++ < SHOWN)
		show(stderr);
	stacks.incomplete += chain.end != UNWIND_COMPLETE;
}

static void
run_free(unsigned long stops, bool steps, char **argv)
{
	FILE *from;
	int to, pid = start(argv, &from, &to), tid, status;

	(void)from;
	wait_until_started(pid);
	tid = chosen_thread(pid);
	processes_read(ps, pid);
	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0)
		exit(1);
	for (unsigned long i = 0; i < stops; i++) {
		usleep((useconds_t)(random() % 3000));
		if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0 ||
		    waitpid(tid, &status, __WALL) != tid || !WIFSTOPPED(status))
			break;
		count_stack(pid, tid);
		for (int k = 0; steps && k < STEPS && step(tid); k++)
			count_stack(pid, tid);
		ptrace(PTRACE_CONT, tid, NULL, NULL);
	}
	end(pid);
	printf("stops %lu impossible %lu without script %lu incomplete %lu calls %.1f\n",
	    count.stacks, stacks.impossible, stacks.empty, stacks.incomplete,
	    (double)count.calls / (double)(count.stacks > 0 ? count.stacks : 1));
}

/* CPU time of reading the stack of a stopped thread, s. */
static double
read_seconds(int pid, int tid)
{
	double begin = seconds();

	maps_seconds = 0;
	read_stack(pid, tid);
	count.stacks++;
	return seconds() - begin - maps_seconds;
}

/*
 * Reads damaged memory: no result is correct, but none may crash, hang or take long. Each damage is
 * read twice, with an empty page cache: only what takes long both times counts as long, since an
 * interrupt takes as long.
 */
static void
run_damaged(unsigned long stops, char **argv)
{
	FILE *from;
	int to, pid = start(argv, &from, &to), tid, status;
	double longest = 0, all = 0;
	unsigned calls = 0;

	(void)from;
	wait_until_started(pid);
	tid = chosen_thread(pid);
	processes_read(ps, pid);
	if (ptrace(PTRACE_SEIZE, tid, NULL, NULL) != 0)
		exit(1);
	while (count.stacks < stops) {
		struct script_process *sp;

		if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0 ||
		    waitpid(tid, &status, __WALL) != tid || !WIFSTOPPED(status))
			break;
		if (count.stacks == 0)
			read_stack(pid, tid); /* not damaged: a runtime checks itself once */
		for (int i = 0; i < 50; i++) {
			const uint64_t seed = count.stacks;
			double shorter = 1;

			for (int k = 0; k < 2; k++) {
				double took;

				sp = script_find(script, processes_thread(ps, pid, pid)->process);
				if (sp != NULL) {
					memory_release(script_memory(sp));
					memory_damage(script_memory(sp), seed);
				}
				took = read_seconds(pid, tid);
				shorter = took < shorter ? took : shorter;
				if (sp != NULL && memory_cost(script_memory(sp)).calls > calls)
					calls = memory_cost(script_memory(sp)).calls;
				all += took;
			}
			if (seed > 0) /* the first stack opens the runtime */
				longest = shorter > longest ? shorter : longest;
		}
		ptrace(PTRACE_CONT, tid, NULL, NULL);
		usleep(500);
	}
	end(pid);
	printf("damaged stacks %lu; mean %.2f ms, longest %.2f ms; at most %u calls\n",
	    count.stacks, all * 1e3 / (double)count.stacks, longest * 1e3, calls);
}

/* Takes a sample of a program that is killed, once it has printed a line, before it is read. */
static void
run_killed(char **argv)
{
	const struct script_copy none = {.bytes = (const unsigned char *)"", .time = 1};
	struct process_thread *t;
	struct script_process *sp;
	char *line = NULL;
	size_t cap = 0;
	FILE *from;
	int to, pid = start(argv, &from, &to);

	if (getline(&line, &cap, from) < 0)
		exit(1);
	free(line);
	processes_read(ps, pid);
	end(pid);
	t = processes_thread(ps, pid, pid);
	sp = script_find(script, t->process);
	chain_clear(&chain);
	if (sp != NULL)
		script_merge(script, sp, t, NULL, &none, &chain);
}

static void
print_all(int pid)
{
	char path[64];
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof path, "/proc/%d/task", pid);
	d = opendir(path);
	processes_read(ps, pid);
	while (d != NULL && (e = readdir(d)) != NULL) {
		int tid = atoi(e->d_name);

		if (tid == 0 || !stop(tid))
			continue;
		if (!read_stack(pid, tid))
			printf("no script: ");
		show(stdout);
		ptrace(PTRACE_DETACH, tid, NULL, NULL);
	}
	if (d != NULL)
		closedir(d);
}

int
main(int argc, char **argv)
{
	struct script_count seen[8];
	size_t nseen;

	if (argc < 3)
		return 2;
	modules = modules_new(&symsource_live);
	ps = processes_new(modules);
	unwinder = unwind_new(NULL);
	script = script_new(ps, true, getenv("INTERPRETER") != NULL);
	if (strcmp(argv[1], "-p") == 0)
		print_all(atoi(argv[2]));
	else if (strcmp(argv[1], "-n") == 0)
		settles = true, lockstep(strtoul(argv[2], NULL, 10), argv + 3);
	else if (strcmp(argv[1], "-k") == 0)
		run_killed(argv + 2);
	else if (strcmp(argv[1], "-d") == 0)
		run_damaged(strtoul(argv[2], NULL, 10), argv + 3);
	else if (strcmp(argv[1], "-f") == 0 || strcmp(argv[1], "-s") == 0)
		run_free(strtoul(argv[2], NULL, 10), argv[1][1] == 's', argv + 3);
	else
		lockstep(strtoul(argv[1], NULL, 10), argv + 2);
	nseen = script_counts(script, seen, 8);
	for (size_t i = 0; i < nseen; i++)
		printf("%s: %lu of %lu%s%s\n", seen[i].runtime, (unsigned long)seen[i].read,
		    (unsigned long)seen[i].samples, seen[i].reason != NULL ? ": " : "",
		    seen[i].reason != NULL ? seen[i].reason : "");
	livestack_free(&live);
	script_free(script);
	unwind_free(unwinder);
	processes_free(ps);
	return 0;
}
