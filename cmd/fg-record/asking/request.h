/*
 * request: the recorder's own requests to the process with rights (asking/rights), and
 * the checks of that process.
 */
#ifndef REQUEST_H
#define REQUEST_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "access/openlink.h"
#include "fg-record/asking/ids.h"
#include "fg-record/asking/standing.h"

/* Requests to the opener, beside those of access/openlink.h. */
enum rights_request {
	RIGHTS_WALK_OPEN = OPENLINK_OWN, /* id: CPUs; flag: bytes copied; reply: the program */
	RIGHTS_WALK_RECIPE, /* id: process; bytes: struct walk_recipe, or none */
	RIGHTS_WALK_OUTPUT, /* id: CPU; descriptor: its event */
	RIGHTS_WALK_DENY, /* id: process; flag: whether */
	RIGHTS_OUTPUT_OPEN, /* bytes: struct timespec, the interval's start; reply: its file */
	RIGHTS_OUTPUT_PLACE,
	RIGHTS_OUTPUT_ROOM, /* removes the oldest file of --keep-files */
	RIGHTS_OUTPUT_DROP, /* discards the interval's file */
	RIGHTS_FIRST, /* id: a thread of the recorder, to run before others */
	RIGHTS_KILL, /* id: a child of the recorder; flag: signal */
	RIGHTS_TRACE, /* reply: a link to a tracer (stopping/stops) */
};

/* Processes that a recording covers. All of them: no list is used. */
struct request_scope {
	bool all;
	struct ids pids; /* listed processes */
	struct standing *standing; /* of each of them, when it was listed */
};

/* Adds a listed process, or the process of a listed thread. */
void request_cover(struct request_scope *s, int id);

/*
 * True if a recording covers a process or thread: it is listed, has a listed process as parent or
 * further ancestor, or belongs to the user of one. The last rule keeps children whose parent has
 * ended; that user may read them anyway. A negative ID is a CPU's event, and 0 the opener itself.
 */
bool request_covers(const struct request_scope *s, int id);

/*
 * Checks the start of an interval, for the name of its file: it must be later than that of the last
 * file, by a millisecond, and not in the future. Otherwise (also after the clock was set) *begin
 * becomes the present time. *last becomes *begin.
 */
void request_begin(struct timespec *begin, struct timespec *last);

/* Sends a signal to a process if it is a child of that parent. Returns 0 or errno. */
int request_kill(pid_t parent, pid_t child, int signal);

#endif
