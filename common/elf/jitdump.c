/*
 * jitdump: records of JIT code as V8, the JVM's perf agent, LLVM and others write them (the
 * kernel's tools/perf/Documentation/jitdump-specification.txt), in this machine's byte order.
 * The profiled process writes them: untrusted input.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/cursor.h"
#include "base/hash.h"
#include "base/intmap.h"
#include "base/sort.h"
#include "base/vec.h"
#include "elf/jitdump.h"

#define JITDUMP_MAGIC 0x4A695444u
#define JITDUMP_ARCH_TIMESTAMP 1u

/*
 * Marks V8's files, in the header's padding. Their line addresses include the header of the ELF
 * file that perf inject creates for each function.
 */
#define JITDUMP_V8 0xdeadbeefu
#define JITDUMP_V8_BIAS 64

#define PART (64 * 1024) /* bytes read at a time */
#define NAME_LENGTH (16 * 1024) /* limit of the name in a load record, before the code */
#define LINES_LENGTH (1024 * 1024) /* limit of a line record; sizes are untrusted */

enum jitdump_id {
	JITDUMP_LOAD,
	JITDUMP_MOVE,
	JITDUMP_DEBUG_INFO,
	JITDUMP_CLOSE,
};

struct jitdump_header {
	uint32_t magic, version, total_size, machine, pad, pid;
	uint64_t timestamp, flags;
};

struct jitdump_record {
	uint32_t id, total_size;
	uint64_t timestamp;
};

struct jitdump_load {
	uint32_t pid, tid;
	uint64_t vma, code_addr, code_size, code_index;
};

struct jitdump_move {
	uint32_t pid, tid;
	uint64_t vma, old_code_addr, new_code_addr, code_size, code_index;
};

struct jitdump {
	int fd; /* -1: finished */
	off_t done; /* bytes read */
	/* A part of the file. Read, not mapped: its writer may change it at any time. */
	char *part;
	off_t part_start;
	size_t part_length, part_size;
	bool over; /* closed by its writer, or not a jitdump */
	bool other_clock; /* its times are not CLOCK_MONOTONIC */
	uint64_t line_bias; /* to be subtracted from line addresses */
	/* Pending lines of the next code loaded at lines_for. */
	uint64_t lines_for;
	struct jitcode_line *lines;
	uint32_t nlines;
	struct intmap files; /* by hash: file names */
};

struct jitdump *
jitdump_new(int fd)
{
	struct jitdump *d = cli_alloc(1, sizeof *d);

	d->fd = fd;
	return d;
}

void
jitdump_free(struct jitdump *d)
{
	if (d->fd >= 0)
		close(d->fd);
	intmap_free_values(&d->files);
	free(d->lines);
	free(d->part);
	free(d);
}

/* n bytes of the file at offset, valid until the next call; NULL when not written yet. */
static const char *
bytes_at(struct jitdump *d, off_t offset, size_t n)
{
	const off_t part_end = d->part_start + (off_t)d->part_length;
	ssize_t got;

	if (offset >= d->part_start && offset <= part_end && n <= (size_t)(part_end - offset))
		return d->part + (offset - d->part_start);
	vec_fit(d->part, d->part_size, n > PART ? n : PART);
	got = pread(d->fd, d->part, d->part_size, offset);
	d->part_start = offset;
	d->part_length = got > 0 ? (size_t)got : 0;
	return d->part_length >= n ? d->part : NULL;
}

static void
load_code(struct jitcode *c, struct jitdump *d, struct cursor *in, uint64_t time)
{
	struct jitdump_load load;
	struct str name;

	cursor_copy(in, &load, sizeof load);
	name = cursor_string(in);
	if (name.len > 0 && jitcode_add(c, load.code_addr, load.code_size, time, name) != NULL &&
	    d->lines_for == load.code_addr)
		jitcode_add_lines(c, d->lines, d->nlines);
	else
		free(d->lines);
	d->lines = NULL;
	d->nlines = 0;
}

/* Handles a move record; its lines have the old addresses and move along. */
static void
move_code(struct jitcode *c, struct cursor *in, uint64_t time)
{
	struct jitdump_move move;
	const struct jitcode_piece *old;
	struct jitcode_line *lines = NULL;
	struct jitcode_piece from;

	if (!cursor_copy(in, &move, sizeof move))
		return;
	old = jitcode_latest(c, move.old_code_addr);
	if (old == NULL)
		return;
	from = *old;
	if (jitcode_add(c, move.new_code_addr, move.code_size, time, str_of(from.name)) == NULL ||
	    from.nlines == 0)
		return;
	lines = cli_alloc(from.nlines, sizeof *lines);
	for (uint32_t i = 0; i < from.nlines; i++) {
		lines[i] = from.lines[i];
		lines[i].address += move.new_code_addr - move.old_code_addr;
	}
	jitcode_add_lines(c, lines, from.nlines);
}

static int
compare_lines(const void *va, const void *vb)
{
	const struct jitcode_line *a = va, *b = vb;

	return (a->address > b->address) - (a->address < b->address);
}

/* Returns the interned name of a source file; NULL when it is not a valid name. */
static const char *
file_name(struct jitdump *d, struct str s)
{
	char **known;

	/* V8 writes the bytes of a pointer as the name of a script that it did not copy. */
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.s[i] < ' ')
			return NULL;
	if (s.len == 0)
		return NULL;
	known = (char **)intmap_at(&d->files, hash_bytes(s.s, s.len));
	if (*known == NULL)
		*known = cli_strdup(s.s);
	return *known;
}

/* Reads the lines for the code of the next load record. */
static void
read_lines(struct jitdump *d, struct cursor *in)
{
	const size_t entry = 16; /* address, line, discriminator, before the name */
	const char *file = NULL;
	uint64_t code, n;

	free(d->lines);
	d->lines = NULL;
	d->nlines = 0;
	code = cursor_u64(in);
	n = cursor_u64(in);
	if (in->bad || n > cursor_left(in) / entry)
		return;
	d->lines_for = code;
	d->lines = cli_alloc(n + 1, sizeof *d->lines);
	while (d->nlines < n) {
		const uint64_t address = cursor_u64(in);
		const uint32_t line = cursor_u32(in);
		struct str name;

		cursor_u32(in); /* the discriminator */
		name = cursor_string(in);
		if (in->bad)
			break;
		/* "\xff" repeats the previous name. */
		if (!str_equal(name, str_of("\xff")))
			file = file_name(d, name);
		d->lines[d->nlines++] = (struct jitcode_line){address - d->line_bias, file, line};
	}
	sort_items(d->lines, d->nlines, sizeof *d->lines, compare_lines);
}

/* False when it is not a jitdump, or its header is not complete yet. */
static bool
read_header(struct jitdump *d, off_t size)
{
	struct jitdump_header header;
	const char *p = bytes_at(d, 0, sizeof header);

	if (p == NULL)
		return false;
	memcpy(&header, p, sizeof header);
	d->over = header.magic != JITDUMP_MAGIC || header.total_size < sizeof header ||
		  header.total_size > size;
	d->line_bias = header.pad == JITDUMP_V8 ? JITDUMP_V8_BIAS : 0;
	d->other_clock = (header.flags & JITDUMP_ARCH_TIMESTAMP) != 0;
	d->done = header.total_size;
	return !d->over;
}

/* Reads the next record; false when it is not complete yet. */
static bool
read_record(struct jitdump *d, struct jitcode *c, off_t size)
{
	struct jitdump_record r;
	const char *p = bytes_at(d, d->done, sizeof r);
	size_t needed;
	uint64_t time;

	if (p == NULL)
		return false;
	memcpy(&r, p, sizeof r);
	d->over = r.total_size < sizeof r || r.id == JITDUMP_CLOSE;
	if (d->over || r.total_size > size - d->done)
		return false;
	needed = r.total_size;
	if (r.id == JITDUMP_LOAD && needed > sizeof r + sizeof(struct jitdump_load) + NAME_LENGTH)
		needed = sizeof r + sizeof(struct jitdump_load) + NAME_LENGTH;
	time = d->other_clock ? 0 : r.timestamp;
	/* Skips unwinding information and unknown record types. */
	if (r.id <= JITDUMP_DEBUG_INFO && needed <= LINES_LENGTH &&
	    (p = bytes_at(d, d->done, needed)) != NULL) {
		struct cursor in = cursor_of(p, needed, false);

		cursor_read(&in, sizeof r);
		if (r.id == JITDUMP_LOAD)
			load_code(c, d, &in, time);
		else if (r.id == JITDUMP_MOVE)
			move_code(c, &in, time);
		else
			read_lines(d, &in);
	}
	d->done += r.total_size;
	return true;
}

void
jitdump_read(struct jitdump *d, struct jitcode *c)
{
	struct stat st;

	if (d->over || fstat(d->fd, &st) != 0 || st.st_size <= d->done ||
	    (d->done == 0 && !read_header(d, st.st_size)))
		return;
	while (read_record(d, c, st.st_size))
		continue;
	/* Discards the buffer: the file may have grown. */
	d->part_length = 0;
}
