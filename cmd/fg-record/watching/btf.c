/*
 * btf: index of all types by number, and a recursive search of their members.
 */
#include "fg-record/watching/btf.h"

#include <fcntl.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/cursor.h"

#define FILE_MAX (256 << 20)
#define DEPTH 8 /* of nested structs */

struct btf {
	unsigned char *bytes; /* mapped */
	size_t size;
	const char *strings;
	size_t nstrings;
	const struct btf_type **type; /* by type number, from 1 */
	uint32_t ntype;
};

/* Bytes of type-specific data that follow t. */
static size_t
tail_of(const struct btf_type *t)
{
	const size_t n = BTF_INFO_VLEN(t->info);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case 17: return sizeof(uint32_t); /* BTF_KIND_DECL_TAG, newer than some headers */
	case BTF_KIND_ARRAY: return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION: return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM: return n * sizeof(struct btf_enum);
	case BTF_KIND_FUNC_PROTO: return n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC: return n * sizeof(struct btf_var_secinfo);
	case 19: return n * 3 * sizeof(uint32_t); /* BTF_KIND_ENUM64 */
	default: return 0;
	}
}

static bool
index_types(struct btf *b)
{
	struct cursor in = cursor_of(b->bytes, b->size, false), strings, types;
	struct btf_header h;

	if (!cursor_copy(&in, &h, sizeof h) || h.magic != BTF_MAGIC)
		return false;
	in.at = 0;
	cursor_read(&in, h.hdr_len);
	strings = types = in;
	cursor_read(&strings, h.str_off);
	b->strings = cursor_read(&strings, h.str_len);
	b->nstrings = h.str_len;
	cursor_read(&types, h.type_off);
	types = cursor_of(cursor_read(&types, h.type_len), h.type_len, false);
	if (b->strings == NULL || b->nstrings == 0 || b->strings[b->nstrings - 1] != '\0' ||
	    types.data == NULL)
		return false;
	b->type = cli_alloc(h.type_len / sizeof(struct btf_type) + 2, sizeof *b->type);
	b->ntype = 1;
	while (cursor_left(&types) >= sizeof(struct btf_type)) {
		const struct btf_type *t = cursor_read(&types, sizeof *t);

		cursor_read(&types, tail_of(t));
		if (types.bad)
			return false;
		b->type[b->ntype++] = t;
	}
	return true;
}

/* Maps the file. Linux before 6.16 refuses that; then it is read, a page with each call. */
static unsigned char *
map(int fd, size_t size)
{
	unsigned char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	size_t got = 0;
	ssize_t n = 1;

	if (bytes != MAP_FAILED)
		return bytes;
	bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (bytes == MAP_FAILED)
		return NULL;
	while (got < size && n > 0)
		if ((n = read(fd, bytes + got, size - got)) > 0)
			got += (size_t)n;
	return bytes;
}

struct btf *
btf_open(void)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY | O_CLOEXEC);
	struct btf *b = NULL;
	unsigned char *bytes = NULL;
	struct stat st;

	if (fd < 0)
		return NULL;
	if (fstat(fd, &st) == 0 && st.st_size > 0 && st.st_size < FILE_MAX)
		bytes = map(fd, (size_t)st.st_size);
	close(fd);
	if (bytes == NULL)
		return NULL;
	b = cli_alloc(1, sizeof *b);
	b->bytes = bytes;
	b->size = (size_t)st.st_size;
	if (!index_types(b)) {
		btf_close(b);
		b = NULL;
	}
	return b;
}

static const char *
name_at(const struct btf *b, uint32_t offset)
{
	return offset < b->nstrings ? b->strings + offset : "";
}

static const struct btf_type *
struct_of(const struct btf *b, uint32_t number)
{
	const struct btf_type *t = number < b->ntype ? b->type[number] : NULL;

	if (t == NULL ||
	    (BTF_INFO_KIND(t->info) != BTF_KIND_STRUCT && BTF_INFO_KIND(t->info) != BTF_KIND_UNION))
		return NULL;
	return t;
}

/* Stores in *bits the offset in bits of the member `path` of t, or of an anonymous member of t. */
static bool
find(const struct btf *b, const struct btf_type *t, const char *path, uint32_t *bits, int depth)
{
	const struct btf_member *m = (const void *)(t + 1);
	const size_t n = BTF_INFO_VLEN(t->info), length = strcspn(path, ".");

	for (size_t i = 0; i < n && depth < DEPTH; i++) {
		const char *name = name_at(b, m[i].name_off);
		const struct btf_type *inner = struct_of(b, m[i].type);
		/* The upper 8 bits are the size of a bit-field if kind_flag is set. */
		const uint32_t at =
		    t->info >> 31 ? BTF_MEMBER_BIT_OFFSET(m[i].offset) : m[i].offset;
		uint32_t below = 0;

		if (strncmp(name, path, length) == 0 && name[length] == '\0') {
			*bits = at;
			if (path[length] == '\0')
				return true;
			if (inner == NULL || !find(b, inner, path + length + 1, &below, depth + 1))
				return false;
			*bits += below;
			return true;
		}
		if (name[0] == '\0' && inner != NULL && find(b, inner, path, &below, depth + 1)) {
			*bits = at + below;
			return true;
		}
	}
	return false;
}

bool
btf_offset(const struct btf *b, const char *in, const char *member, int32_t *offset)
{
	uint32_t bits;

	for (uint32_t i = 1; i < b->ntype; i++) {
		const struct btf_type *t = struct_of(b, i);

		if (t == NULL || strcmp(name_at(b, t->name_off), in) != 0)
			continue;
		if (find(b, t, member, &bits, 0) && bits % 8 == 0) {
			*offset = (int32_t)(bits / 8);
			return true;
		}
	}
	return false;
}

void
btf_close(struct btf *b)
{
	munmap(b->bytes, b->size);
	free(b->type);
	free(b);
}
