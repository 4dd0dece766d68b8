/*
 * features: parses feature sections; layouts are those of
 * tools/perf/Documentation/perf.data-file-format.txt.
 */
#include "fg-collapse/perfdata/features.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/cursor.h"
#include "base/hash.h"
#include "base/intmap.h"
#include "base/vec.h"
#include "fg-collapse/perfdata/android.h"

#define BUILD_ID_SIZED (1 << 15) /* PERF_RECORD_MISC_BUILD_ID_SIZE: the entry has a length */
#define BUILD_ID 20 /* bytes for a build ID in an entry */
#define STRINGS 100000 /* limit of words of a command line */

/* perf_header_string: its length, then that many bytes, padded with NULs. */
static struct str
read_string(struct cursor *c)
{
	uint32_t n = cursor_u32(c);
	const char *s = cursor_read(c, n);

	return s == NULL ? (struct str){0} : (struct str){s, strnlen(s, n)};
}

static void
keep_string(char **to, struct str s)
{
	if (s.len == 0)
		return;
	free(*to);
	*to = str_copy(s);
}

static void
read_command(struct features *f, struct cursor *c)
{
	uint32_t n = cursor_u32(c);

	text_cut(&f->command, 0);
	for (uint32_t i = 0; i < n && i < STRINGS && !c->bad; i++) {
		struct str word = read_string(c);

		if (i > 0)
			text_char(&f->command, ' ');
		text_str(&f->command, word);
	}
}

/* Reads the repeated list of events with names and ids. */
static void
read_events(struct cursor *c, struct attrs *attrs)
{
	uint32_t n = cursor_u32(c), size = cursor_u32(c);

	for (uint32_t i = 0; i < n && !c->bad; i++) {
		const unsigned char *attr = cursor_read(c, size);
		uint32_t ids = cursor_u32(c);
		struct str name = read_string(c);
		int number = (int)i;

		if (c->bad)
			return;
		if (i >= attrs->n)
			number = attrs_add(attrs, attr, size, c->swapped);
		if (number < 0) {
			c->bad = true;
			return;
		}
		attrs_name(attrs, (size_t)number, name);
		for (uint32_t k = 0; k < ids && !c->bad; k++) {
			uint64_t id = cursor_u64(c);

			if (!c->bad)
				attrs_add_id(attrs, id, (size_t)number);
		}
	}
}

static uint32_t
hash_path(const char *path)
{
	return (uint32_t)hash_bytes(path, strlen(path));
}

const struct features_build_id *
features_build_id(const struct features *f, const char *path)
{
	uint32_t hash = hash_path(path);

	for (uint32_t at = hash, n; (n = hash_index_next(&f->build_ids, hash, &at)) != 0;)
		if (strcmp(f->build_id[n - 1].path, path) == 0)
			return &f->build_id[n - 1];
	return NULL;
}

/* struct perf_record_header_build_id: pid, 20 bytes, their length, padding, the path. */
bool
features_add_build_id(struct features *f, const struct perf_event_header *h,
    const unsigned char *body, size_t n, bool swapped)
{
	struct cursor c = cursor_of(body, n, swapped);
	struct features_build_id id = {.size = BUILD_ID};
	const unsigned char *bytes;
	struct str path;

	cursor_u32(&c); /* pid of the machine: -1, or of a guest */
	bytes = cursor_read(&c, 24);
	if (c.bad)
		return false;
	path.s = (const char *)body + c.at;
	path.len = strnlen(path.s, cursor_left(&c));
	if (path.len == 0)
		return false;
	switch (h->misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_GUEST_KERNEL:
	case PERF_RECORD_MISC_GUEST_USER: return true; /* not a file of the host */
	}
	if (h->misc & BUILD_ID_SIZED && bytes[BUILD_ID] <= BUILD_ID)
		id.size = bytes[BUILD_ID];
	memcpy(id.bytes, bytes, id.size);
	keep_string(&id.path, path);
	if (features_build_id(f, id.path) != NULL || f->nbuild_id >= 1u << 24) {
		free(id.path);
		return true;
	}
	vec_fit(f->build_id, f->capbuild_id, f->nbuild_id + 1);
	f->build_id[f->nbuild_id++] = id;
	hash_index_add(&f->build_ids, hash_path(id.path), (uint32_t)f->nbuild_id);
	return true;
}

static void
read_build_ids(struct features *f, struct cursor *c)
{
	while (cursor_left(c) >= sizeof(struct perf_event_header)) {
		struct perf_event_header h;
		const unsigned char *body;

		h.type = cursor_u32(c);
		h.misc = cursor_u16(c);
		h.size = cursor_u16(c);
		/* perf 6.12 ends the list with an entry of size 0. */
		if (h.size < sizeof h)
			continue;
		body = cursor_read(c, h.size - sizeof h);
		if (body == NULL)
			return;
		if (!features_add_build_id(f, &h, body, h.size - sizeof h, c->swapped))
			c->bad = true;
	}
}

void
features_name_tracepoints(const struct features *f, struct attrs *attrs)
{
	struct {
		struct str system, name;
	} *known = NULL;
	struct intmap by_id = {0};
	struct str system, format, name;
	struct text full = {0};
	struct tracing t;
	size_t n = 0, cap = 0;
	uint64_t id;

	if (!tracing_begin(&t, text_as_str(&f->tracing)))
		return;
	while (tracing_next(&t, &system, &format)) {
		if (!tracepoint_id(format, &id) || !tracepoint_name(format, &name))
			continue;
		vec_fit(known, cap, n + 1);
		known[n].system = system;
		known[n].name = name;
		*intmap_at(&by_id, id) = (void *)(uintptr_t)++n;
	}
	for (size_t i = 0; i < attrs->n; i++) {
		struct attr *a = &attrs->attr[i];
		uintptr_t at = (uintptr_t)intmap_get(&by_id, a->attr.config);

		if (a->named || a->attr.type != PERF_TYPE_TRACEPOINT || at == 0)
			continue;
		text_cut(&full, 0);
		text_str(&full, known[at - 1].system);
		text_puts(&full, ":");
		text_str(&full, known[at - 1].name);
		attrs_name(attrs, i, text_as_str(&full));
	}
	text_free(&full);
	free(known);
	free(by_id.slot);
}

bool
features_read(struct features *f, unsigned number, const unsigned char *s, size_t n, bool swapped,
    struct attrs *attrs)
{
	struct cursor c = cursor_of(s, n, swapped);

	switch (number) {
	case FEATURE_TRACING_DATA:
		text_cut(&f->tracing, 0);
		text_add(&f->tracing, (const char *)s, n);
		features_name_tracepoints(f, attrs);
		break;
	case FEATURE_BUILD_ID: read_build_ids(f, &c); break;
	case FEATURE_HOSTNAME: keep_string(&f->hostname, read_string(&c)); break;
	case FEATURE_OSRELEASE: keep_string(&f->release, read_string(&c)); break;
	case FEATURE_VERSION: keep_string(&f->version, read_string(&c)); break;
	case FEATURE_ARCH: keep_string(&f->arch, read_string(&c)); break;
	case FEATURE_CPUDESC: keep_string(&f->cpu, read_string(&c)); break;
	case FEATURE_NRCPUS:
		cursor_u32(&c);
		f->cpus = cursor_u32(&c);
		break;
	case FEATURE_CMDLINE: read_command(f, &c); break;
	case FEATURE_EVENT_DESC: read_events(&c, attrs); break;
	case FEATURE_AUXTRACE: f->auxtrace = true; break;
	case FEATURE_DIR_FORMAT: f->directory = true; break;
	case FEATURE_ANDROID_FILE: return android_files(&f->stored, &c);
	case FEATURE_ANDROID_FILE2: return android_proto_files(&f->stored, &c);
	case FEATURE_ANDROID_META: return android_meta(&c, attrs);
	case FEATURE_SAMPLE_TIME:
		f->first = cursor_u64(&c);
		f->last = cursor_u64(&c);
		break;
	case FEATURE_CLOCK_DATA:
		cursor_u32(&c);
		cursor_u32(&c);
		f->clock_wall = cursor_u64(&c);
		f->clock_event = cursor_u64(&c);
		break;
	}
	return !c.bad;
}

void
features_free(struct features *f)
{
	free(f->hostname);
	free(f->release);
	free(f->version);
	free(f->arch);
	free(f->cpu);
	text_free(&f->command);
	text_free(&f->tracing);
	for (size_t i = 0; i < f->nbuild_id; i++)
		free(f->build_id[i].path);
	free(f->build_id);
	hash_index_free(&f->build_ids);
}
