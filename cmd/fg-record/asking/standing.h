/*
 * standing: rights of a process: its users, capabilities, namespaces and system call filter; and
 * the rule by which a recording has an opener (asking/rights).
 */
#ifndef STANDING_H
#define STANDING_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum standing_namespace { STANDING_USER, STANDING_PID, STANDING_MOUNT, STANDING_NAMESPACES };

struct standing {
	bool known; /* false: it has ended, or may not be examined */
	uid_t user[3]; /* real, effective, saved */
	uint64_t capabilities; /* permitted ones, a bit each */
	uint64_t namespace[STANDING_NAMESPACES]; /* inodes */
	bool filtered; /* a seccomp filter limits its system calls */
};

/* Reads the standing of a process or thread; 0 is the caller. */
struct standing standing_of(int id);

/*
 * True unless process b is known to have all rights of process a: the same users and namespaces,
 * each capability of a, and no system call filter that a lacks. Then a must not parse data of b
 * with its own rights.
 */
bool standing_exceeds(const struct standing *a, const struct standing *b);

#endif
