/*
 * object: a table of descriptors, and one of their objects that all processes share. A descriptor
 * that arrives in a message has the object of the one that was sent.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture.h"

#define DESCRIPTORS 65536
#define OBJECTS 8192

static uint32_t of[DESCRIPTORS]; /* index of the object, 0: none */
static struct object *objects;

void
object_open(void)
{
	objects = (struct object *)SYS(mmap, NULL, OBJECTS * sizeof *objects,
	    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	capture_shared->objects = 1; /* 0 is none */
}

uint32_t
object_index(int fd)
{
	return fd >= 0 && fd < DESCRIPTORS ? of[fd] : 0;
}

void
object_set(int fd, uint32_t index)
{
	if (fd >= 0 && fd < DESCRIPTORS)
		of[fd] = index;
}

struct object *
object_of(int fd)
{
	const uint32_t index = object_index(fd);

	return index != 0 ? &objects[index] : NULL;
}

int
object_new(int fd, enum object_kind kind, int id, const char *name)
{
	const uint32_t index = __atomic_fetch_add(&capture_shared->objects, 1, __ATOMIC_RELAXED);
	struct object *o = &objects[index];

	if (index >= OBJECTS)
		capture_die("more than %d objects", OBJECTS);
	*o = (struct object){.kind = kind, .id = id, .number = fd};
	snprintf(o->name, sizeof o->name, "%s", name);
	object_set(fd, index);
	return fd;
}

int
object_renumber(int number)
{
	uint32_t last = 0;

	for (uint32_t i = 1; i < capture_shared->objects; i++)
		if (objects[i].kind == OBJECT_EVENT && objects[i].number == number)
			last = i;
	for (int fd = 0; fd < DESCRIPTORS && last != 0; fd++)
		if (of[fd] == last)
			return fd;
	return -1;
}

int
object_token(void)
{
	return (int)SYS(memfd_create, "capture", MFD_CLOEXEC);
}

/* The descriptor in a message; NULL if it has none. */
static int *
descriptor_in(const struct msghdr *m)
{
	struct cmsghdr *c = CMSG_FIRSTHDR(m);

	return c != NULL && c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_RIGHTS &&
		       m->msg_controllen > 0
		   ? (int *)(void *)CMSG_DATA(c)
		   : NULL;
}

ssize_t
sendmsg(int socket, const struct msghdr *m, int flags)
{
	const int *fd = descriptor_in(m);

	if (capture_mode != CAPTURE_OFF)
		capture_shared->passed = fd != NULL ? object_index(*fd) : 0;
	return SYS(sendmsg, socket, m, flags);
}

ssize_t
recvmsg(int socket, struct msghdr *m, int flags)
{
	const ssize_t n = SYS(recvmsg, socket, m, flags);
	const int *fd = n >= 0 ? descriptor_in(m) : NULL;

	if (capture_mode != CAPTURE_OFF && fd != NULL)
		object_set(*fd, capture_shared->passed);
	return n;
}
