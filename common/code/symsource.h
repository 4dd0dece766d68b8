/*
 * origin: where names come from: this living machine, or a recording of another time
 * and place. What asks /proc, /tmp, the running kernel or a folder for a file goes
 * through here, so that a recording of yesterday is never named by what runs today.
 *
 * Paths come from strangers (a process names its mappings, a recording its files):
 * a file is looked at before it is opened (O_PATH, fstat), since opening a device
 * may do something, and only regular files are opened.
 */
#ifndef SYMSOURCE_H
#define SYMSOURCE_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <sys/types.h>

#define MODULE_BUILD_ID_MAX 32

/* What the kernel says of a mapped file; all zero where it says nothing. */
struct module_id {
	uint32_t major, minor; /* of the device; inode 0 means all four are unknown */
	uint64_t inode;
	uint64_t generation; /* of the inode, from mmap2 records; 0 when unknown */
	uint8_t build_id[MODULE_BUILD_ID_MAX];
	uint8_t build_id_size; /* 0 when unknown */
};

/* Through which process a file can be reached when its path leads elsewhere by now. */
struct module_reach {
	int pid; /* 0 for none */
	uint64_t start, end; /* of the mapping, for /proc/PID/map_files; 0 when unknown */
};

/*
 * All zero is a recording of which nothing but itself may be asked: then modules have
 * their names only. Strings are borrowed and live as long as the origin.
 */
struct symsource {
	bool live; /* this machine, now; the others do not count */
	const char *root; /* folder where recorded paths begin, "/" for our own; NULL: none */
	const char *buildids; /* files by build-id, as perf keeps them in ~/.debug; NULL: none */
	const char *kallsyms; /* file; NULL: none */
	const char *vmlinux; /* file; NULL: none */
	const char *maps; /* folder of perf-PID.map and jit-PID.dump; NULL: none */
	/* The recording is of this machine since it was booted: those that were written since
	 * it began, where their process left them. */
	bool own_maps;
	/* The running kernel is the recording's: /proc/kallsyms, where kallsyms is NULL. */
	bool own_kernel;
	struct module_id kernel; /* its build-id, or zero */
	/* A symbol of the kernel and where it was: KASLR moves it at each boot; "" and 0: unknown.
	 */
	const char *kernel_symbol;
	uint64_t kernel_address;
	/*
	 * When the recording began, in ns since 1970: where it has no build-id for a file,
	 * that file must be older. 0: unknown, and no such file is used.
	 */
	int64_t recorded;
};

/* This machine, now. */
extern const struct symsource symsource_live;

/* Where a mapped file was found. */
struct symsource_file {
	int fd; /* -1: nowhere */
	char *path; /* its own or, where it was replaced, as recorded; the caller frees it */
	char *debug; /* folders of separate debug information (Dwfl_Callbacks); likewise */
	bool verified; /* device and inode or the build-id agree */
	bool other; /* nowhere, but at its path is a file of another build */
};

/*
 * Open the file that was mapped: its path is as the kernel wrote it, without
 * " (deleted)". Living: the path, the path in the process's mount namespace,
 * /proc/PID/map_files, /proc/PID/exe; a candidate counts when device and inode, or
 * the build-id, agree. Recorded: by build-id, or under the root with that build-id.
 */
struct symsource_file symsource_open(const struct symsource *o, const char *path,
    const struct module_id *id, const struct module_reach *reach);

/* What tells contents of a file from later ones. */
struct symsource_version {
	struct timespec written; /* last (mtime); zero: there is no file */
	int64_t size;
};

/* Of an open file, or of the one at a path where fd is -1. */
struct symsource_version symsource_version(int fd, const char *path);

/*
 * A file that was written a short while ago may be written to again, in place, while it
 * is in use: a copy of it in memory instead, where it is not too large. Takes fd over.
 */
int symsource_copy_young(int fd);

/* The vdso as a file: ours when living, or by its build-id; -1 when there is none. */
int symsource_open_vdso(const struct symsource *o, const struct module_id *id);

/* The kernel's symbols as text (kernel/kallsyms.c), or -1. */
int symsource_open_kallsyms(const struct symsource *o);

/* The kernel's file, or -1; one of another build is said and not opened. */
int symsource_open_vmlinux(const struct symsource *o);

/* Where a process keeps what it writes of its generated code. */
struct symsource_process {
	const struct symsource *origin;
	int pid;
	int number; /* in its own pid namespace */
	bool known; /* its user: */
	uid_t user;
	int tmp; /* its own /tmp, or -1 when that is ours, or unknown */
};

/*
 * For a living process its /tmp and its number are looked up now, so that a map in a
 * container is still found when the process has gone.
 */
void symsource_process_open(struct symsource_process *p, const struct symsource *o, int pid);
void symsource_process_close(struct symsource_process *p);

/* Its perf map, as it is by now; -1 when there is none. */
int symsource_open_map(const struct symsource_process *p);

/* The jitdump that it mapped from that path, -1 when there is none. */
int symsource_open_jitdump(const struct symsource_process *p, const char *path);

/*
 * Open a regular file for reading, -1 for anything else. Without follow a symbolic
 * link at its end is no file: /tmp is everybody's, and we may be root.
 */
int symsource_open_regular(int folder, const char *path, bool follow);

#endif
