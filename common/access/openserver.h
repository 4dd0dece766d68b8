/*
 * openserver: a process with rights that opens files, memory and perf events for processes
 * without rights, which parse them. It passes descriptors and parses nothing itself.
 *
 * It passes on only
 * - ELF files but core dumps, jitdumps, and files (not links) named perf-PID.map, for reading,
 * - the root directory of a covered process, and its /tmp, as O_PATH,
 * - maps, syscall and mem of a covered process, for reading, and /proc/kallsyms,
 * - perf events of a covered process that neither signal it nor insert probes.
 */
#ifndef OPENSERVER_H
#define OPENSERVER_H

#include "access/openlink.h"

/*
 * Handles a request of the program itself (OPENLINK_OWN and above). passed: the descriptor of
 * the request, or -1; it remains the server's. *reply: set to a descriptor, to be passed and
 * closed, or left at -1. Returns 0 or errno.
 */
typedef int openserver_request(void *arg, const struct openlink_message *m, int passed, int *reply);

/* True if requests for a process or thread are granted; 0 and -1 as in perf_event_open(2). */
typedef bool openserver_covers(void *arg, int id);

/*
 * Closes the descriptors that a server inherited but these: others may be waiting for their end.
 * Standard error remains; 0 and 1 become /dev/null.
 */
void openserver_keep(const int *kept, size_t n);

/*
 * For a filter, before its sandbox and its threads: starts a process with the same rights to read,
 * which opens files of code and /proc/kallsyms, but nothing of other processes. The functions of
 * access/opener use it until opener_through(-1) or the end of this process, which end it. False and
 * errno if no process could be started.
 */
bool openserver_start(void);

/* Ends that process, if there is one, and waits for its end. */
void openserver_end(void);

/* Serves one end of a link, and links requested over it; returns when all of them are closed. */
void openserver_run(int end, openserver_covers *covers, openserver_request *own, void *arg);

#endif
