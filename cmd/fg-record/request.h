/*
 * request: the recorder's own requests to the process that has rights (fg-record/rights).
 */
#ifndef REQUEST_H
#define REQUEST_H

#include "code/openlink.h"

/* Requests to the opener, beside those of code/openlink.h. */
enum rights_request {
	RIGHTS_DEEP_OPEN = OPENLINK_OWN, /* id: CPUs; flag: bytes copied; reply: the program */
	RIGHTS_DEEP_OUTPUT, /* id: CPU; descriptor: its event */
	RIGHTS_DEEP_DENY, /* id: process; flag: whether */
	RIGHTS_OUTPUT_OPEN, /* bytes: struct timespec, the interval's start; reply: its file */
	RIGHTS_OUTPUT_PLACE,
	RIGHTS_FIRST, /* id: a thread of the recorder, to run before others */
	RIGHTS_KILL, /* id: a child of the recorder; flag: signal */
};

#endif
