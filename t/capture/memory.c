/*
 * memory: memory of processes, recorded in pages, and reading of descriptors.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "capture.h"

#define PAGE UINT64_C(4096)

static bool interrupted;

void
memory_interrupt(void)
{
	interrupted = true;
}

static void
record_page(int pid, uint64_t page, const unsigned char *bytes, uint64_t from, size_t n)
{
	unsigned char all[PAGE] = {0};
	const struct iovec here = {all, PAGE}, there = {(void *)(uintptr_t)page, PAGE};

	if (n < PAGE) /* the rest of it, which other reads may need */
		SYS(process_vm_readv, pid, &here, 1UL, &there, 1UL, 0UL);
	memcpy(all + (from - page), bytes, n);
	log_add(key_of("memory %d %012llx", pid, (unsigned long long)page), 0, all, PAGE);
}

/* Records a range that was read, and the page after it, which was not. */
static void
record_memory(int pid, const unsigned char *bytes, uint64_t at, size_t got, size_t wanted)
{
	const uint64_t end = at + got;

	for (uint64_t from = at, to; from < end; from = to) {
		const uint64_t page = from & ~(PAGE - 1);

		to = page + PAGE < end ? page + PAGE : end;
		record_page(pid, page, bytes + (from - at), from, to - from);
	}
	if (got < wanted)
		log_add(key_of("memory %d %012llx", pid, (unsigned long long)(end & ~(PAGE - 1))),
		    -1, NULL, 0);
}

static ssize_t
replay_memory(int pid, unsigned char *to, uint64_t at, size_t n)
{
	size_t done = 0, part;

	for (; done < n; done += part) {
		const uint64_t page = (at + done) & ~(PAGE - 1), within = at + done - page;
		const struct answer *a =
		    archive_state(key_of("memory %d %012llx", pid, (unsigned long long)page));

		if (a == NULL || a->result < 0 || a->n != PAGE) {
			errno = a != NULL && a->result < 0 ? a->error : EFAULT;
			break;
		}
		part = PAGE - within < n - done ? PAGE - within : n - done;
		memcpy(to + done, a->bytes + within, part);
	}
	return done > 0 ? (ssize_t)done : -1;
}

/* A read of /proc/PID/mem. */
static ssize_t
read_memory(int fd, int pid, void *to, size_t n, off_t at)
{
	ssize_t got;
	int error;

	if (capture_mode == CAPTURE_REPLAY)
		return replay_memory(pid, to, (uint64_t)at, n);
	got = SYS(pread64, fd, to, n, at);
	error = errno;
	record_memory(pid, to, (uint64_t)at, got > 0 ? (size_t)got : 0, n);
	errno = error;
	return got;
}

ssize_t
process_vm_readv(pid_t pid, const struct iovec *here, unsigned long nhere,
    const struct iovec *there, unsigned long nthere, unsigned long flags)
{
	ssize_t all = 0, got, rest;
	int error;

	if (capture_mode == CAPTURE_REPLAY) {
		for (size_t i = 0; i < nhere; i++) {
			got = replay_memory(
			    pid, here[i].iov_base, (uintptr_t)there[i].iov_base, here[i].iov_len);
			if (got < 0)
				return all > 0 ? all : -1;
			all += got;
			if ((size_t)got < here[i].iov_len)
				break;
		}
		return all;
	}
	all = rest = SYS(process_vm_readv, pid, here, nhere, there, nthere, flags);
	if (capture_mode == CAPTURE_OFF)
		return all;
	error = errno;
	for (size_t i = 0; i < nhere; i++) {
		got = rest < 0				? 0
		      : rest < (ssize_t)here[i].iov_len ? rest
							: (ssize_t)here[i].iov_len;
		errno = all < 0 ? error : EFAULT;
		record_memory(pid, here[i].iov_base, (uintptr_t)there[i].iov_base, (size_t)got,
		    here[i].iov_len);
		if (got < (ssize_t)here[i].iov_len)
			break;
		rest -= got;
	}
	errno = error;
	return all;
}

/* ---- Reading of descriptors ---- */

static ssize_t
replay_read(const struct object *o, const char *key, void *to, size_t n)
{
	const struct answer *a =
	    o->kind == OBJECT_SIGNALS ? archive_event(key) : archive_state(key);

	if (o->kind == OBJECT_SIGNALS && interrupted && n >= sizeof(struct signalfd_siginfo)) {
		interrupted = false;
		*(struct signalfd_siginfo *)to = (struct signalfd_siginfo){.ssi_signo = SIGTERM};
		return sizeof(struct signalfd_siginfo);
	}
	errno = a == NULL ? EAGAIN : a->error;
	if (a == NULL || a->result < 0)
		return -1;
	memcpy(to, a->bytes, a->n < n ? a->n : n);
	return a->result;
}

ssize_t
read(int fd, void *to, size_t n)
{
	const struct object *o = object_of(fd);
	const char *key;
	ssize_t got;

	if (capture_mode == CAPTURE_OFF || o == NULL)
		return SYS(read, fd, to, n);
	if (o->kind == OBJECT_SIGNALS || o->kind == OBJECT_EVENT) {
		key = o->kind == OBJECT_SIGNALS ? o->name : key_of("read %s", o->name);
		if (capture_mode == CAPTURE_REPLAY)
			return replay_read(o, key, to, n);
		got = SYS(read, fd, to, n);
		if (got >= 0 || o->kind == OBJECT_EVENT)
			log_add(key, got, to, got > 0 ? (size_t)got : 0);
		return got;
	}
	if (o->kind == OBJECT_FILE)
		file_read(fd, o, (off_t)SYS(lseek, fd, 0, SEEK_CUR), (ssize_t)n);
	return SYS(read, fd, to, n);
}

ssize_t
pread(int fd, void *to, size_t n, off_t at)
{
	const struct object *o = object_of(fd);

	if (capture_mode == CAPTURE_OFF || o == NULL)
		return SYS(pread64, fd, to, n, at);
	if (o->kind == OBJECT_MEMORY)
		return read_memory(fd, o->id, to, n, at);
	if (o->kind == OBJECT_FILE)
		return file_pread(fd, o, to, n, at);
	return SYS(pread64, fd, to, n, at);
}
