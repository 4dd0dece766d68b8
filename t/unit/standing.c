/*
 * standing: a table of cases for the rule by which fg-record has an opener, for t/standing.t.
 * Prints one line for each case: "ok" or "not ok", and its name.
 */
#include <stdio.h>
#include <unistd.h>

#include "fg-record/asking/standing.h"

#define ALL 0x1ffffffffff /* capabilities of root */
#define DOCKER 0xa80425fb /* of root in a container, by default */
#define PERFMON (UINT64_C(1) << 38)
#define HOST               \
	{                  \
		10, 11, 12 \
	}
#define INSIDE             \
	{                  \
		10, 21, 22 \
	} /* a container without a user namespace */
#define ROOTLESS           \
	{                  \
		30, 21, 22 \
	}
#define ROOT            \
	{               \
		0, 0, 0 \
	}
#define USER                     \
	{                        \
		1000, 1000, 1000 \
	}

static const struct {
	const char *name;
	struct standing ours, theirs;
	bool needs_opener;
} cases[] = {
    {"root, of its equal", {true, ROOT, ALL, HOST, false}, {true, ROOT, ALL, HOST, false}, false},
    {"root, of a user", {true, ROOT, ALL, HOST, false}, {true, USER, 0, HOST, false}, true},
    {"root, of a container's root", {true, ROOT, ALL, HOST, false},
	{true, ROOT, DOCKER, INSIDE, true}, true},
    {"root, of root in a container that has all capabilities", {true, ROOT, ALL, HOST, false},
	{true, ROOT, ALL, INSIDE, false}, true},
    {"root, of root without capabilities", {true, ROOT, ALL, HOST, false},
	{true, ROOT, 0, HOST, false}, true},
    {"root, of root with one capability less", {true, ROOT, ALL, HOST, false},
	{true, ROOT, ALL & ~PERFMON, HOST, false}, true},
    {"root, of root with a system call filter", {true, ROOT, ALL, HOST, false},
	{true, ROOT, ALL, HOST, true}, true},
    {"root, of root of a user namespace", {true, ROOT, ALL, HOST, false},
	{true, USER, ALL, ROOTLESS, false}, true},
    {"root, of a process that is gone", {true, ROOT, ALL, HOST, false}, {0}, true},
    {"root with a user's effective ID", {true, {0, 1000, 0}, 0, HOST, false},
	{true, ROOT, ALL, HOST, false}, true},
    {"root in a container, of its equal", {true, ROOT, DOCKER, INSIDE, true},
	{true, ROOT, DOCKER, INSIDE, true}, false},
    {"a user, of his process", {true, USER, 0, HOST, false}, {true, USER, 0, HOST, false}, false},
    {"a user, of his rootless container", {true, USER, 0, HOST, false},
	{true, USER, 0, ROOTLESS, false}, true},
    {"a user, of his process with more capabilities", {true, USER, 0, HOST, false},
	{true, USER, PERFMON, HOST, false}, false},
    {"a user with a capability, of his process", {true, USER, PERFMON, HOST, false},
	{true, USER, 0, HOST, false}, true},
    {"a user, of another user", {true, USER, 0, HOST, false},
	{true, {1001, 1001, 1001}, 0, HOST, false}, true},
    {"a user, of his set-user-ID program", {true, USER, 0, HOST, false},
	{true, {1000, 0, 0}, ALL, HOST, false}, true},
    {"a user, of a process that may not be examined", {true, USER, 0, HOST, false}, {0}, true},
};

int
main(void)
{
	const struct standing self = standing_of(0), same = standing_of(getpid());

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		printf("%s %s: %s\n",
		    standing_exceeds(&cases[i].ours, &cases[i].theirs) == cases[i].needs_opener
			? "ok"
			: "not ok",
		    cases[i].name, cases[i].needs_opener ? "an opener" : "one process");
	printf("%s a process is known to itself, by its ID too, as its own equal\n",
	    self.known && same.known && !standing_exceeds(&self, &same) ? "ok" : "not ok");
	return 0;
}
