/* openlink: SOCK_SEQPACKET, which keeps messages apart and reports a closed end. */
#include "access/openlink.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define HEAD offsetof(struct openlink_message, bytes)

/* Sized for one descriptor. With the padding of 64-bit systems two of them fit. */
union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(int))];
};

bool
openlink_pair(int ends[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
}

bool
openlink_send(int end, const struct openlink_message *m, int fd)
{
	struct iovec iov = {(void *)(uintptr_t)m, HEAD + m->n};
	union control control = {0};
	struct msghdr h = {.msg_iov = &iov, .msg_iovlen = 1};
	ssize_t n;

	if (fd >= 0) {
		struct cmsghdr *c;

		h.msg_control = control.bytes;
		h.msg_controllen = sizeof control.bytes;
		c = CMSG_FIRSTHDR(&h);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof fd);
		memcpy(CMSG_DATA(c), &fd, sizeof fd);
	}
	while ((n = sendmsg(end, &h, MSG_NOSIGNAL)) < 0 && errno == EINTR)
		continue;
	return n >= 0;
}

/*
 * Takes the descriptor of a message, or -1. False if there are more. They are closed; the kernel
 * closes those beyond the buffer.
 */
static bool
take(struct msghdr *h, int *fd)
{
	const struct cmsghdr *c = CMSG_FIRSTHDR(h);
	size_t n;

	*fd = -1;
	if (c == NULL || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
		return true;
	n = (c->cmsg_len - CMSG_LEN(0)) / sizeof *fd;
	for (size_t i = 0; i < n; i++) {
		if (*fd >= 0)
			close(*fd);
		memcpy(fd, CMSG_DATA(c) + i * sizeof *fd, sizeof *fd);
	}
	if (n <= 1 && (h->msg_flags & MSG_CTRUNC) == 0)
		return true;
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	return false;
}

bool
openlink_receive(int end, struct openlink_message *m, int *fd)
{
	struct iovec iov = {m, sizeof *m};
	union control control = {0};
	struct msghdr h = {.msg_iov = &iov,
	    .msg_iovlen = 1,
	    .msg_control = control.bytes,
	    .msg_controllen = sizeof control.bytes};
	bool one;
	ssize_t n;

	*fd = -1;
	while ((n = recvmsg(end, &h, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR)
		continue;
	if (n <= 0)
		return false;
	one = take(&h, fd);
	/* If this process has no descriptor left, the kernel drops the one of the message. */
	if (h.msg_controllen == 0 && (h.msg_flags & MSG_CTRUNC) != 0)
		m->error = EMFILE;
	if (one && (size_t)n >= HEAD && m->n == (size_t)n - HEAD)
		return true;
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	return false;
}

bool
openlink_put(struct openlink_message *m, const void *bytes, size_t n)
{
	if (n > sizeof m->bytes)
		return false;
	memcpy(m->bytes, bytes, n);
	m->n = (uint32_t)n;
	return true;
}

bool
openlink_put_text(struct openlink_message *m, const char *s)
{
	return openlink_put(m, s, strlen(s) + 1);
}
