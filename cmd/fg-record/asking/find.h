/*
 * find: processes by command name, by parent and by control group, read from /proc and
 * from the cgroup file systems (cgroups(7)).
 */
#ifndef FIND_H
#define FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "fg-record/asking/ids.h"

/*
 * Adds to ids the process whose command name is `name`: its comm (proc_pid_comm(5)), or
 * the last part of its executable's path. fg-record itself, zombies and kernel threads
 * are never found. With several matches adds all of them if `every`, else exits 125 with a
 * message that lists them; exits 125 without a match.
 */
void find_name(struct ids *ids, const char *name, bool every);

/* Adds the processes that descend from those in ids and exist now. */
void find_children(struct ids *ids);

/*
 * Adds the processes of a control group and of the groups below it. `group` is a directory
 * of a cgroup file system, its path below that file system's root, or the last part of
 * that path: a unit (nginx.service), or a container's ID of at least 12 hex digits. Exits
 * 125 if there is no such group, if several have that name, or if it is empty.
 */
void find_cgroup(struct ids *ids, const char *group);

/*
 * Writes "12 (sh), 34 (make), ..." for the first few of ids into text, truncated to its
 * size; returns text.
 */
char *find_list(const struct ids *ids, char *text, size_t size);

#endif
