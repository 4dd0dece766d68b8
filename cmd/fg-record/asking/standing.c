/*
 * standing: reads /proc/ID/status, and the links in /proc/ID/ns, whose inode is that of the
 * namespace.
 */
#include "fg-record/asking/standing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* True if all lines of the status file that are needed were there. */
static bool
read_status(struct standing *s, const char *of)
{
	char path[64], line[256];
	unsigned mode = 0, found = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%s/status", of);
	f = fopen(path, "re");
	while (f != NULL && fgets(line, sizeof line, f) != NULL) {
		found += sscanf(line, "Uid: %u %u %u", &s->user[0], &s->user[1], &s->user[2]) == 3;
		found += sscanf(line, "CapPrm: %" SCNx64, &s->capabilities) == 1;
		sscanf(line, "Seccomp: %u", &mode); /* absent in kernels without seccomp */
	}
	if (f != NULL)
		fclose(f);
	s->filtered = mode != 0;
	return found == 2;
}

struct standing
standing_of(int id)
{
	static const char *const name[STANDING_NAMESPACES] = {
	    [STANDING_USER] = "user", [STANDING_PID] = "pid", [STANDING_MOUNT] = "mnt"};
	struct standing s = {0};
	char of[16] = "self", path[64];

	if (id != 0)
		snprintf(of, sizeof of, "%d", id);
	s.known = read_status(&s, of);
	for (size_t i = 0; i < STANDING_NAMESPACES; i++) {
		struct stat st = {0};

		snprintf(path, sizeof path, "/proc/%s/ns/%s", of, name[i]);
		s.known &= stat(path, &st) == 0;
		s.namespace[i] = st.st_ino;
	}
	return s;
}

bool
standing_exceeds(const struct standing *a, const struct standing *b)
{
	return !a->known || !b->known || memcmp(a->user, b->user, sizeof a->user) != 0 ||
	       memcmp(a->namespace, b->namespace, sizeof a->namespace) != 0 ||
	       (a->capabilities & ~b->capabilities) != 0 || (b->filtered && !a->filtered);
}
