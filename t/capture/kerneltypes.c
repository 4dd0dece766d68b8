/*
 * kerneltypes: the kernel's BTF has megabytes. A recording has a BTF with the members of it that
 * fg-record asks for.
 */
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "capture.h"
#include "fg-record/watching/btf.h"
#include "kernel/cpu.h"

/* Members, each with its struct; `a.b' is member b of a struct a. */
static const struct {
	const char *in, *member;
} asked[] = {
    {"task_struct", "mm"},
    {"mm_struct", "start_stack"},
    {"task_struct", CPU_THREAD_POINTER},
};
#define ASKED (sizeof asked / sizeof asked[0])

/* A struct with one member. */
struct type {
	struct btf_type type;
	struct btf_member member;
};

static struct {
	struct btf_header header;
	struct type type[2 * ASKED]; /* those of `asked', then the inner ones of `a.b' */
	char strings[512]; /* the first one is empty */
} types;
static size_t nstrings;

static void
set_struct(struct type *t, const char *in, const char *member, size_t n, uint32_t bits)
{
	const struct btf_type head = {
	    .name_off = (uint32_t)nstrings, .info = (uint32_t)BTF_KIND_STRUCT << 24 | 1};

	nstrings += strlen(strcpy(types.strings + nstrings, in)) + 1;
	t->type = head;
	t->member = (struct btf_member){.name_off = (uint32_t)nstrings, .offset = bits};
	memcpy(types.strings + nstrings, member, n);
	nstrings += n + 1;
}

/* Fills `types' from the kernel's BTF; false if that lacks a member. */
static bool
read_types(void)
{
	struct btf *b = btf_open();
	bool found = b != NULL;

	nstrings = 1;
	for (size_t i = 0; found && i < ASKED; i++) {
		const char *member = asked[i].member,
			   *dot = member != NULL ? strchr(member, '.') : NULL;
		int32_t offset;

		if (member == NULL) /* this processor has none */
			continue;
		found = btf_offset(b, asked[i].in, member, &offset);
		set_struct(&types.type[i], asked[i].in, member,
		    dot != NULL ? (size_t)(dot - member) : strlen(member), (uint32_t)offset * 8);
		if (dot == NULL)
			continue;
		set_struct(&types.type[ASKED + i], "", dot + 1, strlen(dot + 1), 0);
		types.type[i].member.type = (uint32_t)(ASKED + i + 1);
	}
	for (size_t i = 0; i < 2 * ASKED; i++) /* numbers of types have no gaps */
		if (types.type[i].type.info == 0)
			set_struct(&types.type[i], "", "", 0, 0);
	types.header = (struct btf_header){.magic = BTF_MAGIC,
	    .version = BTF_VERSION,
	    .hdr_len = sizeof types.header,
	    .type_len = sizeof types.type,
	    .str_off = sizeof types.type,
	    .str_len = sizeof types.strings};
	if (b != NULL)
		btf_close(b);
	return found;
}

int
kerneltypes_open(void)
{
	const enum capture_mode mode = capture_mode;
	bool found;
	int fd;

	capture_mode = CAPTURE_OFF;
	found = read_types();
	capture_mode = mode;
	if (!found) {
		errno = ENOENT;
		return -1;
	}
	fd = (int)SYS(memfd_create, "types", MFD_CLOEXEC);
	if (fd >= 0 && SYS(pwrite64, fd, &types, sizeof types, 0) != sizeof types)
		capture_die("memfd: %s", strerror(errno));
	return fd;
}
