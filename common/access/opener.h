/*
 * opener: the calls that need rights over other processes: files that only their owner may read,
 * memory, the text in /proc and perf events. Descriptors belong to the caller and close on exec.
 *
 * A process without rights makes them through another one (access/openserver), from opener_through
 * on. Its threads may call these functions at the same time.
 */
#ifndef OPENER_H
#define OPENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "kernel/perfabi.h"

/*
 * Opens a regular file for reading; -1 for anything else. Without follow, a symbolic link as
 * last component is refused: all users can write to /tmp, and we may be root.
 */
int opener_file(int directory, const char *path, bool follow);

/* True if a file was not opened because too many files are open (RLIMIT_NOFILE). */
bool opener_is_exhausted(void);

/*
 * Like opener_file, of an O_PATH descriptor, which it closes; -1 is passed on. Over a link a perf
 * map needs its name, and is refused.
 */
int opener_file_of(int path);

/*
 * Opens a directory of a process as O_PATH: its root directory, or one below it ("/tmp"). flags:
 * more of open(2). -1 and errno on failure.
 */
int opener_directory(int pid, const char *below, int flags);

enum opener_text {
	OPENER_MAPS, /* /proc/ID/maps */
	OPENER_SYSCALL, /* /proc/ID/syscall */
	OPENER_KALLSYMS, /* /proc/kallsyms; id is 0 */
};

/* Opens a file of a process or thread, or of the kernel; -1 and errno on failure. */
int opener_text(int id, enum opener_text which);

/* Like opener_text, as a stream; NULL on failure. */
FILE *opener_stream(int id, enum opener_text which);

/*
 * Reads memory of a process or thread, as process_vm_readv(2): n ranges, there[i] into here[i] of
 * the same size. Returns the bytes read until the first unreadable one, or -1 and errno.
 */
ssize_t opener_memory(int id, const struct iovec *here, const struct iovec *there, size_t n);

/* Discards the cached access to memory of a process or thread that has ended or called exec. */
void opener_forget(int id);

/* perf_event_open(2): a descriptor, or -1 and errno. */
int opener_event(const struct perf_event_attr *a, pid_t pid, int cpu);

struct openlink_message;

/* Makes all these calls through the other end of a link, from now on; closes the present link. */
void opener_through(int end);

/* True if the calls are made by another process. */
bool opener_is_linked(void);

/*
 * Sends a request over the link, with a descriptor unless it is -1, and waits for the reply. False
 * and errno if it was refused, or if the other process has ended (EPIPE, after a warning).
 * *got is the reply's descriptor, or -1; got may be NULL.
 */
bool opener_ask(const struct openlink_message *m, int fd, int *got);

/* Another end, for a child process, which passes it to opener_through; -1 without a link. */
int opener_link(void);

#endif
