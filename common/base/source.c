/*
 * source: read(2) into the caller's buffer, or through decompress; peeked bytes that were not
 * consumed are in `ahead`.
 */
#include "base/source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/decompress.h"
#include "base/interrupt.h"
#include "base/vec.h"
#include "kernel/compat.h"

#define PIPE_SIZE (1024 * 1024)
#define BLOCK (128 * 1024) /* bytes per read(2) of compressed input */
#define ONE_STEP (64u << 20) /* bytes: compressed files up to this size are read at once */
#define GIB (UINT64_C(1) << 30)

enum fault { NO_FAULT, CUT_OFF, DAMAGED, GARBAGE };

struct source {
	const char *name;
	int fd;
	bool started, ended;
	bool held; /* ahead has all of the input */
	uint64_t begin, size; /* of a regular file: our start offset, and its size */
	uint64_t at;
	unsigned char *ahead; /* bytes at_ahead to nahead come next */
	size_t nahead, at_ahead, cap;
	atomic_uint_fast64_t loaded; /* bytes read from the file */
	/* Used for compressed input: */
	const struct decompression *kind;
	struct decompress *member; /* the current member */
	unsigned char *raw; /* buffer of BLOCK bytes; the nraw ones at next are unread */
	const unsigned char *next;
	size_t nraw;
	enum fault fault;
	const char *why; /* reason of DAMAGED */
};

uint64_t source_max_size;
static atomic_uint_fast64_t closed; /* bytes read from sources that are closed */

struct source *
source_fd(int fd, const char *name)
{
	struct source *s;
	struct stat st = {0};

	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode))
		cli_die("%s: %s", name, strerror(EISDIR));
	s = cli_alloc(1, sizeof *s);
	s->name = name;
	s->fd = fd;
	if (S_ISREG(st.st_mode)) {
		off_t now = lseek(fd, 0, SEEK_CUR);

		s->begin = now > 0 ? (uint64_t)now : 0;
		s->size = s->begin < (uint64_t)st.st_size ? (uint64_t)st.st_size - s->begin : 0;
	}
	if (S_ISFIFO(st.st_mode))
		compat_pipe_size(fd, PIPE_SIZE);
	if (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode))
		interrupt_defer();
	return s;
}

struct source *
source_memory(char *bytes, size_t len, const char *name)
{
	struct source *s = cli_alloc(1, sizeof *s);

	s->name = name;
	s->fd = -1;
	s->started = s->ended = s->held = true;
	s->ahead = (unsigned char *)bytes;
	s->nahead = s->cap = len;
	return s;
}

struct source *
source_open(const char *path)
{
	int fd;

	if (strcmp(path, "-") == 0)
		return source_fd(STDIN_FILENO, "stdin");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		cli_die("%s: %s", path, strerror(errno));
	return source_fd(fd, path);
}

const char *
source_name(const struct source *s)
{
	return s->name;
}

/* Reads raw bytes of the file; 0 at its end. */
static size_t
load(struct source *s, void *buf, size_t len)
{
	while (!s->ended) {
		ssize_t n = read(s->fd, buf, len);

		if (n >= 0) {
			s->ended = n == 0;
			atomic_fetch_add_explicit(
			    &s->loaded, (uint_fast64_t)n, memory_order_relaxed);
			return (size_t)n;
		}
		if (errno != EINTR)
			cli_die("%s: %s", s->name, strerror(errno));
	}
	return 0;
}

/* Buffers at least `want` compressed bytes, or all that remain. */
static void
load_raw(struct source *s, size_t want)
{
	size_t n;

	if (s->nraw >= want)
		return;
	memmove(s->raw, s->next, s->nraw);
	s->next = s->raw;
	while (s->nraw < want && (n = load(s, s->raw + s->nraw, BLOCK - s->nraw)) > 0)
		s->nraw += n;
}

/* Starts the next member; false at the end of the input, or at garbage. */
static bool
next_member(struct source *s)
{
	/* Zeros pad a tape's last block, and align xz streams. */
	while (load_raw(s, DECOMPRESS_MAGIC), s->nraw > 0 && *s->next == 0) {
		s->next++;
		s->nraw--;
	}
	if (s->nraw == 0)
		return false;
	if (decompress_kind(s->next, s->nraw) == NULL) {
		s->fault = GARBAGE;
		return false;
	}
	s->kind = decompress_kind(s->next, s->nraw);
	s->member = decompress_new(s->kind);
	if (s->member == NULL)
		cli_die("%s: %s data; this program was built without %s", s->name,
		    decompress_name(s->kind), decompress_missing(s->kind));
	return true;
}

/* Reads up to len decompressed bytes; 0 at the end, perhaps with a fault. */
static size_t
load_unpacked(struct source *s, unsigned char *buf, size_t len)
{
	while (s->fault == NO_FAULT) {
		enum decompress_state state;
		size_t n;

		if (s->member == NULL && !next_member(s))
			return 0;
		state = decompress_step(s->member, &s->next, &s->nraw, buf, len, &n);
		if (state == DECOMPRESS_BAD) {
			s->fault = DAMAGED;
			s->why = decompress_why(s->member);
		}
		if (state != DECOMPRESS_MORE) {
			decompress_free(s->member);
			s->member = NULL;
		}
		if (n > 0)
			return n;
		if (state == DECOMPRESS_MORE && s->nraw == 0) {
			load_raw(s, 1);
			if (s->nraw == 0)
				s->fault = CUT_OFF;
		}
	}
	return 0;
}

static size_t
fill(struct source *s, unsigned char *buf, size_t len)
{
	return s->kind != NULL ? load_unpacked(s, buf, len) : load(s, buf, len);
}

/* Detects compression by the first bytes. */
static void
start(struct source *s)
{
	size_t n;

	s->started = true;
	s->cap = SOURCE_PEEK;
	s->ahead = cli_realloc(NULL, s->cap, 1);
	while (s->nahead < DECOMPRESS_MAGIC &&
	       (n = load(s, s->ahead + s->nahead, s->cap - s->nahead)) > 0)
		s->nahead += n;
	s->kind = decompress_kind(s->ahead, s->nahead);
	if (s->kind != NULL) {
		s->raw = cli_realloc(NULL, BLOCK, 1);
		memcpy(s->raw, s->ahead, s->nahead);
		s->next = s->raw;
		s->nraw = s->nahead;
		s->nahead = 0;
	}
}

/* Buffers SOURCE_PEEK / 2 bytes, or all that remain; more if available without waiting. */
static void
look_ahead(struct source *s)
{
	size_t left = s->nahead - s->at_ahead, n;

	if (!s->started)
		start(s);
	else if (left >= SOURCE_PEEK / 2 || s->held)
		return;
	else if (left > 0)
		memmove(s->ahead, s->ahead + s->at_ahead, left);
	s->nahead -= s->at_ahead;
	s->at_ahead = 0;
	while (s->nahead < (s->size > 0 ? SOURCE_PEEK : SOURCE_PEEK / 2) &&
	       (n = fill(s, s->ahead + s->nahead, s->cap - s->nahead)) > 0)
		s->nahead += n;
}

const unsigned char *
source_peek(struct source *s, size_t *len)
{
	look_ahead(s);
	*len = s->nahead - s->at_ahead;
	if (*len > SOURCE_PEEK)
		*len = SOURCE_PEEK;
	return s->ahead + s->at_ahead;
}

size_t
source_read(struct source *s, void *buf, size_t len)
{
	size_t left;

	if (!s->started || (s->at_ahead == s->nahead && len < SOURCE_PEEK / 2))
		look_ahead(s);
	left = s->nahead - s->at_ahead;
	if (left > 0) {
		if (len > left)
			len = left;
		memcpy(buf, s->ahead + s->at_ahead, len);
		s->at_ahead += len;
	} else if (s->held) {
		return 0;
	} else {
		len = fill(s, buf, len);
	}
	s->at += len;
	return len;
}

size_t
source_get(struct source *s, void *buf, size_t len)
{
	size_t got = 0, n;

	while (got < len && (n = source_read(s, (unsigned char *)buf + got, len - got)) > 0)
		got += n;
	return got;
}

uint64_t
source_skip(struct source *s, uint64_t len)
{
	unsigned char waste[16 * 1024];
	uint64_t done = 0, left;

	if (source_seekable(s) && !s->held && len > s->nahead - s->at_ahead) {
		left = s->size > s->at ? s->size - s->at : 0;
		done = len < left ? len : left;
		if (lseek(s->fd, (off_t)(s->begin + s->at + done), SEEK_SET) < 0)
			cli_die("%s: %s", s->name, strerror(errno));
		s->at_ahead = s->nahead;
		s->at += done;
		return done;
	}
	while (done < len) {
		uint64_t want = len - done < sizeof waste ? len - done : sizeof waste;
		size_t n = source_read(s, waste, (size_t)want);

		if (n == 0)
			break;
		done += n;
	}
	return done;
}

uint64_t
source_at(const struct source *s)
{
	return s->at;
}

const char *
source_compression(struct source *s)
{
	if (!s->started)
		look_ahead(s);
	return s->kind != NULL ? decompress_name(s->kind) : NULL;
}

bool
source_regular(const struct source *s)
{
	return s->size > 0;
}

bool
source_is_once(const char *path)
{
	struct stat st;

	return strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

bool
source_seekable(struct source *s)
{
	return s->held || (s->size > 0 && source_compression(s) == NULL);
}

uint64_t
source_size(const struct source *s)
{
	return s->held ? s->nahead : s->size;
}

size_t
source_pread(struct source *s, void *buf, size_t len, uint64_t offset)
{
	size_t got = 0;

	if (s->held) {
		if (offset >= s->nahead)
			return 0;
		if (len > s->nahead - offset)
			len = s->nahead - (size_t)offset;
		memcpy(buf, s->ahead + offset, len);
		return len;
	}
	while (got < len) {
		ssize_t n =
		    pread(s->fd, (char *)buf + got, len - got, (off_t)(s->begin + offset + got));

		if (n == 0)
			break;
		if (n > 0)
			got += (size_t)n;
		else if (errno != EINTR)
			cli_die("%s: %s", s->name, strerror(errno));
	}
	atomic_fetch_add_explicit(&s->loaded, got, memory_order_relaxed);
	return got;
}

uint64_t
source_bound(uint64_t compressed)
{
	if (source_max_size != 0)
		return source_max_size;
	return compressed > 8 * GIB / 1000 ? 8 * GIB
	       : compressed < GIB / 1000   ? GIB
					   : compressed * 1000;
}

static void
check_bound(const struct source *s, uint64_t len)
{
	uint64_t compressed = s->size > 0 ? s->size : s->loaded, bound = source_bound(compressed);

	if (len > bound)
		cli_die("%s: too large to hold in memory: over %llu bytes%s (see --max-size)",
		    s->name, (unsigned long long)bound,
		    s->kind != NULL ? " when decompressed" : "");
}

/* Holds a compressed file that is a single member, in one step if possible; else does nothing. */
static void
hold_member(struct source *s)
{
	unsigned char *in, *out = NULL;
	size_t n = 0, size = 0;

	if (s->kind == NULL || s->fault != NO_FAULT || s->nahead < SOURCE_PEEK || s->size == 0 ||
	    s->size > ONE_STEP)
		return;
	if ((in = malloc(s->size)) != NULL) {
		n = source_pread(s, in, s->size, 0);
		atomic_fetch_sub_explicit(&s->loaded, n, memory_order_relaxed);
		size = decompress_size(s->kind, in, n);
	}
	if (size > 0 && size <= source_bound(s->size) &&
	    (out = cli_pages(size + SOURCE_PAD)) != NULL &&
	    decompress_whole(s->kind, in, n, out, size)) {
		free(s->ahead);
		s->ahead = out;
		s->nahead = size;
		s->cap = size + SOURCE_PAD;
		memset(out + size, 0, SOURCE_PAD);
		decompress_free(s->member);
		s->member = NULL;
		s->nraw = 0;
		s->ended = s->held = true;
		out = NULL;
	}
	free(out);
	free(in);
}

const unsigned char *
source_whole(struct source *s, size_t *len)
{
	size_t n;

	assert(s->at == 0);
	look_ahead(s);
	if (source_seekable(s) && !s->held) {
		check_bound(s, s->size);
		vec_fit(s->ahead, s->cap, s->size + SOURCE_PAD + 1);
	}
	if (!s->held)
		hold_member(s);
	while (!s->held) {
		check_bound(s, s->nahead);
		vec_fit(s->ahead, s->cap, s->nahead + SOURCE_PAD + 1);
		n = fill(s, s->ahead + s->nahead, s->cap - s->nahead - SOURCE_PAD);
		s->nahead += n;
		source_progress(s);
		if (n == 0) {
			memset(s->ahead + s->nahead, 0, SOURCE_PAD);
			s->held = true;
		}
	}
	*len = s->nahead;
	return s->ahead;
}

bool
source_damaged(const struct source *s)
{
	return s->fault == CUT_OFF || s->fault == DAMAGED;
}

/* The compression format by the suffix of an empty file, or NULL. */
static const char *
promised(const struct source *s)
{
	static const char *const suffix[][2] = {{".gz", "gzip"}, {".zst", "zstd"}, {".xz", "xz"}};

	for (size_t i = 0; s->loaded == 0 && i < sizeof suffix / sizeof suffix[0]; i++)
		if (text_ends(s->name, strlen(s->name), suffix[i][0]))
			return suffix[i][1];
	return NULL;
}

bool
source_fault(const struct source *s, struct text *why)
{
	unsigned long long at = s->begin + s->loaded - s->nraw;
	const char *kind = s->kind != NULL ? decompress_name(s->kind) : promised(s);

	switch (s->fault) {
	case NO_FAULT:
		if (s->kind != NULL || kind == NULL)
			return false;
		/* FALLTHROUGH */
	case CUT_OFF:
		text_printf(why, "%s: byte %llu: the %s data are truncated", s->name, at, kind);
		break;
	case DAMAGED:
		text_printf(
		    why, "%s: byte %llu: the %s data are damaged: %s", s->name, at, kind, s->why);
		break;
	case GARBAGE:
		text_printf(why, "%s: byte %llu: data that are not %s follow the compressed data",
		    s->name, at, kind);
		break;
	}
	return true;
}

void
source_finish(struct source *s, bool strict)
{
	struct text why = {0};

	if (!source_fault(s, &why))
		return;
	if (strict)
		cli_die("%s", why.s);
	cli_warn("%s; the rest is skipped", why.s);
	text_free(&why);
}

void
source_progress(const struct source *s)
{
	uint64_t loaded = atomic_load_explicit(&s->loaded, memory_order_relaxed);

	if (s->size > 0)
		cli_progress("%s: %d %%", s->name,
		    (int)(100.0 * (double)(loaded < s->size ? loaded : s->size) / (double)s->size));
	else
		cli_progress("%s: %llu MB", s->name, (unsigned long long)(loaded >> 20));
}

void
source_close(struct source *s)
{
	cli_progress_end();
	closed += s->loaded;
	if (s->fd > STDIN_FILENO)
		close(s->fd);
	decompress_free(s->member);
	free(s->raw);
	free(s->ahead);
	free(s);
}

uint64_t
source_total(void)
{
	return closed;
}

void
source_warn_empty(const char *const *path, size_t n)
{
	bool *empty = cli_alloc(n + 1, sizeof *empty);
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		struct stat st;

		if (stat(path[i], &st) != 0 || !S_ISREG(st.st_mode))
			continue;
		empty[i] = st.st_size == 0;
		any |= !empty[i];
	}
	for (size_t i = 0; i < n && any; i++)
		if (empty[i])
			cli_warn("%s: the file is empty", path[i]);
	free(empty);
}
