/* tracepoints: glob(3) over the directories of tracefs, and the fields in their format files. */
#include "fg-record/asking/tracepoints.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "base/cli.h"
#include "fg-record/asking/check.h"
#include "fg-record/asking/proc.h"

#define LIST_MAX 200 /* bytes of the names in a message */

/* The names of a set of number fields, for a message. */
struct field_names {
	struct text list; /* " fd, count," */
	bool more; /* than are in the list */
};

/* Adds the number fields of a tracepoint that are not in the list yet. */
static void
add_names(struct field_names *names, struct str format)
{
	struct tracepoint_field f;
	struct str name;

	while (tracepoint_next_number(&format, &name, &f)) {
		char item[128];

		/* Space and comma delimit the name: it may be part of a longer one. */
		snprintf(item, sizeof item, " %.*s,", (int)name.len, name.s);
		if (names->list.len > 0 && strstr(names->list.s, item) != NULL)
			continue;
		if (names->list.len > LIST_MAX)
			names->more = true;
		else
			text_puts(&names->list, item);
	}
}

/* Finds a number field; false without it. */
static bool
find_field(struct str format, const char *name, struct tracepoint_field *f)
{
	struct str other;

	while (tracepoint_next_number(&format, &other, f))
		if (str_equal(other, str_of(name)))
			return true;
	return false;
}

static void __attribute__((noreturn))
die_without_field(const char *name, const char *field, struct field_names *names)
{
	if (names->list.len == 0)
		cli_die("--weight field:%s: %s has no number fields", field, name);
	text_cut(&names->list, names->list.len - 1);
	cli_die("--weight field:%s: %s has no number field of this name, but%s%s", field, name,
	    names->list.s, names->more ? ", ..." : "");
}

static bool
is_pattern(const char *name)
{
	return strpbrk(name, "*?[") != NULL;
}

/*
 * True for systems whose tracepoints occur by actions of the program only. A stop of a thread
 * causes those of others (sched, signal, kmem, irq), so that each stop for a sample would be
 * followed by another one, without end.
 */
static bool
may_stop(const char *name)
{
	static const char *const systems[] = {
	    "syscalls:", "raw_syscalls:", "block:", "ext4:", "jbd2:", "xfs:", "btrfs:", "f2fs:",
	    "nfs:", "nfs4:", "fuse:", "filemap:", "filelock:", "writeback:", "readahead:", "iomap:",
	    "io_uring:", "scsi:", "nvme:", "virtio_blk:", "net:", "skb:", "sock:", "tcp:", "udp:",
	    "fib:", "neigh:", "exceptions:", "mmap:", "uprobes:", "probe_", "sdt_"};

	for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
		if (strncmp(name, systems[i], strlen(systems[i])) == 0)
			return true;
	return false;
}

/* Exits 125 without access to tracefs. */
static void
check_access(const char *name, int error)
{
	if (error == EACCES)
		cli_die(
		    "%s: no permission to read /sys/kernel/tracing; tracepoints need root: sudo "
		    "fg-record ...; " CHECK_HINT,
		    name);
	if (!proc_has_tracefs())
		cli_die("%s: tracepoints need tracefs: sudo mount -t tracefs tracefs "
			"/sys/kernel/tracing; " CHECK_HINT,
		    name);
}

/*
 * Adds a tracepoint if it has the weight field. Returns false without such a tracepoint; `names`
 * then gets its fields.
 */
static bool
add(struct tracepoints *ts, const char *name, const char *weight_field, struct field_names *names,
    size_t *matched)
{
	struct text format = proc_tracepoint_format(name);
	struct tracepoint t = {.countable = strncmp(name, "sched:", 6) != 0};
	const bool exists = tracepoint_id(text_as_str(&format), &t.id);

	if (exists && weight_field != NULL &&
	    !find_field(text_as_str(&format), weight_field, &t.weight))
		add_names(names, text_as_str(&format));
	else if (exists && (*matched)++ < TRACEPOINTS_MAX) {
		t.name = cli_strdup(name);
		ts->list[ts->n++] = t;
	}
	if (exists)
		ts->stop &= may_stop(name);
	text_free(&format);
	return exists;
}

/* "SYSTEM:NAME" of tracefs's file .../SYSTEM/NAME/format. */
static void
name_of_path(struct text *name, const char *path)
{
	const char *end = strrchr(path, '/'), *middle = end, *first;

	do
		middle--;
	while (*middle != '/');
	first = middle;
	while (first[-1] != '/')
		first--;
	text_printf(
	    name, "%.*s:%.*s", (int)(middle - first), first, (int)(end - middle - 1), middle + 1);
}

static void
find_pattern(struct tracepoints *ts, const char *pattern, const char *weight_field)
{
	struct field_names names = {0};
	struct text name = {0};
	size_t matched = 0;
	glob_t g;

	proc_tracepoints(pattern, &g);
	for (size_t i = 0; i < g.gl_pathc; i++) {
		text_cut(&name, 0);
		name_of_path(&name, g.gl_pathv[i]);
		add(ts, name.s, weight_field, &names, &matched);
	}
	if (g.gl_pathc == 0)
		cli_die(
		    "%s: no tracepoint matches; they are in /sys/kernel/tracing/events/", pattern);
	if (matched == 0)
		die_without_field(pattern, weight_field, &names);
	if (matched > TRACEPOINTS_MAX)
		cli_die(
		    "%s: %zu tracepoints match%s%s, %d are the most; try a narrower pattern, or "
		    "for all system calls raw_syscalls:sys_enter or raw_syscalls:sys_exit",
		    pattern, matched, weight_field != NULL ? " and have the field " : "",
		    weight_field != NULL ? weight_field : "", TRACEPOINTS_MAX);
	text_free(&name);
	text_free(&names.list);
	globfree(&g);
}

/* The single tracepoint that occurs once whenever one of a pattern does, or the pattern. */
static const char *
replacement(const char *pattern)
{
	static const char *const all[][2] = {{"syscalls:*", "raw_syscalls:sys_enter"},
	    {"syscalls:sys_enter_*", "raw_syscalls:sys_enter"},
	    {"syscalls:sys_exit_*", "raw_syscalls:sys_exit"}};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(pattern, all[i][0]) == 0)
			return all[i][1];
	return pattern;
}

/* Finds the field of raw_syscalls that has the number of the system call. */
static void
find_number(struct tracepoints *ts)
{
	struct text format = {0};

	if (strncmp(ts->list[0].name, "raw_syscalls:", 13) != 0)
		return;
	format = proc_tracepoint_format(ts->list[0].name);
	tracepoint_field(text_as_str(&format), "id", &ts->number);
	text_free(&format);
}

bool
tracepoints_find(struct tracepoints *ts, const char *name, const char *weight_field)
{
	const char *event = weight_field == NULL ? replacement(name) : name;
	struct field_names names = {0};
	size_t matched = 0;

	*ts = (struct tracepoints){.stop = true};
	if (strchr(event, ':') == NULL || strpbrk(event, "/.") != NULL)
		return false;
	errno = 0;
	if (add(ts, event, weight_field, &names, &matched)) {
		if (matched == 0)
			die_without_field(event, weight_field, &names);
		find_number(ts);
		return true;
	}
	check_access(name, errno);
	if (!is_pattern(event))
		return false;
	find_pattern(ts, event, weight_field);
	return true;
}

uint64_t
tracepoints_id(const struct perfevent *e)
{
	uint16_t type = 0; /* common_type */

	if (e->type == PERF_RECORD_SAMPLE && e->sample.nraw >= sizeof type)
		memcpy(&type, e->sample.raw, sizeof type);
	return type;
}

bool
tracepoints_need_data(const struct tracepoints *ts)
{
	return ts->n > 1 || ts->number.size > 0;
}

size_t
tracepoints_index(const struct tracepoints *ts, const struct perfevent *e)
{
	const uint64_t id = ts->n > 1 ? tracepoints_id(e) : 0;
	size_t i = 0;

	while (ts->n > 1 && i < ts->n && ts->list[i].id != id)
		i++;
	return i;
}

const struct recording_event *
tracepoints_event(const struct tracepoints *ts, const struct perfevent *e)
{
	const uint64_t id = tracepoints_id(e);

	for (size_t i = 0; i < ts->n; i++)
		if (ts->list[i].id == id)
			return &ts->list[i].event;
	return NULL;
}

const char *
tracepoints_unit(const char *field)
{
	static const char *const bytes[] = {"len", "size", "count", "bytes", "nr_bytes", "copied"};

	for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++)
		if (strcmp(field, bytes[i]) == 0)
			return "bytes";
	return strncmp(field, "bytes_", 6) == 0 ? "bytes" : field;
}
