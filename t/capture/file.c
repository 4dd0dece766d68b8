/*
 * file: opening and reading of files. Texts of /proc and /sys become descriptors of their text.
 * Files on disks are recorded page by page as they are read: a mapping of one is unreadable at
 * first, and each page that is touched is recorded and made readable by the handler of SIGSEGV.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/btf.h>
#include <limits.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "base/vec.h"
#include "capture.h"

#define PAGE 4096
#define FILES 1024
#define FILE_PAGES ((size_t)1 << 16) /* pages of a file that may be recorded */
#define MAPPINGS 4096
#define YOUNG 10 /* seconds since a file was written */
#define KERNEL_TEXT 1 /* results of a call that opens: the kind of file */
#define CODE 2
#define DIRECTORY 3
#define MEMORY 4

struct mapping {
	char *at;
	size_t size;
	off_t offset;
	int file, fd, protection;
};

struct file {
	struct stat st;
	bool young; /* it may grow while it is read: a perf map, a jitdump */
	uint32_t sum[FILE_PAGES]; /* of a young file: checksum of each page */
	unsigned char read[FILE_PAGES / 8]; /* a bit for each page that is recorded */
};

static struct file *files; /* shared */
static struct mapping mappings[MAPPINGS];
static size_t nmapping;
static int copies[FILES]; /* replay: descriptors of the files' bytes, or 0 */

/* Records a page, once; that of a young file whenever it differs. */
static void
record_page(int fd, int file, size_t page)
{
	unsigned char bytes[PAGE], bit = (unsigned char)(1 << page % 8);
	struct file *f = &files[file];
	bool known;
	char key[64];
	uint32_t sum;
	ssize_t n;

	if (page >= FILE_PAGES)
		return;
	known = (f->read[page / 8] & bit) != 0;
	if (known && !f->young)
		return;
	n = SYS(pread64, fd, bytes, sizeof bytes, (off_t)page * PAGE);
	if (n <= 0)
		return;
	sum = (uint32_t)crc32(0, bytes, (uInt)n);
	if (known && sum == f->sum[page])
		return;
	if (f->young)
		f->sum[page] = sum;
	f->read[page / 8] |= bit;
	snprintf(key, sizeof key, "page %04d %06zu", file, page);
	log_add(key, capture_in_main, bytes, (size_t)n); /* 1: for unwinding */
}

/* Records the result of fstat(2) for a young file. */
static void
record_state(int file, const struct stat *st)
{
	char key[32];

	snprintf(key, sizeof key, "state %04d", file);
	log_add(key, 0, st, sizeof *st);
}

/* A young file in a replay: its pages are those of this step. */
static bool
is_young(const struct object *o)
{
	const struct answer *a;

	return archive_range(key_of("state %04d", o->id), &a) > 0;
}

ssize_t
file_pread(int fd, const struct object *o, void *to, size_t n, off_t at)
{
	unsigned char *out = to;
	struct stat st;
	size_t done = 0, part;

	if (capture_mode == CAPTURE_RECORD)
		file_read(fd, o, at, (ssize_t)n);
	if (capture_mode == CAPTURE_RECORD || !is_young(o))
		return SYS(pread64, fd, to, n, at);
	file_stat(fd, o, &st);
	n = at >= st.st_size ? 0 : (off_t)n < st.st_size - at ? n : (size_t)(st.st_size - at);
	memset(to, 0, n);
	for (; done < n; done += part) {
		const size_t page = (size_t)(at + (off_t)done) / PAGE;
		const size_t within = (size_t)(at + (off_t)done) % PAGE;
		const struct answer *a = archive_state(key_of("page %04d %06zu", o->id, page));

		part = PAGE - within < n - done ? PAGE - within : n - done;
		if (a != NULL && !a->hidden && a->n > within)
			memcpy(out + done, a->bytes + within,
			    part < a->n - within ? part : a->n - within);
	}
	return (ssize_t)n;
}

int
file_stat(int fd, const struct object *o, struct stat *st)
{
	struct stat now;
	int result;

	if (capture_mode == CAPTURE_REPLAY) {
		*st = files[o->id].st;
		if (is_young(o))
			recall(key_of("state %04d", o->id), st, sizeof *st, EBADF);
		return 0;
	}
	result = (int)SYS(newfstatat, fd, "", &now, AT_EMPTY_PATH);
	if (result == 0 && capture_mode == CAPTURE_RECORD && files[o->id].young)
		record_state(o->id, &now);
	*st = now;
	return result;
}

void
file_read(int fd, const struct object *o, off_t from, ssize_t n)
{
	const off_t end = n < 0 ? files[o->id].st.st_size : from + n;

	if (capture_mode != CAPTURE_RECORD)
		return;
	for (off_t page = from / PAGE; page * PAGE < end; page++)
		record_page(fd, o->id, (size_t)page);
}

/* SIGSEGV: records a page of a mapped file and makes it readable. */
static void
touch(int number, siginfo_t *info, void *context)
{
	char *at = info->si_addr;
	const int error = errno;

	(void)context;
	for (size_t i = nmapping; i-- > 0;) {
		const struct mapping *m = &mappings[i];
		const size_t page = (size_t)(at - m->at) / PAGE;

		if (at < m->at || at >= m->at + m->size)
			continue;
		record_page(m->fd, m->file, page + (size_t)m->offset / PAGE);
		if (SYS(mprotect, m->at + page * PAGE, PAGE, m->protection) != 0)
			break;
		errno = error;
		return;
	}
	signal(number, SIG_DFL); /* the instruction is executed again */
}

void
file_open(void)
{
	const struct sigaction fault = {.sa_sigaction = touch, .sa_flags = SA_SIGINFO | SA_NODEFER};

	files = (struct file *)SYS(mmap, NULL, FILES * sizeof *files, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (capture_mode == CAPTURE_RECORD)
		sigaction(SIGSEGV, &fault, NULL);
}

/* ---- Names ---- */

const char *
file_name(int directory, const char *path, char to[PATH_MAX])
{
	static const char own[] = "/proc/self/fd/";
	const struct object *o = object_of(directory);

	if (strncmp(path, own, sizeof own - 1) == 0) {
		char *end;
		const int fd = (int)strtol(path + sizeof own - 1, &end, 10);

		o = object_of(fd);
		if (*end != '/' || o == NULL)
			return NULL;
		path = end + 1;
	} else if (path[0] == '/') {
		if (strcmp(path, "/") == 0 || strncmp(path, "/dev/", 5) == 0 ||
		    strncmp(path, own, sizeof own - 2) == 0)
			return NULL;
		o = NULL;
	} else if (o == NULL) {
		return NULL;
	}
	snprintf(to, PATH_MAX, "%s%s%s", o != NULL ? o->name : "", o != NULL ? "/" : "", path);
	return to;
}

/* ---- Opening ---- */

static int
text_of(const void *bytes, size_t n)
{
	const int fd = (int)SYS(memfd_create, "text", MFD_CLOEXEC);

	for (size_t done = 0; done < n;) {
		const ssize_t part = SYS(write, fd, (const char *)bytes + done, n - done);

		if (part <= 0)
			capture_die("memfd: %s", strerror(errno));
		done += (size_t)part;
	}
	SYS(lseek, fd, 0, SEEK_SET);
	return fd;
}

/* Keeps the mounts that every system has; returns their length. */
static size_t
common_mounts(char *text, size_t n)
{
	static const char *const places[] = {"/ ", "/proc", "/sys", "/dev", "/run", "/tmp"};
	char *to = text;

	for (char *line = text, *next; line < text + n; line = next) {
		char *end = memchr(line, '\n', (size_t)(text + n - line)), *place = line;

		next = end != NULL ? end + 1 : text + n;
		for (int field = 1; field < 5 && place != NULL && place < next; field++)
			place = memchr(place + 1, ' ', (size_t)(next - place - 1));
		for (size_t i = 0; place != NULL && i < sizeof places / sizeof places[0]; i++)
			if (strncmp(place + 1, places[i], strlen(places[i])) == 0) {
				memmove(to, line, (size_t)(next - line));
				to += next - line;
				break;
			}
	}
	return (size_t)(to - text);
}

static int
record_text(const char *key, int fd)
{
	static const char mounts[] = "/mountinfo";
	char *text = NULL;
	size_t n = 0, cap = 0;
	ssize_t got;

	do {
		if (cap - n < 65536)
			vec_fit(text, cap, cap + 131072);
		got = SYS(read, fd, text + n, cap - n);
		n += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	SYS(close, fd);
	if (got < 0 && n == 0) { /* the process has ended */
		fd = -1;
		log_add(key, -1, NULL, 0);
	} else {
		if (strlen(key) > strlen(mounts) &&
		    strcmp(key + strlen(key) - strlen(mounts), mounts) == 0)
			n = common_mounts(text, n);
		log_add(key, KERNEL_TEXT, text, n);
		fd = text_of(text, n);
	}
	free(text);
	return fd;
}

/* Number of the file with this identity. */
static int
file_number(const struct stat *st)
{
	struct timespec now;
	int i = 0;

	while (i < (int)capture_shared->files &&
	       (files[i].st.st_ino != st->st_ino || files[i].st.st_dev != st->st_dev))
		i++;
	if (i == FILES)
		capture_die("more than %d files", FILES);
	if (i == (int)capture_shared->files) {
		capture_shared->files++;
		files[i].st = *st;
		SYS(clock_gettime, CLOCK_REALTIME, &now);
		files[i].young = now.tv_sec - st->st_mtime < YOUNG;
	}
	if (files[i].young)
		record_state(i, st);
	return i;
}

/* Records an opened file, or errno. */
static int
record_open(const char *key, const char *name, int fd, int flags)
{
	struct stat st;
	struct statfs fs;
	struct {
		int number;
		struct stat st;
	} code;

	if (fd < 0)
		return (int)keep(key, -1, NULL, 0);
	if (SYS(newfstatat, fd, "", &st, AT_EMPTY_PATH) != 0 || SYS(fstatfs, fd, &fs) != 0)
		return fd;
	if (S_ISDIR(st.st_mode)) {
		log_add(key, DIRECTORY, &st, sizeof st);
		return object_new(fd, OBJECT_DIRECTORY, 0, name);
	}
	if (!S_ISREG(st.st_mode))
		return fd;
	if (fs.f_type == PROC_SUPER_MAGIC || fs.f_type == SYSFS_MAGIC ||
	    fs.f_type == TRACEFS_MAGIC || fs.f_type == DEBUGFS_MAGIC) {
		int pid;

		if (sscanf(name, "/proc/%d/mem", &pid) == 1 && strstr(name, "/mem") != NULL) {
			log_add(key, MEMORY, &pid, sizeof pid);
			return object_new(fd, OBJECT_MEMORY, pid, name);
		}
		return (flags & O_PATH) != 0 ? fd : record_text(key, fd);
	}
	memset(&code, 0, sizeof code);
	code.number = file_number(&st);
	code.st = st;
	log_add(key, CODE, &code, sizeof code);
	return object_new(fd, OBJECT_FILE, code.number, name);
}

/* A new descriptor of the bytes of a file, those that were not read being zeros. */
static int
open_copy(int number, const struct stat *st, int flags)
{
	const struct answer *page;
	char key[64], path[64];

	if (copies[number] == 0) {
		const int fd = (int)SYS(memfd_create, "file", MFD_CLOEXEC);
		size_t n;

		snprintf(key, sizeof key, "page %04d ", number);
		n = archive_range(key, &page);
		if (SYS(ftruncate, fd, st->st_size) != 0)
			capture_die("memfd: %s", strerror(errno));
		for (size_t i = 0; i < n; i++)
			if (!page[i].hidden &&
			    SYS(pwrite64, fd, page[i].bytes, page[i].n,
				(off_t)strtoul(page[i].key + strlen(key), NULL, 10) * PAGE) < 0)
				capture_die("memfd: %s", strerror(errno));
		/* Away from the numbers that fg-record gets. */
		copies[number] = (int)SYS(fcntl, fd, F_DUPFD_CLOEXEC, CAPTURE_DESCRIPTORS);
		SYS(close, fd);
	}
	snprintf(path, sizeof path, "/proc/self/fd/%d", copies[number]);
	return (int)SYS(
	    openat, AT_FDCWD, path, (flags & ~(O_NOFOLLOW | O_DIRECTORY)) | O_CLOEXEC, 0);
}

static int
replay_open(const char *key, const char *name, int flags)
{
	const struct answer *a = archive_state(key);
	struct {
		int number;
		struct stat st;
	} code;
	int fd = -1;

	errno = a == NULL ? ENOENT : a->error;
	if (a == NULL || a->result < 0)
		return -1;
	switch (a->result) {
	case KERNEL_TEXT: return text_of(a->bytes, a->n);
	case DIRECTORY: return object_new(object_token(), OBJECT_DIRECTORY, 0, name);
	case MEMORY: return object_new(object_token(), OBJECT_MEMORY, *(const int *)a->bytes, name);
	default: break;
	}
	memcpy(&code, a->bytes, sizeof code);
	files[code.number].st = code.st;
	fd = open_copy(code.number, &code.st, flags);
	return fd < 0 ? -1 : object_new(fd, OBJECT_FILE, code.number, name);
}

/*
 * True for files that a recording must not find: with autogroups, fg-record makes a session of its
 * own, and another process; debug files of the system are large, and compressed.
 */
static bool
is_hidden(const char *name)
{
	static const char debug[] = "/usr/lib/debug/";

	return strcmp(name, "/proc/sys/kernel/sched_autogroup_enabled") == 0 ||
	       strncmp(name, debug, sizeof debug - 1) == 0;
}

/*
 * The kernel's types, of 5 MB. A replay has the members that the BPF program needs, without their
 * places: no kernel runs it then.
 */
static int
open_btf(void)
{
	static const struct {
		struct btf_header head;
		uint32_t type[24];
		char names[52];
	} types = {{BTF_MAGIC, BTF_VERSION, 0, sizeof(struct btf_header), 0, 96, 96, 52},
	    {
		0, BTF_KIND_STRUCT << 24 | 1, 8, 23, 0, 0, /* 1: struct { fsbase } */
		1, BTF_KIND_STRUCT << 24 | 2, 16, 13, 0, 0, 16, 1,
		64, /* task_struct { mm, thread } */
		30, BTF_KIND_STRUCT << 24 | 1, 8, 40, 0, 0, /* mm_struct { start_stack } */
		0, BTF_KIND_PTR << 24, 0, /* void * */
	    },
	    "\0task_struct\0mm\0thread\0fsbase\0mm_struct\0start_stack"};

	return capture_mode == CAPTURE_REPLAY
		   ? text_of(&types, sizeof types)
		   : (int)SYS(openat, AT_FDCWD, "/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);
}

static int
open_any(int directory, const char *path, int flags, mode_t mode)
{
	char buffer[PATH_MAX], key[PATH_MAX + 8];
	const char *name;
	int fd, own;

	if (capture_mode == CAPTURE_OFF || (flags & (O_ACCMODE | O_CREAT)) != 0 ||
	    (flags & O_TMPFILE) == O_TMPFILE ||
	    (name = file_name(directory, path, buffer)) == NULL) {
		fd = (int)SYS(openat, directory, path, flags, mode);
		if (fd >= 0 && sscanf(path, "/proc/self/fd/%d", &own) == 1)
			object_set(fd, object_index(own));
		return fd;
	}
	if (strcmp(name, "/sys/kernel/btf/vmlinux") == 0)
		return open_btf();
	/* The recorder may be refused what its opener gets. */
	snprintf(key, sizeof key, "open%s %s", capture_in_main ? "" : "+", name);
	if (capture_mode == CAPTURE_REPLAY)
		return replay_open(archive_open_key(name), name, flags);
	if (is_hidden(name)) {
		errno = ENOENT;
		return -1;
	}
	if (strcmp(name, KERNELTYPES) == 0) {
		fd = kerneltypes_open();
		return fd < 0 ? (int)keep(key, -1, NULL, 0) : record_text(key, fd);
	}
	return record_open(key, name, (int)SYS(openat, directory, path, flags, mode), flags);
}

int
open(const char *path, int flags, ...)
{
	return open_any(AT_FDCWD, path, flags, 0666);
}

int
openat(int directory, const char *path, int flags, ...)
{
	return open_any(directory, path, flags, 0666);
}

FILE *
fdopen(int fd, const char *mode)
{
	const struct object *o = object_of(fd);

	if (o != NULL && o->kind == OBJECT_FILE)
		file_read(fd, o, 0, -1);
	return REAL(fdopen)(fd, mode);
}

FILE *
fopen(const char *path, const char *mode)
{
	FILE *f;
	int fd;

	if (capture_mode == CAPTURE_OFF || mode[0] != 'r')
		return REAL(fopen)(path, mode);
	fd = open_any(AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	f = fd < 0 ? NULL : fdopen(fd, mode);
	return f;
}

int
close(int fd)
{
	object_set(fd, 0);
	return (int)SYS(close, fd);
}

/* ---- Reading ---- */

void *
mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	const struct object *o = (flags & MAP_ANONYMOUS) == 0 ? object_of(fd) : NULL;
	struct mapping m;

	if (capture_mode == CAPTURE_OFF || o == NULL)
		return (void *)SYS(mmap, at, size, protection, flags, fd, offset);
	if (o->kind == OBJECT_EVENT)
		return ring_map(fd, o, size);
	if (o->kind != OBJECT_FILE || capture_mode == CAPTURE_REPLAY)
		return (void *)SYS(mmap, at, size, protection, flags, fd, offset);
	m = (struct mapping){
	    .size = size, .offset = offset, .file = o->id, .protection = protection};
	m.at = (char *)SYS(mmap, at, size, PROT_NONE, flags, fd, offset);
	if (m.at == MAP_FAILED)
		return m.at;
	m.fd = (int)SYS(
	    fcntl, fd, F_DUPFD_CLOEXEC, CAPTURE_DESCRIPTORS); /* the caller may close its own */
	if (nmapping == MAPPINGS || m.fd < 0)
		capture_die("too many mapped files");
	mappings[nmapping++] = m;
	return m.at;
}

int
munmap(void *at, size_t size)
{
	for (size_t i = nmapping; i-- > 0;)
		if (mappings[i].at == at) {
			SYS(close, mappings[i].fd);
			mappings[i] = mappings[--nmapping];
			break;
		}
	return capture_mode != CAPTURE_OFF && ring_unmap(at) ? 0 : (int)SYS(munmap, at, size);
}

/* A copy in a memfd would hide which pages are read. */
ssize_t
sendfile(int to, int from, off_t *offset, size_t n)
{
	if (capture_mode != CAPTURE_OFF) {
		errno = EINVAL;
		return -1;
	}
	return SYS(sendfile, to, from, offset, n);
}
