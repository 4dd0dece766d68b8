/*
 * elffile: executable files through libelf and libdwfl. The files are untrusted: corruption is
 * an error of those libraries, a file truncated while mapped reads as zeros, and files that
 * could block are not opened.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>
#include <gelf.h>

#include "base/cli.h"
#include "base/decompress.h"
#include "elf/debugfile.h"
#include "elf/elffile.h"
#include "elf/elftable.h"

/* Bytes of a decompressed symbol table, per compressed byte. */
#define SYMBOLS_LEAST (1 << 20)
#define SYMBOLS_PER_BYTE 64

/*
 * A read of a mapped file that was truncated raises SIGBUS: supply zeros instead, which the ELF
 * and DWARF readers treat as corruption.
 */
static void
on_bus_error(int signal, siginfo_t *info, void *context)
{
	const uintptr_t page = (uintptr_t)getauxval(AT_PAGESZ);
	const int saved = errno;
	void *at = (void *)((uintptr_t)info->si_addr & ~(page - 1));

	(void)context;
	if (info->si_code != BUS_ADRERR ||
	    mmap(at, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		0) == MAP_FAILED) {
		struct sigaction action = {.sa_handler = SIG_DFL};

		sigaction(signal, &action, NULL);
	}
	errno = saved;
}

static void
guard_against_truncation(void)
{
	static bool done;
	struct sigaction action = {.sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO};

	if (done)
		return;
	done = true;
	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}

/* Files from perf inject --jit have sections but no segments. */
static void
read_sections(struct elffile *f)
{
	Elf_Scn *section = NULL;
	GElf_Shdr h;
	size_t n;

	if (elf_getshdrnum(f->elf, &n) != 0)
		return;
	free(f->segment);
	f->segment = cli_alloc(n + 1, sizeof *f->segment);
	while ((section = elf_nextscn(f->elf, section)) != NULL && f->nsegment < n)
		if (gelf_getshdr(section, &h) != NULL && h.sh_type == SHT_PROGBITS &&
		    (h.sh_flags & SHF_ALLOC) != 0)
			f->segment[f->nsegment++] = (struct elffile_segment){
			    h.sh_offset, h.sh_addr, h.sh_size, (h.sh_flags & SHF_EXECINSTR) != 0};
}

static void
read_segments(struct elffile *f)
{
	size_t n;

	if (elf_getphdrnum(f->elf, &n) != 0)
		return;
	f->segment = cli_alloc(n + 1, sizeof *f->segment);
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (gelf_getphdr(f->elf, (int)i, &p) != NULL && p.p_type == PT_LOAD)
			f->segment[f->nsegment++] = (struct elffile_segment){
			    p.p_offset, p.p_vaddr, p.p_filesz, (p.p_flags & PF_X) != 0};
	}
	if (n == 0)
		read_sections(f);
}

/* End address of the allocated sections of a file without segments; addresses start at 0. */
static GElf_Addr
sections_end(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Addr end = 0;
	GElf_Shdr h;

	while ((section = elf_nextscn(elf, section)) != NULL)
		if (gelf_getshdr(section, &h) != NULL && (h.sh_flags & SHF_ALLOC) != 0 &&
		    h.sh_addr + h.sh_size > end && h.sh_addr + h.sh_size >= h.sh_addr)
			end = h.sh_addr + h.sh_size;
	return end;
}

/* The file's address range, in whole pages. */
static bool
extent(Elf *elf, GElf_Addr *start, GElf_Addr *end)
{
	const GElf_Addr page = getauxval(AT_PAGESZ);
	size_t n;

	*start = UINT64_MAX;
	*end = 0;
	if (elf_getphdrnum(elf, &n) != 0)
		return false;
	if (n == 0) {
		*start = 0;
		*end = sections_end(elf);
	}
	for (size_t i = 0; i < n; i++) {
		GElf_Phdr p;

		if (gelf_getphdr(elf, (int)i, &p) == NULL || p.p_type != PT_LOAD ||
		    p.p_vaddr + p.p_memsz < p.p_vaddr)
			continue;
		if (*start == UINT64_MAX) /* libdwfl places the file by its first segment */
			*start = p.p_vaddr & ~(p.p_align > page ? p.p_align - 1 : page - 1);
		if (p.p_vaddr + p.p_memsz > *end)
			*end = p.p_vaddr + p.p_memsz;
	}
	return *start < *end;
}

/* Passes the open ELF handle to libdwfl, without a descriptor (Dwfl_Callbacks.find_elf). */
static int
find_elf(
    Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base, char **path, Elf **elf)
{
	struct elffile *f = *userdata;

	(void)mod;
	(void)name;
	(void)base;
	*path = strdup(f->path);
	*elf = f->elf;
	return -1;
}

/* Dwfl_Callbacks.find_debuginfo. */
static int
find_debuginfo(Dwfl_Module *mod, void **userdata, const char *name, Dwarf_Addr base,
    const char *file, const char *link, GElf_Word crc, char **found)
{
	struct elffile *f = *userdata;

	return debugfile_find(&f->debug_path, mod, userdata, name, base, file, link, crc, found);
}

static bool
report(struct elffile *f, const char *name)
{
	GElf_Addr start, end, bias;
	GElf_Ehdr header;
	void **userdata;

	if (f->elf == NULL || gelf_getehdr(f->elf, &header) == NULL ||
	    (header.e_type != ET_EXEC && header.e_type != ET_DYN) ||
	    !extent(f->elf, &start, &end) || (f->dwfl = dwfl_begin(&f->callbacks)) == NULL)
		return false;
	f->main = dwfl_report_module(f->dwfl, name, start, end);
	if (f->main == NULL)
		return false;
	dwfl_module_info(f->main, &userdata, NULL, NULL, NULL, NULL, NULL, NULL);
	*userdata = f;
	dwfl_report_end(f->dwfl, NULL, NULL);
	if (dwfl_module_getelf(f->main, &bias) == NULL)
		return false;
	f->owned = true;
	return bias == 0;
}

/* True if data decompress to at most `most` bytes, or are damaged. */
static bool
decompresses_within(const unsigned char *in, size_t n, uint64_t most)
{
	const struct decompression *kind = decompress_kind(in, n);
	struct decompress *d = kind == NULL ? NULL : decompress_new(kind);
	enum decompress_state state = DECOMPRESS_MORE;
	unsigned char out[65536];
	uint64_t all = 0;

	while (d != NULL && state == DECOMPRESS_MORE && all <= most) {
		size_t got = 0;

		state = decompress_step(d, &in, &n, out, sizeof out, &got);
		all += got;
		if (n == 0 && got == 0)
			break;
	}
	if (d != NULL)
		decompress_free(d);
	return all <= most;
}

/*
 * Empties a compressed symbol table (.gnu_debugdata), which libdwfl decompresses into memory, if it
 * is a bomb: others have a few times their compressed bytes.
 */
static void
limit_symbols(Elf *elf)
{
	Elf_Scn *section = elftable_section(elf, NULL, ".gnu_debugdata");
	Elf_Data *data = section == NULL ? NULL : elf_rawdata(section, NULL);

	if (data != NULL && data->d_buf != NULL &&
	    !decompresses_within(
		data->d_buf, data->d_size, SYMBOLS_LEAST + SYMBOLS_PER_BYTE * data->d_size))
		data->d_size = 0;
}

bool
elffile_open(struct elffile *f, const char *name, const char *path, const char *debug, int fd)
{
	guard_against_truncation();
	elf_version(EV_CURRENT);
	f->fd = fd;
	f->path = path;
	f->debug_path = cli_strdup(debug);
	f->callbacks = (Dwfl_Callbacks){
	    .find_elf = find_elf,
	    .find_debuginfo = find_debuginfo,
	    .section_address = dwfl_offline_section_address,
	    .debuginfo_path = &f->debug_path,
	};
	f->elf = elf_begin(fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (!report(f, name)) {
		elffile_close(f);
		return false;
	}
	read_segments(f);
	limit_symbols(f->elf);
	return true;
}

void
elffile_close_descriptor(struct elffile *f)
{
	if (f->fd < 0 || f->elf == NULL || elf_cntl(f->elf, ELF_C_FDREAD) != 0)
		return;
	close(f->fd);
	f->fd = -1;
}

void
elffile_close(struct elffile *f)
{
	if (f->dwfl != NULL)
		dwfl_end(f->dwfl);
	dwarf_end(f->shared);
	if (!f->owned)
		elf_end(f->elf);
	elfinflate_free(&f->inflated);
	if (f->fd >= 0)
		close(f->fd);
	free(f->segment);
	free(f->debug_path);
	*f = (struct elffile){.fd = -1};
}

uint64_t
elffile_vaddr(const struct elffile *f, uint64_t offset)
{
	const struct elffile_segment *found = NULL;
	const uint64_t page = getauxval(AT_PAGESZ);

	/* Two segments can share a page of the file: code is in the executable one. */
	for (size_t i = 0; i < f->nsegment; i++) {
		const struct elffile_segment *s = &f->segment[i];

		if (offset < (s->offset & ~(page - 1)) ||
		    (offset > s->offset && offset - s->offset >= s->size))
			continue;
		if (found == NULL || (s->executable && !found->executable))
			found = s;
	}
	return found != NULL ? offset - found->offset + found->vaddr : offset;
}

/* The file of the symbols: the program, or the debug file that libdwfl found; or NULL. */
static Elf *
symbols_file(struct elffile *f)
{
	GElf_Sym symbol;
	GElf_Addr address;
	GElf_Word section;
	Elf *elf = NULL;

	if (dwfl_module_getsymtab(f->main) > 1)
		dwfl_module_getsym_info(f->main, 1, &symbol, &address, &section, &elf, NULL);
	return elf;
}

Dwarf *
elffile_dwarf(struct elffile *f)
{
	const char *main = NULL, *debug = NULL;
	Dwarf_Addr bias = 0;

	if (f->main == NULL || f->tried_dwarf)
		return f->dwarf;
	f->tried_dwarf = true;
	elfinflate_debug(&f->inflated, f->elf, f->no_lines);
	elfinflate_debug(&f->inflated, symbols_file(f), f->no_lines);
	f->dwarf = dwfl_module_getdwarf(f->main, &bias);
	if (f->dwarf == NULL)
		return NULL;
	dwfl_module_info(f->main, NULL, NULL, NULL, NULL, NULL, &main, &debug);
	f->places = (struct module_places){debug != NULL ? debug : main, f->path, f->debug_path};
	/*
	 * Prelink changed a file's addresses, but not its debug file's; it is obsolete: not
	 * supported.
	 */
	if (bias != 0 || !debugfile_share(f->dwarf, f->places.debug, &f->shared))
		f->dwarf = NULL;
	return f->dwarf;
}
