/*
 * elfinflate: a section's header loses its mark of compression, and its data point to our copy,
 * as after elf_compress(3).
 */
#include "elf/elfinflate.h"

#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "base/cli.h"

void
elfinflate_keep(struct elfinflate *e, void *text)
{
	e->text = cli_realloc(e->text, e->n + 1, sizeof *e->text);
	e->text[e->n++] = text;
}

#ifdef HAVE_LIBDEFLATE

#include <libdeflate.h>

/* Bytes that one byte of deflate's format can produce at most: a greater size is corruption. */
#define RATIO_MAX 1032

static bool
unread(const char *name)
{
	static const char *const start[] = {".debug_loc", ".debug_mac", ".debug_pub"};

	for (size_t i = 0; i < sizeof start / sizeof start[0]; i++)
		if (strncmp(name, start[i], strlen(start[i])) == 0)
			return true;
	return false;
}

/* Inflates a section of that size, without its header; NULL if it is corrupt. */
static void *
contents(struct libdeflate_decompressor *d, const char *from, size_t n, size_t size)
{
	void *text;

	if (size == 0 || size / RATIO_MAX > n || (text = cli_pages(size)) == NULL)
		return NULL;
	if (libdeflate_zlib_decompress(d, from, n, text, size, NULL) == LIBDEFLATE_SUCCESS)
		return text;
	free(text);
	return NULL;
}

/* Inflates a section of at most *left bytes, which it reduces by its size. */
static void
inflate_section(struct elfinflate *e, struct libdeflate_decompressor *d, Elf_Scn *section,
    GElf_Shdr *h, size_t header, bool empty, size_t *left)
{
	GElf_Chdr c;
	Elf_Data *data;
	void *text = NULL;

	if (gelf_getchdr(section, &c) == NULL || c.ch_type != ELFCOMPRESS_ZLIB ||
	    (data = elf_getdata(section, NULL)) == NULL || data->d_buf == NULL ||
	    data->d_size < header)
		return;
	if (!empty && data->d_size > *left)
		return;
	if (!empty)
		*left -= data->d_size;
	if (empty)
		c.ch_size = 0;
	else if ((text = contents(d, (const char *)data->d_buf + header, data->d_size - header,
		      c.ch_size)) == NULL)
		return;
	h->sh_flags &= ~(GElf_Xword)SHF_COMPRESSED;
	h->sh_size = c.ch_size;
	h->sh_addralign = c.ch_addralign;
	if (gelf_update_shdr(section, h) == 0) {
		free(text);
		return;
	}
	data->d_type = ELF_T_BYTE;
	data->d_buf = text;
	data->d_size = c.ch_size;
	data->d_align = c.ch_addralign;
	if (text != NULL)
		elfinflate_keep(e, text);
}

void
elfinflate_debug(struct elfinflate *e, Elf *elf, bool no_lines)
{
	struct libdeflate_decompressor *d = NULL;
	Elf_Scn *section = NULL;
	size_t names, header, left; /* bytes: more than the file has are sections that overlap */

	if (elf == NULL || elf_getshdrstrndx(elf, &names) != 0 || elf_rawfile(elf, &left) == NULL)
		return;
	header = gelf_fsize(elf, ELF_T_CHDR, 1, EV_CURRENT);
	while ((section = elf_nextscn(elf, section)) != NULL) {
		GElf_Shdr h;
		const char *name;

		if (gelf_getshdr(section, &h) == NULL || (h.sh_flags & SHF_COMPRESSED) == 0 ||
		    (name = elf_strptr(elf, names, h.sh_name)) == NULL ||
		    strncmp(name, ".debug_", 7) != 0 ||
		    (d == NULL && (d = libdeflate_alloc_decompressor()) == NULL))
			continue;
		inflate_section(e, d, section, &h, header,
		    unread(name) || (no_lines && strcmp(name, ".debug_line") == 0), &left);
	}
	libdeflate_free_decompressor(d);
}

#else

void
elfinflate_debug(struct elfinflate *e, Elf *elf, bool no_lines)
{
	(void)e;
	(void)elf;
	(void)no_lines;
}

#endif

void
elfinflate_free(struct elfinflate *e)
{
	for (size_t i = 0; i < e->n; i++)
		free(e->text[i]);
	free(e->text);
	*e = (struct elfinflate){0};
}
