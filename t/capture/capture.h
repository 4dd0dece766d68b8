/*
 * capture: fg-record with its input, all bytes that it reads, recorded into a directory or
 * replayed from it. The seam is the C library: the program `capture` has its own open, mmap,
 * poll, ptrace and so on, which also the libraries call; fg-record's objects are as they are.
 *
 * A call has a key, its name and arguments. Its answers are stored by key, each with its step: the
 * number of waits (poll) until then. A replay needs not make the same calls in the same order: in
 * each step, a key has the answers of this step in turn, then the last one again. Only waits,
 * stops and records of rings have a total order. So a change of fg-record that reads something
 * more often, or earlier, does not spoil captures.
 */
#ifndef CAPTURE_H
#define CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum capture_mode { CAPTURE_OFF, CAPTURE_RECORD, CAPTURE_REPLAY };
extern enum capture_mode capture_mode;

#define CAPTURE_DESCRIPTORS 800 /* the first descriptor that is not fg-record's */

/* State shared by the processes of fg-record. */
struct capture_shared {
	uint32_t step; /* number of waits */
	uint32_t over; /* of these, after the last one of the recording */
	uint32_t objects; /* number of struct object */
	uint32_t files; /* of these, files of code */
	uint32_t passed; /* object of the descriptor that is in a message */
};
extern struct capture_shared *capture_shared;

/* False in processes that fg-record forked, whose clocks are their own. */
extern bool capture_in_main;

void capture_die(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

/* The C library's function or system call behind ours. */
void *real_function(const char *name);
long real_syscall(long number, ...);
#define REAL(f) ((__typeof__(&f))real_function(#f))
#define SYS(name, ...) real_syscall(SYS_##name, ##__VA_ARGS__)

/* Makes a key; valid until the next one of the thread. */
const char *key_of(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* ---- Recording (log.c) ---- */

/* Opens the log of a recording in a directory. */
void log_open(const char *folder);

/* Adds an answer; errno is part of it. */
void log_add(const char *key, int64_t result, const void *bytes, size_t n);

/* Adds an answer and returns its result, with errno unchanged. */
int64_t keep(const char *key, int64_t result, const void *bytes, size_t n);

/* Makes the capture of the log, and removes that. */
void log_pack(const char *folder);

/* ---- Replay (archive.c) ---- */

struct answer {
	const char *key;
	uint64_t order; /* number in the capture */
	uint32_t step;
	int error; /* errno */
	int64_t result;
	const unsigned char *bytes;
	size_t n;
	bool hidden; /* a page of a file that is not there */
};

void archive_open(const char *folder);

/* Writes calls.gz and bytes.gz (pack.c): answers in their order, numbered from 0. */
void pack(const char *folder, struct answer *e, size_t n);

/*
 * Removes the pages of files that do not change the output of a replay (shrink.c): mostly those of
 * symbol tables. 0, or another exit status if a replay differs from the recording.
 */
int shrink(const char *folder, int argc, char **argv);

/* Replays the open archive in this process; returns the exit status of fg-record. */
int capture_replay(int argc, char **argv);

/* All answers, and whether a page of a file is hidden from the replay. */
struct answer *archive_all(size_t *n);

/* The answer of a key in this step, as described above; NULL if it has none. */
const struct answer *archive_state(const char *key);

/* The next answer of a key, each once and not before its step; NULL if there is none. */
const struct answer *archive_event(const char *key);

/*
 * The key of opening a file: "open" in the recorder, "open+" in its children; if only the other
 * process opened that file, its key.
 */
const char *archive_open_key(const char *name);

/* All answers of keys that start with `prefix`, in the order of keys; the number of them. */
size_t archive_range(const char *prefix, const struct answer **first);

/*
 * Waits, stops and flushes of rings, in their total order. Takes the next one of that kind, 'w',
 * 's' or 'f', unless one of another kind precedes it, which only waits pass over. NULL if there is
 * none.
 */
const struct answer *archive_barrier(char kind);

/* Order of the next barrier: records before it can be read. */
uint64_t archive_until(void);

/* Repeats an answer: result, errno, up to n bytes. -1 and `error` if there is none. */
int64_t recall(const char *key, void *to, size_t n, int error);

/* Prints the calls whose answers are not in the archive. */
extern bool archive_verbose;

/* ---- Damage (edit.c) ---- */

/* Changes the open archive's memory and files as a file of changes says. */
void archive_edit(const char *path);

/* ---- Objects (object.c): what descriptors are of ---- */

enum object_kind {
	OBJECT_NONE, /* the descriptor is as it seems */
	OBJECT_FILE, /* of code, on a disk */
	OBJECT_DIRECTORY,
	OBJECT_EVENT, /* of perf_event_open(2) */
	OBJECT_SIGNALS, /* signalfd(2) */
	OBJECT_MEMORY, /* /proc/PID/mem; id is PID */
};

struct object {
	enum object_kind kind;
	int id;
	int number; /* descriptor when it was recorded */
	char name[232];
};

void object_open(void);

/* A new object of a descriptor; returns the descriptor. */
int object_new(int fd, enum object_kind kind, int id, const char *name);

/* The object of a descriptor, or NULL. */
struct object *object_of(int fd);
uint32_t object_index(int fd);
void object_set(int fd, uint32_t index);

/* A descriptor of this process for the last event that had this number in the recording; or -1. */
int object_renumber(int number);

/* A descriptor without meaning. */
int object_token(void);

/* ---- Files (file.c) ---- */

/* Marks the bytes of a file as read; n < 0: all of them. */
void file_read(int fd, const struct object *o, off_t from, ssize_t n);

struct stat;

/* pread(2) and fstat(2) of a file. One that grows has the bytes and the size that it had then. */
ssize_t file_pread(int fd, const struct object *o, void *to, size_t n, off_t at);
int file_stat(int fd, const struct object *o, struct stat *st);

/*
 * The name of a path, which a directory's descriptor may begin: that of the directory and the rest;
 * NULL for those that are not recorded: fg-record's own descriptors, devices and relative paths.
 */
const char *file_name(int directory, const char *path, char to[4096]);

void file_open(void);

/* ---- Rings (ring.c) ---- */

struct perf_event_attr;

/* perf_event_open(2). */
int ring_event(const struct perf_event_attr *a, pid_t pid, int cpu, int group, unsigned long flags);

void *ring_map(int fd, const struct object *o, size_t size);
bool ring_unmap(void *at);

/* Copies new records of all rings into those that fg-record sees. */
void ring_sync(void);

/* Replay: fg-record reads SIGTERM from its signalfd(2) next. */
void memory_interrupt(void);

/* ---- Types of the kernel (kerneltypes.c) ---- */

#define KERNELTYPES "/sys/kernel/btf/vmlinux"

/* A descriptor of a BTF with what fg-record needs of the kernel's; -1 if the kernel has none. */
int kerneltypes_open(void);

#endif
