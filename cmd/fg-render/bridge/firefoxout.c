/*
 * firefoxout: writer of the Firefox Profiler's processed format, version 49
 * (docs-developer/processed-profile-format.md and src/types/profile.js of its source). Each
 * column and root frame is a thread with its own tables. A table is written column by column.
 */
#include "fg-render/bridge/bridge.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "base/scale.h"
#include "base/sort.h"
#include "base/vec.h"
#include "profile/unit.h"

#define NS_PER_MS 1000000

/* A sample of an input in time order. */
struct moment {
	uint32_t root; /* its outermost frame */
	uint32_t node;
	value at, v; /* at: in ms */
};

struct thread {
	struct bridge *bridge;
	struct output *out;
	unsigned column;
	uint32_t root; /* its root frame */
	uint32_t *node; /* its frames, parents first */
	size_t n, cap;
	uint32_t *end; /* nodes where its stacks may end: frames and gaps */
	size_t nend, capend;
	struct moment *moment; /* instead of `end`, for an input in time order: its samples */
	size_t nmoment;
	uint32_t *place; /* by node of the tree: index in node[] */
	uint32_t *function; /* by name: number from 1; 0: not in this thread */
	uint8_t *kind; /* by name, of its functions: enum frame_kind */
	uint32_t *name; /* names of its functions */
	size_t nname, capname;
	struct text text;
};

/* Categories of frames, by enum frame_kind. */
static const struct {
	const char *name, *colour;
} categories[] = {
    [FRAME_USER] = {"User", "yellow"},
    [FRAME_LIBRARY] = {"Library", "lightblue"},
    [FRAME_KERNEL] = {"Kernel", "orange"},
    [FRAME_JIT] = {"JIT", "green"},
    [FRAME_WAKER] = {"Waker", "purple"},
    [FRAME_SCRIPT] = {"Script", "blue"},
};

static struct frame
frame_of(const struct thread *t, uint32_t name)
{
	const struct calltree_name *n = &t->bridge->tree->name[name];
	struct frame f;

	frame_read(&f, (struct str){n->s, n->len});
	return f;
}

/* Writes a list of n numbers from at(); "null" for negative ones. */
static void
write_list(struct thread *t, const char *key, size_t n, int64_t (*at)(struct thread *, size_t))
{
	output_printf(t->out, ",\n\"%s\":[", key);
	for (size_t i = 0; i < n; i++) {
		int64_t v = at(t, i);

		if (i > 0)
			output_char(t->out, ',');
		if (v < 0)
			output_text(t->out, "null");
		else
			output_count(t->out, (uint64_t)v);
	}
	output_char(t->out, ']');
}

static int64_t
nothing(struct thread *t, size_t i)
{
	(void)t, (void)i;
	return -1;
}

static int64_t
zero(struct thread *t, size_t i)
{
	(void)t, (void)i;
	return 0;
}

static int64_t
itself(struct thread *t, size_t i)
{
	(void)t;
	return (int64_t)i;
}

static int64_t
line_of(struct thread *t, size_t i)
{
	struct frame f = frame_of(t, t->name[i]);

	return f.line > 0 ? (int64_t)f.line : -1;
}

static int64_t
category_of(struct thread *t, size_t i)
{
	return t->kind[t->name[i]];
}

/*
 * Returns the string number of a function's file, or -1. The files follow the names of all
 * functions.
 */
static int64_t
file_of(struct thread *t, size_t i)
{
	return frame_of(t, t->name[i]).file.len > 0 ? (int64_t)(t->nname + i) : -1;
}

static int64_t
depth_inlined(struct thread *t, size_t i)
{
	return frame_of(t, t->name[i]).inlined;
}

static int64_t
stack_prefix(struct thread *t, size_t i)
{
	return i == 0 ? -1 : (int64_t)t->place[t->bridge->tree->node[t->node[i]].parent];
}

static int64_t
stack_frame(struct thread *t, size_t i)
{
	return t->function[t->bridge->tree->node[t->node[i]].name] - 1;
}

static int64_t
stack_category(struct thread *t, size_t i)
{
	return t->kind[t->bridge->tree->node[t->node[i]].name];
}

/* Starts a table; its other columns follow. */
static void
begin_table(struct thread *t, const char *key, size_t n)
{
	output_printf(t->out, ",\n\"%s\":{\"length\":%zu", key, n);
}

/* Writes a column with the same value for all functions. */
static void
write_alike(struct thread *t, const char *key, const char *is)
{
	output_printf(t->out, ",\n\"%s\":[", key);
	for (size_t i = 0; i < t->nname; i++) {
		if (i > 0)
			output_char(t->out, ',');
		output_text(t->out, is);
	}
	output_char(t->out, ']');
}

static void
write_tables(struct thread *t)
{
	size_t n = t->nname;

	begin_table(t, "frameTable", n);
	write_alike(t, "address", "-1");
	write_list(t, "inlineDepth", n, depth_inlined);
	write_list(t, "category", n, category_of);
	write_list(t, "subcategory", n, zero);
	write_list(t, "func", n, itself);
	write_list(t, "nativeSymbol", n, nothing);
	write_list(t, "innerWindowID", n, nothing);
	write_list(t, "implementation", n, nothing);
	write_list(t, "line", n, line_of);
	write_list(t, "column", n, nothing);
	output_char(t->out, '}');

	begin_table(t, "funcTable", n);
	write_list(t, "name", n, itself);
	write_alike(t, "isJS", "false");
	write_alike(t, "relevantForJS", "false");
	write_alike(t, "resource", "-1");
	write_list(t, "fileName", n, file_of);
	write_list(t, "lineNumber", n, line_of);
	write_list(t, "columnNumber", n, nothing);
	output_char(t->out, '}');

	begin_table(t, "stackTable", t->n);
	write_list(t, "prefix", t->n, stack_prefix);
	write_list(t, "frame", t->n, stack_frame);
	write_list(t, "category", t->n, stack_category);
	write_list(t, "subcategory", t->n, zero);
	output_text(t->out,
	    "},\n\"resourceTable\":{\"length\":0,\"lib\":[],\"name\":[],\"host\":[],\"type\":[]}"
	    ",\n\"nativeSymbols\":{\"length\":0,\"address\":[],\"functionSize\":[],\"libIndex\":[],"
	    "\"name\":[]}"
	    ",\n\"markers\":{\"length\":0,\"category\":[],\"data\":[],\"endTime\":[],\"name\":[],"
	    "\"phase\":[],\"startTime\":[]}");
}

static void
write_strings(struct thread *t)
{
	output_text(t->out, ",\n\"stringArray\":[");
	for (size_t i = 0; i < 2 * t->nname; i++) {
		struct frame f;

		text_cut(&t->text, 0);
		text_puts(&t->text, i > 0 ? ",\n" : "");
		if (i < t->nname)
			text_json(&t->text, bridge_function(t->bridge, t->name[i], &f));
		else
			json_clean(&t->text, frame_of(t, t->name[i - t->nname]).file);
		output_write(t->out, t->text.s, t->text.len);
	}
	output_char(t->out, ']');
}

/*
 * Returns the limit of a thread's samples; sample_of returns the i-th with node, time (ms) and
 * value, or false if there is none.
 */
static size_t
count(const struct thread *t)
{
	return t->bridge->times != NULL ? t->nmoment : t->nend;
}

static bool
sample_of(const struct thread *t, size_t i, uint32_t *node, value *at, value *v)
{
	if (t->bridge->times != NULL) {
		*node = t->moment[i].node;
		*at = t->moment[i].at;
		*v = t->moment[i].v;
		return true;
	}
	*node = t->end[i];
	*v = bridge_value(t->bridge, *node, t->column);
	return bridge_ends(t->bridge, *node, t->column);
}

/* Converts a time in a unit of `ns` nanoseconds to ms. */
static value
in_ms(value v, uint64_t ns)
{
	return ns >= NS_PER_MS ? v * (ns / NS_PER_MS) : v / (NS_PER_MS / ns);
}

/*
 * Returns the duration of a sample in ms if the input has no times: its value if that is a
 * time, else 1.
 */
static value
time_of(value v, uint64_t ns)
{
	return ns > 0 ? in_ms(v, ns) : VALUE_ONE;
}

static void
write_samples(struct thread *t)
{
	const struct bridge *b = t->bridge;
	const char *unit = bridge_unit(b, t->column);
	uint64_t ns = unit_ns(unit);
	value sum = 0, at = 0, v;
	uint32_t node;
	size_t n = 0;

	for (size_t i = 0; i < count(t); i++)
		n += sample_of(t, i, &node, &at, &v);
	begin_table(t, "samples", n);
	output_printf(t->out, ",\"weightType\":\"%s\",\n\"stack\":[",
	    ns > 0		    ? "tracing-ms"
	    : unit_bytes(unit) == 1 ? "bytes"
				    : "samples");
	for (int pass = 0; pass < 3; pass++) {
		static const char *const next[] = {"],\n\"time\":[", "],\n\"weight\":[", "]}"};
		bool any = false;

		for (size_t i = 0; i < count(t); i++) {
			if (!sample_of(t, i, &node, &at, &v))
				continue;
			if (any)
				output_char(t->out, ',');
			any = true;
			if (pass == 0) {
				output_count(t->out, t->place[node]);
			} else if (pass == 2) {
				output_value(t->out, ns > 0 ? in_ms(v, ns) : v);
			} else {
				output_value(t->out, b->times != NULL ? at : sum);
				sum += time_of(v, ns);
			}
		}
		output_text(t->out, next[pass]);
	}
}

/* Collects the frames of a root frame; returns the first node after them. */
static uint32_t
collect(struct thread *t, uint32_t *depth)
{
	const struct bridge *b = t->bridge;
	uint32_t node = t->root;

	for (; node != 0 && (*depth > 1 || node == t->root);
	     node = calltree_next(b->tree, node, depth)) {
		uint32_t name = b->tree->node[node].name;

		vec_fit(t->end, t->capend, t->nend + 1);
		t->end[t->nend++] = node;
		t->place[node] = t->place[b->tree->node[node].parent];
		if (!bridge_is_frame(b, node))
			continue;
		vec_fit(t->node, t->cap, t->n + 1);
		t->place[node] = (uint32_t)t->n;
		t->node[t->n++] = node;
		if (t->function[name] == 0) {
			vec_fit(t->name, t->capname, t->nname + 1);
			t->name[t->nname++] = name;
			t->function[name] = (uint32_t)t->nname;
			t->kind[name] = (uint8_t)frame_of(t, name).kind;
		}
	}
	return node;
}

static void
write_thread(struct thread *t, bool first)
{
	struct bridge *b = t->bridge;
	struct frame f;

	text_cut(&t->text, 0);
	text_puts(&t->text, first ? "{" : ",\n{");
	text_puts(&t->text, "\"name\":");
	text_json(&t->text, bridge_function(b, b->tree->node[t->root].name, &f));
	text_printf(
	    &t->text, ",\"isMainThread\":true,\"processType\":\"default\",\"processName\":");
	json_clean(&t->text, str_of(bridge_column(b, t->column)));
	text_printf(&t->text,
	    ",\"pid\":\"%u\",\"tid\":%u,\"processStartupTime\":0,\"processShutdownTime\":null,"
	    "\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[]",
	    t->column, t->root);
	output_write(t->out, t->text.s, t->text.len);
	write_tables(t);
	write_samples(t);
	write_strings(t);
	output_char(t->out, '}');
}

static bool
has_values(const struct thread *t)
{
	uint32_t node;
	value at, v;

	for (size_t i = 0; i < count(t); i++)
		if (sample_of(t, i, &node, &at, &v))
			return true;
	return false;
}

static int
by_root(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return (x->root > y->root) - (x->root < y->root);
}

/*
 * Returns the samples of a column, grouped by root frame, each group in time order. The caller
 * frees it.
 */
static struct moment *
moments(const struct bridge *b, unsigned k, size_t *n)
{
	struct moment *m = cli_alloc(b->times->n + 1, sizeof *m);
	uint32_t *root = cli_alloc(b->tree->nnode, sizeof *root);
	uint64_t ns = unit_ns(bridge_unit(b, k));
	value sum = 0;

	*n = 0;
	for (uint32_t i = 1; i < b->tree->nnode; i++) {
		uint32_t parent = b->tree->node[i].parent;

		root[i] = parent == CALLTREE_ROOT ? i : root[parent];
	}
	for (size_t i = 0; i < b->times->n; i++) {
		const struct time_sample *s = &b->times->sample[i];

		if (s->column != b->column[k])
			continue;
		m[(*n)++] = (struct moment){root[s->node], s->node,
		    b->times->marked ? value_of(s->at) / NS_PER_MS : sum, s->v};
		sum += time_of(s->v, ns);
	}
	sort_items(m, *n, sizeof *m, by_root);
	free(root);
	return m;
}

/* Selects the samples of the current thread. */
static void
choose_moments(struct thread *t, struct moment *all, size_t n)
{
	size_t from = 0, to = n;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (all[middle].root < t->root)
			from = middle + 1;
		else
			to = middle;
	}
	t->moment = all + from;
	for (t->nmoment = 0; from < n && all[from].root == t->root; from++)
		t->nmoment++;
}

/* Returns the sampling interval in ms: the greatest common divisor of the times, or 1. */
static value
interval(const struct bridge *b)
{
	value step = 0;

	for (size_t i = 0; b->times != NULL && i < b->times->n; i++)
		step = scale_divisor(step, value_of(b->times->sample[i].at) / NS_PER_MS);
	return step > 0 ? step : VALUE_ONE;
}

static void
write_meta(struct bridge *b, struct output *o)
{
	char step[VALUE_CHARS];
	struct text t = {0};

	value_format(interval(b), step);
	text_printf(&t,
	    "{\"meta\":{\"version\":24,\"preprocessedProfileVersion\":49,\"interval\":%s,", step);
	text_puts(&t, "\"startTime\":0,\"processType\":0,\"stackwalk\":1,\"debug\":false,"
		      "\"symbolicated\":true,\"sourceCodeIsNotOnSearchfox\":true,"
		      "\"usesOnlyOneStackType\":true,\"doesNotUseFrameImplementation\":true,"
		      "\"markerSchema\":[],\"extensions\":{\"length\":0,\"baseURL\":[],\"id\":[],"
		      "\"name\":[]},\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
		      "\"threadCPUDelta\":\"ns\"},\n\"importedFrom\":\"fg-render\",\"product\":");
	json_clean(&t, str_of(b->options->title));
	text_puts(&t, ",\n\"categories\":[");
	for (size_t i = 0; i < sizeof categories / sizeof categories[0]; i++)
		text_printf(&t,
		    "%s{\"name\":\"%s\",\"color\":\"%s\",\"subcategories\":[\"Other\"]}",
		    i > 0 ? "," : "", categories[i].name, categories[i].colour);
	text_puts(&t, "]},\n\"libs\":[],\"pages\":[],\"counters\":[],\"profilerOverhead\":[],\n"
		      "\"threads\":[");
	output_write(o, t.s, t.len);
	text_free(&t);
}

void
bridge_firefox(const struct picture *p, struct output *o)
{
	struct bridge b;
	bool first = true;
	struct thread t = {.bridge = &b, .out = o};

	bridge_open(&b, p);
	t.place = cli_alloc(b.tree->nnode, sizeof *t.place);
	t.function = cli_alloc(b.tree->nname, sizeof *t.function);
	t.kind = cli_alloc(b.tree->nname, sizeof *t.kind);
	write_meta(&b, o);
	for (t.column = 0; t.column < b.carried.columns.n; t.column++) {
		uint32_t depth = 0, node = calltree_next(b.tree, CALLTREE_ROOT, &depth);
		struct moment *all = NULL;
		size_t n = 0;

		if (b.times != NULL)
			all = moments(&b, t.column, &n);
		while (node != 0) {
			t.root = node;
			node = collect(&t, &depth);
			choose_moments(&t, all, n);
			if (has_values(&t)) {
				write_thread(&t, first);
				first = false;
			}
			for (; t.nname > 0; t.nname--)
				t.function[t.name[t.nname - 1]] = 0;
			t.n = t.nend = 0;
		}
		free(all);
	}
	output_text(o, "]}\n");
	free(t.place);
	free(t.function);
	free(t.kind);
	free(t.node);
	free(t.end);
	free(t.name);
	text_free(&t.text);
	bridge_close(&b);
}
