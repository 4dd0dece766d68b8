/*
 * elfinflate: the compressed sections of debug files, inflated by libdeflate. libelf would use
 * zlib, which takes three times as long, and would inflate unused sections too: with a
 * packaged debug file that is most of the time of a small recording.
 */
#ifndef ELFINFLATE_H
#define ELFINFLATE_H

#include <stdbool.h>
#include <stddef.h>

#include <libelf.h>

/* Memory of inflated sections; initially zero. */
struct elfinflate {
	void **text;
	size_t n;
};

/*
 * Replaces the contents of compressed .debug_ sections, for libelf's and libdw's later calls;
 * call it before dwarf_begin_elf. Sections of locations, macros and indexes of names, which we
 * do not read, become empty. Sections that are corrupt, of another format, or already read
 * through elf_compress stay as they are, and so do sections that
 * overlap by more bytes than the file has. no_lines: .debug_line becomes empty, too. elf may be
 * NULL.
 */
void elfinflate_debug(struct elfinflate *e, Elf *elf, bool no_lines);

/* Adds memory of malloc(3) that is in use until elfinflate_free. */
void elfinflate_keep(struct elfinflate *e, void *text);

/* Call it after elf_end. */
void elfinflate_free(struct elfinflate *e);

#endif
