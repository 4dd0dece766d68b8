/*
 * memory: reads the memory of a child with memory_fetch, for t/memory.t. Prints one line for each
 * check: "ok" or "not ok", and its name. Exits 77 if this machine refuses to read a child.
 */
#include "runtime/memory.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGES 8
#define STACK 2 /* pages */

static unsigned char *heap, *stack;
static int orders[2], done[2];

static void
check(const char *name, bool ok)
{
	printf("%s %s\n", ok ? "ok" : "not ok", name);
}

/* The child: changes its memory once for each order. */
static void
run(void)
{
	char order;

	while (read(orders[0], &order, 1) == 1) {
		if (order == 'h') {
			munmap(heap + 3 * MEMORY_PAGE, MEMORY_PAGE);
			heap[5 * MEMORY_PAGE] = 77;
		} else {
			munmap(stack, (size_t)STACK * MEMORY_PAGE);
		}
		if (write(done[1], &order, 1) != 1)
			break;
	}
	_exit(0);
}

static void
give(char order)
{
	if (write(orders[1], &order, 1) != 1 || read(done[0], &order, 1) != 1)
		_exit(1);
}

/* One sample: a fetch of the stack, and a byte of each page. Returns the fetched bytes. */
static size_t
sample(struct memory_reader *m, unsigned char *copy, uint8_t value[PAGES])
{
	size_t n;

	memory_begin(m);
	n = memory_fetch(m, (uintptr_t)stack, copy, (size_t)16 * MEMORY_PAGE);
	for (size_t i = 0; i < PAGES; i++)
		value[i] = memory_u8(m, (uintptr_t)heap + i * MEMORY_PAGE);
	return n;
}

static unsigned char *
map(size_t pages)
{
	return mmap(
	    NULL, pages * MEMORY_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

int
main(void)
{
	static unsigned char copy[16 * MEMORY_PAGE];
	const uint8_t before[] = {1, 2, 3, 4, 5, 6, 7, 8}, after[] = {1, 2, 3, 0, 5, 77, 7, 8};
	const size_t whole = (size_t)STACK * MEMORY_PAGE;
	struct memory_reader *m;
	uint8_t value[PAGES];
	pid_t child;

	heap = map(PAGES);
	stack = map(STACK + 1);
	munmap(stack + whole, MEMORY_PAGE);
	for (size_t i = 0; i < PAGES; i++)
		heap[i * MEMORY_PAGE] = (unsigned char)(i + 1);
	memcpy(stack + 100, "stack", 6);
	if (pipe(orders) != 0 || pipe(done) != 0)
		return 1;
	child = fork();
	if (child == 0)
		run();
	m = memory_of_process(child);
	check("no page is fetched before one was needed", sample(m, copy, value) == 0);
	if (memory_error(m) != 0)
		return 77;
	check("a stack that ends early", sample(m, copy, value) == whole);
	check("a stack that ends early: its bytes are right",
	    strcmp((char *)copy + 100, "stack") == 0);
	check("the pages of the last sample", memcmp(value, before, PAGES) == 0);
	check("one system call for the stack and the pages", memory_cost(m).calls == 1);
	give('h');
	sample(m, copy, value);
	check(
	    "a page that was unmapped, and new values in others", memcmp(value, after, PAGES) == 0);
	check("the stack, when the page is not needed", sample(m, copy, value) == whole);
	check("the values of pages are read again", memcmp(value, after, PAGES) == 0);
	give('s');
	check("a stack that is gone", sample(m, copy, value) == 0);
	check("a stack that was unmapped: the pages are read", memcmp(value, after, PAGES) == 0);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	check("a process that is gone", sample(m, copy, value) == 0 && value[0] == 0);
	memory_free(m);
	return 0;
}
