/*
 * confine: on Linux a Landlock ruleset from the table (Documentation/userspace-api/landlock.rst),
 * capabilities and seccomp; on FreeBSD Capsicum; elsewhere nothing.
 */
#include "base/confine.h"

#ifdef __linux__

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/capability.h>

#include "base/callfilter.h"
#include "base/fileplace.h"
#include "base/message.h"
#include "base/output.h"
#include "kernel/landlockabi.h"
#include "kernel/syscalls.h"

#ifdef CALLFILTER_BUILT_IN
const char *const sandbox_built_in = "Landlock and seccomp";
#else
const char *const sandbox_built_in = "Landlock";
#endif

#define READ LANDLOCK_ACCESS_FS_READ_FILE
#define LIST LANDLOCK_ACCESS_FS_READ_DIR
#define WRITE (LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE)
#define MAKE_DIR (LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_DIR)
#define MAKE \
	(LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REFER)

static void
add_rule(int ruleset, int fd, uint64_t access)
{
	struct landlock_path_beneath_attr rule = {.parent_fd = fd, .allowed_access = access};

	syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

/* A path that cannot be opened has no rule: its own open fails later, and reports why. */
static void
allow(int ruleset, const char *path, uint64_t access, uint64_t handled)
{
	const int fd = open(path, O_PATH | O_CLOEXEC);
	struct stat st;

	if (fd < 0) {
		/* Otherwise the file is refused later, with another reason. */
		if (errno == EMFILE || errno == ENFILE)
			cli_die("%s: %s", path, strerror(errno));
		return;
	}
	if (fstat(fd, &st) == 0 && !S_ISDIR(st.st_mode))
		access &= READ | WRITE;
	add_rule(ruleset, fd, access & handled);
	close(fd);
}

static void
allow_file(int ruleset, const struct sandbox_file *f, uint64_t handled)
{
	struct stat st;
	bool is_directory;
	int dir;

	switch (f->use) {
	case SANDBOX_READ:
		is_directory = stat(f->path, &st) == 0 && S_ISDIR(st.st_mode);
		allow(ruleset, f->path, is_directory ? LIST : READ, handled);
		break;
	case SANDBOX_WRITE:
		dir = output_prepare(f->path);
		if (dir >= 0)
			add_rule(ruleset, dir, MAKE & handled);
		else
			allow(ruleset, f->path, WRITE, handled); /* in place */
		break;
	case SANDBOX_READ_BELOW: allow(ruleset, f->path, READ | LIST, handled); break;
	case SANDBOX_WRITE_IN: allow(ruleset, f->path, MAKE | READ | WRITE, handled); break;
	case SANDBOX_NETWORK:
		if (f->path != NULL)
			allow(ruleset, f->path, MAKE | MAKE_DIR | READ | LIST | WRITE, handled);
		break;
	case SANDBOX_RECORDER: break;
	}
}

/*
 * Allows reading what dlopen(3) reads for lazy/library: the directories of the C library, of
 * locally built libraries and of LD_LIBRARY_PATH, and the index of libraries.
 */
static void
allow_libraries(int ruleset, uint64_t handled)
{
	const char *path = getenv("LD_LIBRARY_PATH");
	char at[PATH_MAX] = "/usr";
	Dl_info c;

	/* A function of the C library, or of a static program, which loads none. */
	if (dladdr((void *)(uintptr_t)open, &c) == 0 || strstr(c.dli_fname, ".so") == NULL)
		return;
	if (c.dli_fname[0] == '/' && strlcat(at, c.dli_fname, sizeof at) < sizeof at) {
		*strrchr(at, '/') = '\0';
		allow(ruleset, at + strlen("/usr"), READ | LIST, handled);
		allow(ruleset, at, READ | LIST, handled);
	}
	allow(ruleset, "/usr/local/lib", READ | LIST, handled);
	allow(ruleset, "/etc/ld.so.cache", READ, handled);
	for (; path != NULL && *path != '\0'; path += strspn(path, ":;")) {
		size_t n = strcspn(path, ":;");

		if (n > 0 && n < sizeof at) {
			memcpy(at, path, n);
			at[n] = '\0';
			allow(ruleset, at, READ | LIST, handled);
		}
		path += n;
	}
}

static void
limit_files(const struct sandbox *s, bool network)
{
	long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	struct landlock_ruleset_attr r = {0};
	size_t size = sizeof r.handled_access_fs;
	int ruleset;

	if (abi < 1)
		return;
	r.handled_access_fs = LANDLOCK_ACCESS_FS_ALL(abi);
	if (abi >= 4) {
		r.handled_access_net = network ? 0 : LANDLOCK_ACCESS_NET_ALL;
		size = offsetof(struct landlock_ruleset_attr, scoped);
	}
	if (abi >= 6) {
		r.scoped = LANDLOCK_SCOPE_ALL;
		size = sizeof r;
	}
	ruleset = (int)syscall(SYS_landlock_create_ruleset, &r, size, 0);
	if (ruleset < 0)
		return;
	for (size_t i = 0; i < s->n; i++)
		allow_file(ruleset, &s->file[i], r.handled_access_fs);
	allow_libraries(ruleset, r.handled_access_fs);
	syscall(SYS_landlock_restrict_self, ruleset, 0);
	close(ruleset);
}

#define MAY(capability) (UINT64_C(1) << (capability))
/* Programs that other users keep private; the addresses in /proc/kallsyms. */
#define MAY_READ (MAY(CAP_DAC_READ_SEARCH) | MAY(CAP_SYSLOG))
/* -o in a directory, or in place of a file, of another user. */
#define MAY_WRITE (MAY_READ | MAY(CAP_DAC_OVERRIDE) | MAY(CAP_FOWNER))

/* A recorder's: none, or to map ring buffers where `ulimit -l` could not be raised. */
static uint64_t
recorder_capabilities(void)
{
	struct rlimit locked;

	return getrlimit(RLIMIT_MEMLOCK, &locked) == 0 && locked.rlim_cur == RLIM_INFINITY
		   ? 0
		   : MAY(CAP_IPC_LOCK);
}

static void
limit_capabilities(uint64_t keep)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct has[_LINUX_CAPABILITY_U32S_3];

	if (syscall(SYS_capget, &header, has) != 0)
		return;
	for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		has[i].permitted &= (uint32_t)(keep >> 32 * i);
		has[i].effective = has[i].permitted;
		has[i].inheritable = 0;
	}
	syscall(SYS_capset, &header, has);
}

/* True if a row names this descriptor, as /dev/fd/N. */
static bool
is_listed(const struct sandbox *s, int fd)
{
	for (size_t i = 0; i < s->n; i++) {
		struct fileplace at = {.own = -1};
		bool own;

		if (s->file[i].path == NULL || !fileplace_find(&at, s->file[i].path))
			continue;
		own = at.own == fd;
		fileplace_free(&at);
		if (own)
			return true;
	}
	return false;
}

/*
 * Closes the descriptors that the program that started this one left open, except standard ones
 * and those of the table: they may have more rights than the sandbox. Ours close on exec.
 */
static void
close_inherited(const struct sandbox *s)
{
	const struct dirent *e;
	DIR *d = opendir("/proc/self/fd");

	while (d != NULL && (e = readdir(d)) != NULL) {
		const int fd = atoi(e->d_name);

		if (fd > STDERR_FILENO && (fcntl(fd, F_GETFD) & FD_CLOEXEC) == 0 &&
		    !is_listed(s, fd))
			close(fd);
	}
	if (d != NULL)
		closedir(d);
}

void
confine(const struct sandbox *s, const struct confine_needs *needs)
{
	static bool limited, networked; /* a second filter would be the same, but without network */
	const char *only = getenv("FG_SANDBOX");
	const bool network = needs->network, recorder = needs->recorder;

	if (!limited)
		close_inherited(s);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (only == NULL || strcmp(only, "seccomp") != 0)
		limit_files(s, network);
	limit_capabilities(recorder	  ? recorder_capabilities()
			   : needs->write ? MAY_WRITE
					  : MAY_READ);
	if ((!limited || (networked && !network)) &&
	    (only == NULL || strcmp(only, "landlock") != 0))
		callfilter_install(network, recorder);
	limited = !recorder;
	networked = network;
}

#elif __has_include(<sys/capsicum.h>)

#include <sys/capsicum.h>

const char *const sandbox_built_in = "Capsicum, between pipes";

/*
 * In capability mode no file can be opened by name, and the filters open theirs later: it is for a
 * table without files, of a filter between standard input and output.
 */
void
confine(const struct sandbox *s, const struct confine_needs *needs)
{
	if (s->n == 0 && !needs->network && !needs->recorder)
		(void)cap_enter();
}

#else

const char *const sandbox_built_in;

void
confine(const struct sandbox *s, const struct confine_needs *needs)
{
	(void)s;
	(void)needs;
}

#endif
