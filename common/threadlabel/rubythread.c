/*
 * rubythread: a thread's execution context leads to its rb_thread_t, which leads back, and has
 * the name, a String. Where these fields are is found by a thread whose name in the kernel is the
 * beginning of a String: pthread_setname_np(3) gets the first 15 bytes.
 */
#include "threadlabel/rubythread.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "runtime/memory.h"
#include "runtime/ruby.h"
#include "runtime/rubyname.h"

#define COMM_FULL 15 /* bytes: a shorter name is complete */
#define SEARCHES_MAX 256 /* threads without a name look the same */
#define CONTEXT_FIRST 4 /* words of an execution context that may lead to the thread, */
#define CONTEXT_WORDS 12
#define THREAD_WORDS 128 /* of a rb_thread_t, up to the name: 0x1c8 bytes in 3.1 */

struct ruby {
	struct runtime_process *process;
	void *runtime;
	uint32_t thread, name; /* offsets: of an execution context, of a rb_thread_t; 0: unknown */
	unsigned searches;
};

static void
close_ruby(void *state)
{
	struct ruby *rb = state;

	runtime_ruby.close(rb->runtime);
	free(rb);
}

static void *
open_ruby(struct runtime_process *p)
{
	void *runtime = runtime_ruby.open(p);
	struct ruby *rb;

	if (runtime == NULL)
		return NULL;
	rb = cli_alloc(1, sizeof *rb);
	rb->process = p;
	rb->runtime = runtime;
	return rb;
}

/* Appends a String if the name in the kernel is its first 15 bytes. */
static bool
add_name(struct ruby *rb, uint64_t value, const char *comm, struct text *to)
{
	char text[RUBY_TEXT_MAX];
	struct str s;

	if (!ruby_read_string(ruby_names_of(rb->runtime), value, text, &s) || s.len < COMM_FULL ||
	    memcmp(s.s, comm, COMM_FULL) != 0)
		return false;
	text_add(to, s.s, s.len);
	return true;
}

/* Finds the name of a thread by its context and its name in the kernel. */
static bool
find_name(struct ruby *rb, uint64_t context, const char *comm, struct text *to)
{
	struct memory_reader *m = rb->process->memory;
	uint64_t w[CONTEXT_WORDS], thread[THREAD_WORDS];

	if (rb->searches++ >= SEARCHES_MAX || !memory_read(m, context, w, sizeof w))
		return false;
	for (uint32_t i = CONTEXT_FIRST; i < CONTEXT_WORDS; i++) {
		bool leads_back = false;

		if (w[i] == 0 || w[i] % 8 != 0 || !memory_read(m, w[i], thread, sizeof thread))
			continue;
		for (size_t k = 0; k < THREAD_WORDS; k++)
			leads_back |= thread[k] == context;
		for (uint32_t k = 0; leads_back && k < THREAD_WORDS; k++)
			if (add_name(rb, thread[k], comm, to)) {
				rb->thread = 8 * i;
				rb->name = 8 * k;
				return true;
			}
	}
	return false;
}

static bool
read_name(void *state, int tid, const char *comm, struct text *to)
{
	struct ruby *rb = state;
	struct memory_reader *m = rb->process->memory;
	uint64_t context;

	if (strlen(comm) < COMM_FULL || (context = ruby_context(rb->runtime, tid)) == 0)
		return false;
	if (rb->name == 0)
		return find_name(rb, context, comm, to);
	return add_name(
	    rb, memory_u64(m, memory_u64(m, context + rb->thread) + rb->name), comm, to);
}

const struct threadname_reader rubythread = {open_ruby, read_name, close_ruby};
