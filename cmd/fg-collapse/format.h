/*
 * format: interface of a format. A format is one file with one struct format, and one row
 * of formats.def. Its read function takes lines (or bytes) from the reader and passes
 * samples to the sampler, which applies the shared options.
 */
#ifndef FORMAT_H
#define FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/lines.h"
#include "fg-collapse/data.h"
#include "fg-collapse/reader.h"
#include "profile/foldedvalues.h"
#include "sample/sampler.h"

struct json;

struct format {
	unsigned provides; /* DATA_* */
	enum format_bytes { FORMAT_TEXT, FORMAT_BINARY, FORMAT_ANY } bytes; /* of its files */
	enum folded_values values; /* of events for which the reader sets no others */
	bool single; /* each weight is one sample's; if all are equal, that is the period */
	bool flat; /* its profiles have no stacks, or need not have any */
	bool pages; /* its files are pages of HTML, or pictures */
	bool reads_programs; /* reads the programs named in an input, for their symbols */
	/* Confidence that the first bytes of an input are of this format: 0 no, 100 yes. */
	int (*sniff)(const char *data, size_t len);
	/* Where input may be split into blocks; NULL: at every line. */
	lines_cut *cut;
	/* Passes all samples of an input to r->sampler. */
	void (*read)(struct reader *r);
	/* Instead of read, for JSON: passes the samples of a document. */
	void (*document)(struct reader *r, struct json *j);
	enum sample_order order; /* of its stacks */
};

/* All formats, in the order of --list-formats; the last row is zero. See formats.def. */
struct format_row {
	const char *name, *description, *origin;
	const struct format *format;
};
extern const struct format_row formats[];

const char *format_name(const struct format *format);

#endif
