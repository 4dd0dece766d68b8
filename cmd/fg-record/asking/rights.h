/*
 * rights: a recording by two processes, of processes without all rights of fg-record: those of
 * other users, in containers, and with fewer capabilities (asking/standing). The one that
 * parses, started by the user, has no rights; its child has them, and parses nothing.
 *
 *   recorder (parses)                               opener (access/openserver)
 *   ------------------------------------            --------------------------------------------
 *   ring buffers, records, maps, unwinding,    <->  opens perf events, files of code, memory,
 *   interpreters' memory, names, output text        maps; BPF maps; creates and renames output
 *   no capabilities; Landlock: reads only;          the user's rights; no input but requests;
 *   no exec, ptrace, sockets, signals               ends when the recorder has ended
 *   scripts: asks for stops                    <->  its child, the tracer (stopping/stops): seizes
 *                                                   threads, reports stops, writes to none
 *
 * A command, and processes with the same rights, are recorded by one process: their rights are
 * those of the recorder.
 */
#ifndef RIGHTS_H
#define RIGHTS_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "base/output.h"
#include "fg-record/asking/options.h"

/*
 * If the options have processes with fewer or other rights: forks the opener and gives up all
 * rights of this process. Call it before any thread exists, and before any data of these processes
 * are read. output: the opened file of -o; NULL with --interval, which has one for each file.
 */
void rights_split(const struct options *o, struct output *output);

/* Closes the link and waits for the opener to end. */
void rights_end(void);

/* Sends a signal to a child process; errors are ignored: it may have ended. */
void rights_kill(pid_t child, int signal);

/* Opens the file of an interval that began at that time; NULL, after a message: the disk is full.
 */
struct output *rights_open_interval(const struct options *o, const struct timespec *begin);

/*
 * Puts a complete output in place, closes it, and removes old files of --interval. False, after a
 * message, if an interval's file is not in place, for want of space.
 */
bool rights_place(const struct options *o, struct output *output);

/* Removes the oldest file of --keep-files; false if none was removed. */
bool rights_make_room(const struct options *o);

/* Discards the file of an interval. */
void rights_drop(struct output *output);

#endif
