/*
 * render: the data that flow through fg-render. The options are filled by main,
 * the tree by stacks_read, the picture's names, widths and colours from both,
 * and then either a text report or the SVG is written.
 */
#ifndef RENDER_H
#define RENDER_H

#include <iconv.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/output.h"
#include "base/text.h"
#include "profile/calltree.h"
#include "profile/folded.h"
#include "profile/frame.h"
#include "profile/unit.h"

enum report {
	REPORT_SVG,
	REPORT_TOP,
	REPORT_TREE,
	REPORT_MARKDOWN,
	REPORT_FLAME,
	REPORT_PPROF, /* from here on profiles of other tools, bridge/bridge.h */
	REPORT_SPEEDSCOPE,
	REPORT_FIREFOX,
	REPORT_OTLP,
	REPORT_OTLPJSON,
	REPORT_D3,
};

/* What decides a frame's colour. */
enum mode {
	MODE_AUTO, /* settled once the input is known */
	MODE_ORIGIN,
	MODE_FUNCTION,
	MODE_DIFFERENTIAL,
	MODE_BOTTLENECK,
	MODE_WAIT,
	MODE_PALETTE, /* a classic one, options.palette */
};

struct attribute {
	char *name, *value;
};

/* The attributes of one function, from --nameattr. */
struct nameattr {
	char *function;
	struct attribute *attribute;
	size_t n, cap;
	bool drawn; /* so that an id stands once */
};

struct nameattrs {
	struct nameattr *of; /* sorted by function */
	size_t n, cap;
};

struct options {
	enum report report;
	const char *output, *title, *subtitle, *notes, *nametype;
	const char *countname; /* NULL: what the input says, or samples */
	const char *encoding; /* of names, when it is not UTF-8 */
	iconv_t from; /* the same */
	const char *fonttype;
	double fontsize, fontwidth; /* fontwidth: of one character, in font sizes */
	int width; /* pixels; 0: fluid */
	int height; /* of a row, pixels */
	double minwidth; /* of a frame in the static layer, pixels */
	bool minwidth_percent; /* ... or percent of the whole */
	value total; /* 0: the sum */
	double factor; /* for figures */
	enum mode mode;
	int palette; /* index for palette_name, -1 for none */
	const char *bgcolors[2], *searchcolor;
	const char *uicolor, *strokecolor; /* NULL: not given */
	const char *palette_map; /* file of --cp */
	const char *nameattr; /* file */
	struct base {
		const char *name;
		bool optional; /* --skip-after: stacks without it stay as they are */
	} * base; /* where stacks begin: --base and --skip-after */
	size_t nbase, capbase;
	const char *column;
	const char **resource; /* key=value, of -T otlp */
	size_t nresource, capresource;
	uint32_t max_depth; /* of -T tree and flame, rows of the still picture; 0: not given */
	double min_percent;
	bool random, colordiffusion, negate;
	enum order { ORDER_NAME, ORDER_WEIGHT, ORDER_INPUT } order; /* of siblings */
	enum chains { CHAINS_AUTO, CHAINS_FOLD, CHAINS_KEEP } chains; /* in the still picture */
	bool reverse, inverted, flamechart;
	bool truncate_right, no_javascript, open, heatmap;
};

/* Where a frame's code comes from, as far as its name and its profile tell it. */
enum origin { ORIGIN_USER, ORIGIN_LIBRARY, ORIGIN_SYSTEM, ORIGIN_UNKNOWN };

/* A frame name as a viewer reads it: what is text and what are properties. Points into the name. */
struct name {
	const char *text; /* without annotations, module and source */
	uint32_t len;
	uint32_t all; /* length of the whole name */
	uint32_t bare; /* length of module and text: the name without annotations and source */
	const char *start; /* where these begin */
	uint32_t module; /* length of the module before the backtick, 0 for none */
	struct str file; /* of its source */
	unsigned line;
	enum frame_kind kind; /* of its annotation; FRAME_USER: it has none */
	bool inlined; /* _[i] */
	enum origin origin;
};

/* What a static picture draws of the columns, and how wide a frame is. */
enum widths { WIDTHS_FIRST, WIDTHS_MAX, WIDTHS_SUM };

/*
 * With --heatmap, and of what becomes a profile in order of time: what was sampled when.
 */
struct times {
	struct time_sample {
		uint64_t at; /* ns, of the step of time in which it was */
		uint32_t node;
		uint32_t column; /* of the tree; with --heatmap of the one that is drawn */
		value v;
	} * sample;
	size_t n, cap;
	bool marked; /* the input has time marks; else at is 0 */
	uint64_t lost; /* stacks before the first time mark of their file */

	/* Of times_settle. */
	uint64_t step; /* ns, of the marks */
	uint64_t start; /* ns, where the first column of the strip begins */
	uint64_t across; /* ns, what a column spans */
	uint64_t cell; /* ns, what a cell does */
	uint32_t columns, rows;
};

struct picture {
	const struct options *options;
	struct calltree *tree;
	struct times *times; /* NULL without --heatmap and order of time */
	struct folded_columns columns; /* all that the tree has */
	unsigned ncolumn;
	unsigned column[CALLTREE_COLUMNS]; /* those drawn, as columns of the tree */
	int noise; /* index into column of the one called noise, or -1 */
	char *unit[CALLTREE_COLUMNS]; /* of each drawn column, clean text */
	enum mode mode;
	enum widths widths;
	struct nameattrs attributes;
	bool annotated; /* names say _[k], _[l] or _[j]: those that do not are of a program */
	uint32_t gap; /* number of the flame chart's gap name, or 0 */

	/* By name number: valid UTF-8 without control characters. */
	struct calltree_name *text;
	struct name *name;
	uint32_t *function; /* the first name, by rank, of the same function */
	uint32_t *rank; /* place in the sorted table of names; the root is 0 */
	uint16_t *class; /* colour class of a name: an index into the mode's classes */
	struct text colours; /* of --cp: "#rrggbb" per class */

	/* By node, in samples, for drawing. */
	double *width;
	double *base, *head; /* with differential */
	bool *quiet; /* with a noise column: nothing but noise below */
	uint8_t *dominant; /* with bottleneck and wait: the largest column, or one past the last */
	double whole; /* width of the root, with --total */

	uint64_t scale; /* by which self values are multiplied to make them whole */
	value sum[CALLTREE_COLUMNS]; /* by index into column, exact */
};

/* Whether a name is that of gaps, which take room but are no frames. */
static inline bool
picture_is_gap(const struct picture *p, uint32_t name)
{
	return p->gap != 0 && name == p->gap;
}

/* stacks.c */
struct calltree *stacks_read(
    const struct options *o, struct folded *folded, struct times *times, int nfile, char **file);
uint32_t stacks_gap(const struct calltree *t); /* the name of gaps in a flame chart, or 0 */

/* times.c */
void times_add(struct times *t, struct time_sample s);
void times_sort(struct times *t); /* by time; what is of the same in the order of the input */
bool times_parse(struct str mark, uint64_t *at); /* "12.340 s" */
void times_settle(struct times *t); /* after the last one: the step and the strip's cells */
void times_write(const struct picture *p, struct output *o); /* for the viewer */

/* strip.c: activity over time, above the graph of the still picture and of the live one. */
#define STRIP_SHADES 5
double strip_height(const struct picture *p); /* pixels, with its line of marks; 0: there is none */
void strip_write(const struct picture *p, double x, double y, double width, struct output *o);

/* layout.c: fills p from its tree, columns and options; puts siblings in order of weight. */
void layout(struct picture *p);
double layout_self(const struct picture *p, uint32_t node, unsigned k);
double *layout_totals(const struct picture *p, unsigned k); /* by node; the caller frees them */
double layout_own(const struct picture *p, uint32_t node); /* width without children */
value layout_total(const struct picture *p); /* of the first column, exact, with --total */
double layout_percent(const struct picture *p, value v); /* of that */
/* A value of drawn column k with its unit, times --factor. */
void layout_figure(const struct picture *p, unsigned k, struct text *b, value v);
/* "17.3 s, 17,339 samples", of all; of a differential "base 1.2 s -> head 1.5 s (+25 %)". */
void layout_heading(const struct picture *p, struct text *b);
value layout_whole(const struct picture *p); /* what the root's width stands for, exact */

/* name.c */
struct name name_parse(const char *s, uint32_t len); /* all but its origin */
enum origin name_origin(const struct name *n, bool annotated_profile);
uint32_t name_hash(const struct name *n); /* the same in every picture and in the viewer */

/* names.c: fills p's text, name and function, from its tree and rank. */
void names_clean(struct picture *p);

/* label.c: append at most `columns` characters of name n to b, nothing under three. */
void label_add(struct text *b, const struct name *n, unsigned columns, bool cut_right);
struct shown;
/* The whole label of what a still picture shows, marks and all; nothing where there is no room. */
void label_shown(const struct picture *p, const struct shown *s, unsigned class, unsigned columns,
    struct text *b);

/* cells.c: of clean text */
unsigned label_width(const char *s, size_t len); /* in character cells */
unsigned label_cells(const char *s, size_t *bytes); /* of the character at s: 0, 1 or 2 */
/* Whether a character turns or hides text, and how it is shown instead: "\\u202e". */
#define LABEL_ESCAPE 12
bool label_hides(const char *s, size_t bytes, char shown[LABEL_ESCAPE]);

struct legend {
	unsigned class;
	const char *label;
};

/* classic.c: flamegraph.pl's palettes, by number; a class is a hue's shade */
#define CLASSIC_SHADES 16
int classic_find(const char *name); /* or -1 */
const char *classic_name(int palette);
const char *classic_background(int palette); /* a name for palette_background */
const struct legend *classic_legend(int palette); /* ends with a NULL label */
unsigned classic_class(const struct picture *p, uint32_t name);
unsigned classic_classes(void); /* how many there are */
void classic_hex(unsigned class, char hex[8]);
/* For the viewer: the hues of n names, a byte each, in each palette that has rules; all palettes.
 */
void classic_add_hues(struct text *b, const struct name *const *name, uint32_t n);
void classic_add_shades(struct text *b); /* JSON: of each hue red, green, blue: least, range */
void classic_add_table(struct text *b); /* JSON: {name: [hue or -1, [class, label]...]} */

/* palettemap.c: the file of --cp; fills p's class and colours. */
void palettemap(struct picture *p);

/* palette.c */
const char *palette_strip(unsigned shade, bool dark); /* of the strip, 0: nothing ran */
bool palette_mode(const char *name, enum mode *mode);
bool palette_colour(const char *s); /* whether it is #rgb or #rrggbb */
bool palette_background(const char *name, const char *stop[2]); /* false for an unknown one */
const char *palette_name(const struct picture *p); /* of its mode or palette */
void palette_names(struct picture *p); /* the class of each name */
unsigned palette_node(const struct picture *p, uint32_t node);
const char *palette_prefix(const struct picture *p); /* of the mode's classes */
unsigned palette_classes(const struct picture *p);
void palette_hex(const struct picture *p, unsigned class, char hex[8]); /* in the light theme */
bool palette_is_dark(const struct picture *p, unsigned class); /* white stands out on it */
void palette_css(
    const struct picture *p, struct text *b); /* the dark theme of the static picture */
void palette_live_css(const struct picture *p, struct text *b); /* all that a live one can show */
void palette_add_table(struct text *b); /* JSON: {name: [prefix, label...]} */
const struct legend *palette_legend(const struct picture *p); /* ends with a NULL label */
/* How the change of a frame is told without its colour; takes two characters, or none. */
const char *palette_mark(const struct picture *p, unsigned class);
int palette_hatched(const struct picture *p); /* the class of what is gone, or -1 */
bool palette_pale(const struct picture *p, unsigned class); /* dark in the dark theme */

/* nameattr.c */
void nameattr_read(struct nameattrs *all, const char *path);
struct nameattr *nameattr_find(const struct nameattrs *all, const char *function); /* or NULL */
void nameattr_free(struct nameattrs *all);

/* packed.c */
struct payload { /* while it is made */
	const struct text *raw;
	unsigned char *zipped;
	size_t len;
	pthread_t thread;
	bool threaded;
};
void payload_begin(struct payload *k, const struct text *raw); /* which stays until payload_end */
void payload_end(struct payload *k, const char *name, struct output *o);
void payload_write(struct output *o, const char *name, const struct text *raw); /* both */
void payload_element(struct output *o, const char *name, const char *base64); /* of gzip */
void payload_varint(struct text *b, uint64_t v); /* LEB128 */

/* columns.c */
struct columns {
	struct text pops, ids, value[CALLTREE_COLUMNS];
	struct payload packed[2 + CALLTREE_COLUMNS]; /* in this order */
};
void columns_build(const struct picture *p, struct columns *c); /* packs them in the background */
void columns_write(const struct picture *p, struct columns *c, struct output *o);
void columns_free(struct columns *c);
void columns_names(const struct picture *p, struct output *o);
uint64_t columns_whole(const struct picture *p, value v); /* as self values are written */
uint32_t columns_units(
    const char *s, size_t len); /* of clean text in UTF-16, as JavaScript counts */

/* tables.c: what fg-render knows of names and colours, for the viewer */
void tables_write(const struct picture *p, struct output *o);

/* xml.c */
#define XML_SECTION (7 * 1024 * 1024) /* libxml2 refuses text or an attribute of 10 MB */
void xml_escape(struct text *b, const char *s, size_t len); /* clean text */
void xml_string(struct output *o, const char *s); /* cleaned and escaped */
void xml_json(struct output *o, const char *s, size_t len); /* a JSON string in a CDATA section */
void xml_add_json(struct text *b, const char *s, size_t len); /* the same */
size_t xml_clean(struct text *b, const char *s, size_t len); /* append as valid XML text */
char *xml_copy(const char *s); /* a clean copy; the caller frees it */

/* walk.c */
struct shown {
	uint32_t node, last; /* the first and the last frame of a chain */
	uint32_t count; /* frames of the chain, or of the block of others */
	bool others; /* neighbours that are too narrow */
	uint32_t row; /* the root's is 0 */
	double from, width; /* in samples */
};
struct walk {
	double narrow; /* frames of less width are others, */
	double least; /* and not shown at all where these have less together */
	bool fold; /* chains */
	void (*show)(void *context, const struct shown *s); /* parents first, from left to right */
	void *context;
};
void walk(const struct picture *p, const struct walk *w);

/* layer.c: the frames of the static picture, with y growing downwards from the root's row. */
struct layer {
	struct bar { /* sorted by class, row and x */
		unsigned class; /* one more than there are: neighbours that are too narrow */
		uint32_t row;
		long long x, width; /* in tenths of a pixel */
	} * bar;
	size_t bars, cap;
	struct text text, links;
	struct text label; /* the one at hand */
	uint32_t rows; /* that are drawn, beside the root's */
	uint32_t above; /* rows that are left out, since hardly anything is in them */
};
void layer_build(const struct picture *p, double width, struct layer *l);
void layer_write(const struct picture *p, const struct layer *l, struct output *o);
void layer_free(struct layer *l);

/* svg.c */
void svg_write(const struct picture *p, struct output *o);

/* functions.c: by name number; only the first name of a function has its sums and a name */
struct function {
	const struct name *name; /* NULL: another's stands for it, or it is the gap */
	value self, total; /* recursion counted once */
	uint32_t node; /* its widest frame, 0 for none */
	uint32_t deepest; /* so many of its frames at once */
	uint32_t open; /* of functions_sum */
};
struct function *functions_sum(const struct picture *p, unsigned k); /* the caller frees it */
uint32_t functions_at(const struct picture *p, uint32_t node); /* whose self a frame's is */
int functions_by_self(const void *a, const void *b); /* largest first, those without name last */

/* summary.c: sentences of words and names */
struct summary_part {
	enum { SUMMARY_WORDS, SUMMARY_NAME, SUMMARY_END } kind; /* END: of a sentence */
	size_t begin, end; /* of words, in summary.words */
	uint32_t name, node; /* of a name, and the frame that is its place */
};
struct summary {
	struct text words;
	struct summary_part *part;
	size_t n, cap;
};
void summarize(const struct picture *p, struct summary *s);
void summarize_changes(const struct picture *p, struct summary *s); /* changes.c */
void summary_free(struct summary *s);

/* say.c: what these are made of, added at the end; a value is of drawn column k */
#define SUMMARY_NAMES 5 /* the most in a sentence */
__attribute__((format(printf, 2, 3))) void say(struct summary *s, const char *fmt, ...);
void say_figure(const struct picture *p, struct summary *s, unsigned k, value v);
/* " 41.2 %", and how far from that it may be: in 95 of 100 samplings it would be within. */
void say_share(const struct picture *p, struct summary *s, unsigned k, value v);
/* "1,204 functions", and what comes after. */
void say_number(struct summary *s, uint32_t n, const char *what, const char *after);
/* A function, whose place is that frame. */
void say_name(struct summary *s, uint32_t name, uint32_t node);
void say_stop(struct summary *s);
/* How many samples the whole of a column is made of; 0: not known. */
double say_samples(const struct picture *p, unsigned k);

/*
 * waits.c: whose a stack's time is. On a CPU it is its last frame's. Off it that frame is
 * the kernel's scheduler, which says nothing: then it is the program's function that waits.
 */
struct waits {
	bool off[CALLTREE_COLUMNS]; /* by drawn column: time off the CPU */
	struct value_array self; /* by node, of all that is drawn; freed with value_array_free */
	value whole, waited; /* of these, and off the CPU */
};
void waits_find(const struct picture *p, bool off[CALLTREE_COLUMNS]);
struct waits waits_sum(const struct picture *p);

/* markdown.c */
void report_markdown(const struct picture *p, struct output *o);
/* For the viewer: JSON, a list of sentences, each of texts and [name, frame] in pre-order. */
struct summary_job { /* while it is made, from a picture that does not change meanwhile */
	const struct picture *p;
	struct text text;
	pthread_t thread;
	bool threaded;
};
void summary_begin(const struct picture *p, struct summary_job *j);
void summary_end(struct summary_job *j, struct output *o);

/* terminal.c */
void report_flame(const struct picture *p, struct output *o);

/* report.c */
void report_top(const struct picture *p, struct output *o);
void report_tree(const struct picture *p, struct output *o);

#endif
