/*
 * openlink: messages between a process without rights and the one with rights that opens files
 * for it (access/openserver), over a pair of sockets. Each message has at most one descriptor.
 */
#ifndef OPENLINK_H
#define OPENLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OPENLINK_BYTES 8192

enum openlink_request {
	/* bytes: path, "" for the descriptor itself; flag: follow; descriptor: its directory */
	OPENLINK_FILE,
	OPENLINK_DIRECTORY, /* id: process; bytes: path below its root; flag: flags of open(2) */
	OPENLINK_TEXT, /* id: process or thread; flag: enum opener_text */
	OPENLINK_MEMORY, /* id: process or thread */
	OPENLINK_EVENT, /* id: process or thread; flag: CPU; bytes: struct perf_event_attr */
	OPENLINK_LINK, /* another link, for a child process */
	OPENLINK_OWN, /* from here on: requests of the program */
};

/* A request, or its reply, which has only `error`. */
struct openlink_message {
	int32_t kind, id, flag;
	int32_t error; /* of the reply: 0 or errno */
	uint32_t n; /* bytes in use */
	char bytes[OPENLINK_BYTES];
};

/* Creates the two ends; false and errno on failure. */
bool openlink_pair(int ends[2]);

/* Sends a message, with a descriptor unless it is -1; false if the other end is closed. */
bool openlink_send(int end, const struct openlink_message *m, int fd);

/*
 * Waits for a message; *fd is its descriptor or -1. If this process has no descriptor left for it,
 * the message's error is EMFILE. False if the other end is closed, or the
 * message is malformed: its length is not the sum of its parts, or it has several descriptors,
 * which are closed.
 */
bool openlink_receive(int end, struct openlink_message *m, int *fd);

/* Copies bytes, and text with its NUL, into a message; false if they are too long. */
bool openlink_put(struct openlink_message *m, const void *bytes, size_t n);
bool openlink_put_text(struct openlink_message *m, const char *s);

#endif
