/*
 * symbolsources: derives the symbol sources from the recording's features and the command line.
 */
#include "fg-collapse/perfdata/symbolsources.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <elf.h>

#include "base/cli.h"
#include "base/clock.h"

#define KERNEL "[kernel.kallsyms]"
#define NOTES "/sys/kernel/notes"

static int64_t
ns_of(int64_t seconds, int64_t ns)
{
	return seconds * 1000000000 + ns;
}

/* Creation time of a file, ns; INT64_MAX if unknown, as with musl before 1.2.5. */
static int64_t
made(const char *input)
{
#ifdef STATX_BTIME
	struct statx st;

	if (statx(input != NULL ? AT_FDCWD : STDIN_FILENO, input != NULL ? input : "",
		input != NULL ? 0 : AT_EMPTY_PATH, STATX_BTIME, &st) == 0 &&
	    st.stx_mask & STATX_BTIME)
		return ns_of(st.stx_btime.tv_sec, st.stx_btime.tv_nsec);
#else
	(void)input;
#endif
	return INT64_MAX;
}

/*
 * Latest possible start of the recording, in ns since 1970: from the relation of its clock
 * to the wall clock; else the creation time of its file or, if earlier, its modification
 * time less the duration.
 */
static int64_t
began(const struct features *f, const char *input)
{
	uint64_t lasted = f->last > f->first ? f->last - f->first : 0;
	int64_t at, written;
	struct stat st;

	if (f->clock_wall != 0 && f->first != 0)
		return (int64_t)(f->clock_wall + (f->first - f->clock_event));
	if ((input != NULL ? stat(input, &st) : fstat(STDIN_FILENO, &st)) != 0 ||
	    !S_ISREG(st.st_mode))
		return (int64_t)clock_ns(CLOCK_REALTIME);
	written = ns_of(st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
	if (lasted < (uint64_t)written)
		written -= (int64_t)lasted;
	at = made(input);
	return at < written ? at : written;
}

/* True if it was recorded on this machine since the last boot. */
static bool
is_of_this_boot(const struct features *f, int64_t recorded)
{
	struct utsname u;
	int64_t up;

	if (f->hostname == NULL || uname(&u) != 0 || strcmp(f->hostname, u.nodename) != 0)
		return false;
	up = (int64_t)clock_ns(CLOCK_BOOTTIME);
	return recorded > (int64_t)clock_ns(CLOCK_REALTIME) - up &&
	       (f->first == 0 || (int64_t)f->first < up);
}

/* The path, allocated, of the kernel's symbols that perf record --kcore copied beside its file. */
static char *
kcore_of(const char *input)
{
	const char *slash = strrchr(input, '/');
	const int length = slash == NULL ? 0 : (int)(slash - input) + 1;
	char *path;

	if (asprintf(&path, "%.*skcore_dir/kallsyms", length, input) < 0)
		cli_die("out of memory");
	return path;
}

/* perf's build ID cache, allocated; NULL if $HOME is not set. */
static char *
own_buildids(void)
{
	const char *home = getenv("HOME");
	char *path = NULL;

	if (home != NULL && asprintf(&path, "%s/.debug", home) < 0)
		cli_die("out of memory");
	return path;
}

void
symbolsources_sandbox(struct sandbox *s, const struct options *options)
{
	const bool elsewhere = options->symfs != NULL;
	char *own = options->buildids != NULL ? NULL : own_buildids(), *debug;

	sandbox_add(s, SANDBOX_READ, options->kallsyms);
	sandbox_add(s, SANDBOX_READ, options->vmlinux);
	sandbox_add(s, SANDBOX_READ, NOTES);
	sandbox_add(s, SANDBOX_READ_BELOW, options->buildids);
	if (own != NULL)
		sandbox_take(s, SANDBOX_READ_BELOW, own);
	if (asprintf(&debug, "%s/usr/lib/debug", elsewhere ? options->symfs : "") < 0)
		cli_die("out of memory");
	sandbox_take(s, SANDBOX_READ_BELOW, debug);
}

void
symbolsources_sandbox_beside(struct sandbox *s, const char *input)
{
	sandbox_take(s, SANDBOX_READ, kcore_of(input));
}

/* Finds the kernel's symbols beside the input. */
static void
find_kcore(struct symbolsources *o, const char *input)
{
	o->kallsyms = kcore_of(input);
	if (access(o->kallsyms, R_OK) == 0) {
		o->origin.kallsyms = o->kallsyms;
		return;
	}
	free(o->kallsyms);
	o->kallsyms = NULL;
}

void
symbolsources_begin(struct symbolsources *o, const struct options *options,
    const struct features *f, const char *input)
{
	const char *slash;

	*o = (struct symbolsources){.origin.root = options->symfs != NULL ? options->symfs : "/"};
	o->origin.recorded = began(f, input);
	o->origin.stored = &f->stored;
	o->origin.no_lines = !options->sample.style.source;
	if (options->buildids == NULL)
		o->buildids = own_buildids();
	o->origin.buildids = options->buildids != NULL ? options->buildids : o->buildids;
	o->origin.maps = options->maps != NULL && options->maps[0] != '\0' ? options->maps : NULL;
	if (options->maps == NULL && input != NULL) {
		slash = strrchr(input, '/');
		o->beside =
		    slash == NULL ? cli_strdup(".") : strndup(input, (size_t)(slash - input) + 1);
		o->origin.maps = o->beside;
	}
	if (input != NULL)
		find_kcore(o, input);
	o->origin.vmlinux = options->vmlinux;
	o->origin.own_maps = options->maps == NULL && is_of_this_boot(f, o->origin.recorded);
}

/* Reads the running kernel's build ID from its notes; returns its size. */
static size_t
own_build_id(uint8_t id[MODULE_BUILD_ID_MAX])
{
	unsigned char notes[4096];
	size_t size = 0, at = 0;
	Elf64_Nhdr note;
	FILE *f = fopen(NOTES, "re");

	if (f == NULL)
		return 0;
	size = fread(notes, 1, sizeof notes, f);
	fclose(f);
	while (at + sizeof note <= size) {
		size_t name, bytes;

		memcpy(&note, notes + at, sizeof note);
		name = at + sizeof note;
		bytes = name + ((note.n_namesz + 3u) & ~3u);
		if (bytes > size || note.n_descsz > size - bytes)
			return 0;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
		    memcmp(notes + name, "GNU", 4) == 0 && note.n_descsz <= MODULE_BUILD_ID_MAX) {
			memcpy(id, notes + bytes, note.n_descsz);
			return note.n_descsz;
		}
		at = bytes + ((note.n_descsz + 3u) & ~3u);
	}
	return 0;
}

/* True if the recording is of the running kernel. */
static bool
is_own_kernel(const struct features *f, const struct features_build_id *id)
{
	uint8_t own[MODULE_BUILD_ID_MAX];
	struct utsname u;
	size_t n;

	if (id != NULL) {
		n = own_build_id(own);
		/* perf before 5.10 padded short ids with zeros. */
		return n > 0 && n <= id->size && memcmp(own, id->bytes, n) == 0;
	}
	return uname(&u) == 0 && f->hostname != NULL && f->release != NULL &&
	       strcmp(f->hostname, u.nodename) == 0 && strcmp(f->release, u.release) == 0;
}

void
symbolsources_kernel(struct symbolsources *o, const struct options *options,
    const struct features *f, const char *reference, uint64_t at)
{
	const struct features_build_id *id = features_build_id(f, KERNEL);
	char hex[2 * MODULE_BUILD_ID_MAX + 1] = "";

	o->origin.own_maps = options->maps == NULL && is_of_this_boot(f, o->origin.recorded);
	o->origin.kernel_symbol = reference;
	o->origin.kernel_address = at;
	if (id != NULL) {
		memcpy(o->origin.kernel.build_id, id->bytes, id->size);
		o->origin.kernel.build_id_size = id->size;
		for (unsigned i = 0; i < id->size; i++)
			snprintf(hex + 2 * i, 3, "%02x", id->bytes[i]);
	}
	if (options->kallsyms != NULL) {
		o->origin.kallsyms = options->kallsyms;
		return;
	}
	if (o->origin.kallsyms != NULL)
		return;
	if (id != NULL && o->origin.buildids != NULL) {
		if (asprintf(&o->kallsyms, "%s/.build-id/%.2s/%s/kallsyms", o->origin.buildids, hex,
			hex + 2) < 0)
			cli_die("out of memory");
		if (access(o->kallsyms, R_OK) == 0) {
			o->origin.kallsyms = o->kallsyms;
			return;
		}
	}
	if (options->symfs == NULL && is_own_kernel(f, id))
		o->origin.own_kernel = true;
}
