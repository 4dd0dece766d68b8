/*
 * status: the exit statuses of fg-record.
 */
#ifndef STATUS_H
#define STATUS_H

/* Exit statuses that are not the command's, as for env(1), nohup(1) and timeout(1). */
enum {
	RECORD_TROUBLE = 125,
	RECORD_CANNOT_RUN = 126,
	RECORD_NOT_FOUND = 127,
	RECORD_SIGNAL = 128, /* plus the signal that ended the command */
};

#endif
