/*
 * debugfile: searches directories beside the program and below its root; libdwfl searches the
 * system's directories and debuginfod.
 */
#include "elf/debugfile.h"

#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>
#include <zlib.h>

#include "base/cli.h"
#include "access/opener.h"

#define ID_MAX 64 /* bytes of a build ID; most have 20 */

/* Identity that a debug file must match. */
struct wanted {
	const unsigned char *id;
	size_t nid; /* 0: no build ID */
	uint32_t crc; /* 0: no checksum */
};

void
debugfile_network(struct sandbox *s)
{
	/* Files that are read to resolve a name, and to trust a server. */
	static const char *const resolver[] = {"/etc/resolv.conf", "/etc/hosts", "/etc/host.conf",
	    "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/services", "/run/systemd/resolve",
	    "/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ssl/cert.pem", "/etc/pki/tls/certs",
	    "/etc/pki/tls/cert.pem", "/etc/pki/tls/openssl.cnf", "/etc/pki/ca-trust",
	    "/etc/ca-certificates", "/usr/share/ca-certificates", "/usr/share/pki", "/etc/gnutls",
	    "/etc/crypto-policies", "/usr/share/crypto-policies"};
	static char path[PATH_MAX];
	const char *own = getenv("DEBUGINFOD_CACHE_PATH"), *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	int n = own != NULL	? snprintf(path, sizeof path, "%s", own)
		: cache != NULL ? snprintf(path, sizeof path, "%s/debuginfod_client", cache)
		: home != NULL	? snprintf(path, sizeof path, "%s/.cache/debuginfod_client", home)
				: -1;
	bool known = n > 0 && (size_t)n < sizeof path;

	for (char *slash = path; known && (slash = strchr(slash + 1, '/')) != NULL;) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	if (known)
		mkdir(path, 0700);
	for (size_t i = 0; i < sizeof resolver / sizeof *resolver; i++)
		sandbox_add(s, SANDBOX_READ_BELOW, resolver[i]);
	sandbox_add(s, SANDBOX_READ_BELOW, getenv("SSL_CERT_FILE"));
	sandbox_add(s, SANDBOX_READ_BELOW, getenv("SSL_CERT_DIR"));
	sandbox_add(s, SANDBOX_NETWORK, known ? path : NULL);
}

/* Not a compressed file: libdwfl decompresses those without a limit. */
static bool
is_elf(int fd)
{
	char magic[SELFMAG];

	return pread(fd, magic, sizeof magic, 0) == sizeof magic &&
	       memcmp(magic, ELFMAG, sizeof magic) == 0;
}

static bool
has_id(int fd, const struct wanted *w)
{
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	const void *id;
	ssize_t n = elf == NULL ? -1 : dwelf_elf_gnu_build_id(elf, &id);
	bool same = n > 0 && (size_t)n == w->nid && memcmp(id, w->id, w->nid) == 0;

	elf_end(elf);
	return same;
}

/* True if the file has that .gnu_debuglink checksum (zlib's crc32). */
static bool
has_crc(int fd, uint32_t crc)
{
	unsigned char bytes[65536];
	uLong sum = crc32(0, NULL, 0);
	ssize_t n;

	while ((n = read(fd, bytes, sizeof bytes)) > 0)
		sum = crc32(sum, bytes, (uInt)n);
	return n == 0 && sum == crc && lseek(fd, 0, SEEK_SET) == 0;
}

/* Opens the file at that path if it matches; *found is then a copy of the path. */
static int __attribute__((format(printf, 3, 4)))
try(const struct wanted *w, char **found, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list args;
	int n, fd;

	va_start(args, fmt);
	n = vsnprintf(path, sizeof path, fmt, args);
	va_end(args);
	if (n < 0 || (size_t)n >= sizeof path)
		return -1;
	fd = opener_file(AT_FDCWD, path, true);
	if (fd < 0)
		return -1;
	if (!is_elf(fd) || (w->nid > 0 ? !has_id(fd, w) : w->crc != 0 && !has_crc(fd, w->crc))) {
		close(fd);
		return -1;
	}
	*found = cli_strdup(path);
	return fd;
}

/* Tries the program's directory and its subdirectory. */
static int
try_beside(
    const char *file, const char *within, const char *name, const struct wanted *w, char **found)
{
	int directory = (int)(strrchr(file, '/') - file);

	if (name[0] == '/')
		return try(w, found, "%s", name);
	return try(w, found, "%.*s/%s/%s", directory, file, within, name);
}

static int
try_id(const char *root, const struct wanted *w, char **found)
{
	char hex[2 * ID_MAX + 1];

	if (w->nid < 2)
		return -1;
	for (size_t i = 0; i < w->nid; i++)
		snprintf(hex + 2 * i, 3, "%02x", w->id[i]);
	return try(w, found, "%s/.build-id/%.2s/%s.debug", root, hex, hex + 2);
}

/* Tries the program's path below root, as libdwfl does below /usr/lib/debug. */
static int
try_root(const char *root, const char *file, const char *name, const struct wanted *w, char **found)
{
	int fd = try_id(root, w, found);

	/* Drops leading directories one by one: they may not exist below root. */
	for (const char *p = file; fd < 0 && p != NULL; p = strchr(p + 1, '/'))
		fd = try(w, found, "%s%.*s/%s", root, (int)(strrchr(p, '/') - p), p, name);
	return fd;
}

int
debugfile_find(char **debug_path, Dwfl_Module *mod, void **userdata, const char *name,
    Dwarf_Addr base, const char *file, const char *link, GElf_Word crc, char **found)
{
	char *all = *debug_path, *directories = cli_strdup(all), *next = directories, *directory;
	char own[NAME_MAX + 1], system[PATH_MAX] = "";
	struct wanted w = {.crc = crc};
	GElf_Addr at;
	int n = dwfl_module_build_id(mod, &w.id, &at), fd = -1;

	w.nid = n > 0 && n <= ID_MAX ? (size_t)n : 0;
	if (link != NULL && crc == 0)
		goto end; /* a dwz file; see debugfile_share */
	snprintf(own, sizeof own, "%s.debug", name);
	while (fd < 0 && (directory = strsep(&next, ":")) != NULL) {
		const char *wanted = link != NULL ? link : own;

		if (directory[0] == '/' && strncmp(directory, "/proc/", 6) != 0) {
			strlcat(system, ":", sizeof system);
			strlcat(system, directory, sizeof system);
		} else if (file == NULL || strrchr(file, '/') == NULL ||
			   (directory[0] == '\0' && strcmp(strrchr(file, '/') + 1, wanted) == 0)) {
			continue; /* would be the program itself */
		} else if (directory[0] == '/') {
			fd = try_root(directory, file, wanted, &w, found);
		} else {
			fd = try_beside(file, directory, wanted, &w, found);
		}
	}
	if (fd < 0 && system[0] != '\0') {
		*debug_path = system + 1;
		fd =
		    dwfl_standard_find_debuginfo(mod, userdata, name, base, file, link, crc, found);
		*debug_path = all;
	}
end:
	free(directories);
	return fd;
}

bool
debugfile_share(Dwarf *d, const char *file, Dwarf **shared)
{
	const char *name;
	const void *id;
	struct wanted w = {0};
	ssize_t n = dwelf_dwarf_gnu_debugaltlink(d, &name, &id);
	char *found = NULL;
	int fd;

	if (n <= 0)
		return true;
	if (n > ID_MAX || file == NULL || strrchr(file, '/') == NULL)
		return false;
	w.id = id;
	w.nid = (size_t)n;
	fd = try_id("/usr/lib/debug", &w, &found);
	if (fd < 0)
		fd = try_beside(file, "", name, &w, &found);
	free(found);
	if (fd < 0)
		return geteuid() != 0;
	*shared = dwarf_begin(fd, DWARF_C_READ);
	if (*shared != NULL && elf_cntl(dwarf_getelf(*shared), ELF_C_FDREAD) != 0) {
		dwarf_end(*shared);
		*shared = NULL;
	}
	close(fd); /* the mapping remains */
	if (*shared != NULL)
		dwarf_setalt(d, *shared);
	return *shared != NULL;
}
