/*
 * symsource: the source of symbols: this living machine, or a recording from another time or
 * machine. All access to /proc, /tmp, the running kernel or directories is here, so that
 * today's programs never name yesterday's recording.
 *
 * Paths are untrusted: a process names its mappings, a recording its files. Each file is
 * checked before it is opened (O_PATH, fstat), since opening a device can have side effects;
 * only regular files are opened.
 */
#ifndef SYMSOURCE_H
#define SYMSOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <sys/types.h>

#include "access/nsdir.h"

#define MODULE_BUILD_ID_MAX 32

/* Identity of a mapped file by the kernel; all zero when unknown. */
struct module_id {
	uint32_t major, minor; /* device numbers; inode 0: all four fields are unknown */
	uint64_t inode;
	uint64_t generation; /* of the inode, from mmap2 records; 0 when unknown */
	uint8_t build_id[MODULE_BUILD_ID_MAX];
	uint8_t build_id_size; /* 0 when unknown */
};

/* A process through which a file can be opened after its path was replaced. */
struct module_reach {
	int pid; /* 0 for none */
	uint64_t start, end; /* of the mapping, for /proc/PID/map_files; 0 when unknown */
	/*
	 * Root directory of the process, opened by symsource_open if it is not ours and the file
	 * was not found at its path. NULL before; the caller releases it.
	 */
	struct nsdir *root;
};

/*
 * All zero: a recording without any files, whose modules have only names. Strings are borrowed
 * and must outlive this struct.
 */
struct symsource {
	bool live; /* this machine, now; other fields are ignored */
	const struct storedsyms *stored; /* functions that the recording stores; NULL: none */
	const char *root; /* directory of recorded paths, "/" for ours; NULL: none */
	const char *buildids; /* perf's build ID cache, such as ~/.debug; NULL: none */
	const char *kallsyms; /* file; NULL: none */
	const char *vmlinux; /* file; NULL: none */
	const char *maps; /* directory of perf-PID.map and jit-PID.dump; NULL: none */
	/*
	 * The recording is of this machine's current boot: maps and dumps that processes wrote
	 * since its start are used, where they are.
	 */
	bool own_maps;
	/* The running kernel is the recorded one: use /proc/kallsyms if kallsyms is NULL. */
	bool own_kernel;
	struct module_id kernel; /* its build ID, or zero */
	/*
	 * A kernel symbol and its recorded address, since KASLR moves it at each boot; "" and
	 * 0: unknown.
	 */
	const char *kernel_symbol;
	uint64_t kernel_address;
	/*
	 * Start of the recording, ns since 1970. A file without a recorded build ID must be
	 * older. 0: unknown, and no such file is used.
	 */
	int64_t recorded;
	/* SYMBOL_LINES and SYMBOL_SOURCE are never requested: compressed line tables stay unread.
	 */
	bool no_lines;
};

/* The source for this machine, now. */
extern const struct symsource symsource_live;

/* The result of a search for a mapped file. */
struct symsource_file {
	int fd; /* -1: not found */
	char *path; /* path of the file, or as recorded if replaced; the caller frees it */
	char *debug; /* directories of debug files (Dwfl_Callbacks); the caller frees it */
	bool verified; /* device and inode or the build ID agree */
	bool other_build; /* not found: the file at that path is a different build */
};

/*
 * Opens a mapped file; path is the kernel's, without " (deleted)". Living process: tries the
 * path, the path in the process's mount namespace, /proc/PID/map_files, /proc/PID/exe; device
 * and inode, or the build ID, must agree. Recording: by build ID, or by path under the root
 * with that build ID.
 */
struct symsource_file symsource_open(const struct symsource *o, const char *path,
    const struct module_id *id, struct module_reach *reach);

/* Version of a file's contents. */
struct symsource_version {
	struct timespec written; /* last modification (mtime); zero: no file */
	int64_t size;
};

/* The version of an open file, or of the file at path if fd is -1. */
struct symsource_version symsource_version(int fd, const char *path);

/*
 * Returns a copy in memory of a file written recently, which may be overwritten while in use. Other
 * files, and large ones, are returned unchanged. Takes fd over.
 */
int symsource_copy_young(int fd);

/* Opens the vdso as a file: ours for a living source, else by build ID; -1 when there is none. */
int symsource_open_vdso(const struct symsource *o, const struct module_id *id);

/* Opens the kernel's symbols as text (kernel/kallsyms.c); -1 when there are none. */
int symsource_open_kallsyms(const struct symsource *o);

/* Opens vmlinux; -1 when there is none. Warns about a different build and does not open it. */
int symsource_open_vmlinux(const struct symsource *o);

/* Location of a process's perf map and jitdump. */
struct symsource_process {
	const struct symsource *origin;
	int pid;
	int number; /* pid in its own PID namespace */
	bool known; /* user is valid */
	uid_t user;
	struct nsdir *root, *tmp; /* its own / and /tmp; NULL: ours, or unknown */
};

/*
 * Looks up /tmp and the inner pid of a living process now, so that a map in a container can be
 * found after the process has ended.
 */
void symsource_process_open(struct symsource_process *p, const struct symsource *o, int pid);
void symsource_process_close(struct symsource_process *p);

/* Opens its current perf map; -1 when there is none. */
int symsource_open_map(const struct symsource_process *p);

/* Opens the jitdump that it mapped from that path; -1 when there is none. */
int symsource_open_jitdump(const struct symsource_process *p, const char *path);

#endif
