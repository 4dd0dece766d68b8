/*
 * threadtables: reads tables of columns or of rows; rows become columns, whose positions a
 * schema gives.
 */
#include "fg-collapse/firefox/threadtables.h"

#include "fg-collapse/shape/scan.h"

#define ROW 12 /* limit of columns read per row; as a position: none */

/* A column of a table by name: an array, or a position in rows. */
struct column {
	const char *name;
	struct json_indices *index; /* index or number is set */
	struct json_numbers *number;
	uint32_t place; /* position if no schema is given; ROW for none */
	struct text *text; /* instead of index and number: a string */
};

/* Adds a number; null is -1. */
static void
add_number(struct json *j, struct json_numbers *x)
{
	static const struct json_number none = {VALUE_ONE, true};
	struct json_number n;

	json_numbers_add(x, json_number(j, &n) ? n : none);
}

static void
add_index(struct json_indices *x, struct json_number n)
{
	json_indices_add(x, json_index_of(n));
}

/* Reads rows as columns of equal length. */
static void
read_rows(struct json *j, struct json_numbers cell[ROW])
{
	static const struct json_number none = {VALUE_ONE, true};
	size_t rows = 0;

	for (bool any = json_array(j); any && json_item(j); rows++) {
		size_t place = 0;

		for (bool more = json_array(j); more && json_item(j); place++) {
			if (place >= ROW) {
				json_skip(j);
				continue;
			}
			while (cell[place].n < rows)
				json_numbers_add(&cell[place], none);
			add_number(j, &cell[place]);
		}
	}
}

static void
read_schema(struct json *j, struct column *column, size_t n)
{
	struct str key;

	for (size_t i = 0; i < n; i++)
		column[i].place = ROW;
	for (bool any = json_object(j); any && json_key(j, &key);) {
		uint32_t place;

		if (!json_index(j, &place))
			continue;
		for (size_t i = 0; i < n; i++)
			if (str_is(key, column[i].name))
				column[i].place = place;
	}
}

/* Reads a table's n columns and appends them. */
static void
read_table(struct json *j, struct column *column, size_t n)
{
	struct json_numbers cell[ROW] = {{0}};
	struct str key;

	for (bool any = json_object(j); any && json_key(j, &key);) {
		size_t i = 0;

		if (str_is(key, "schema")) {
			read_schema(j, column, n);
			continue;
		}
		if (str_is(key, "data")) {
			read_rows(j, cell);
			continue;
		}
		while (i < n && !str_is(key, column[i].name))
			i++;
		if (i < n && column[i].text != NULL)
			json_keep(j, column[i].text);
		else if (i == n || json_kind(j) != JSON_ARRAY)
			json_skip(j);
		else if (column[i].index != NULL)
			json_indices(j, column[i].index);
		else
			for (bool more = json_array(j); more && json_item(j);)
				add_number(j, column[i].number);
	}
	for (size_t i = 0; i < n; i++) {
		struct json_numbers *x = column[i].place < ROW ? &cell[column[i].place] : NULL;

		for (size_t row = 0; x != NULL && row < x->n; row++)
			if (column[i].index != NULL)
				add_index(column[i].index, json_numbers_at(x, row));
			else
				json_numbers_add(column[i].number, json_numbers_at(x, row));
	}
	for (size_t i = 0; i < ROW; i++)
		json_numbers_free(&cell[i]);
}

/* Adds the parents of stacks, each given by the distance back to it, 0 for a root. */
static void
add_prefixes(struct json_indices *prefix, const struct json_indices *back)
{
	for (size_t i = 0; i < back->n; i++)
		json_indices_add(prefix, back->at[i] == 0   ? JSON_NO_INDEX
					 : back->at[i] <= i ? (uint32_t)(i - back->at[i])
							    : JSON_BAD_INDEX);
}

#define COLUMNS(c) (c), sizeof(c) / sizeof((c)[0])

bool
thread_tables_read(struct json *j, struct str key, struct thread_tables *t)
{
	struct json_indices back = {0};
	struct column stacks[] = {{"prefix", &t->prefix, NULL, 0, NULL},
	    {"frame", &t->frame, NULL, 1, NULL}, {"prefixOffset", &back, NULL, ROW, NULL}};
	struct column frames[] = {{"location", &t->location, NULL, 0, NULL},
	    {"line", &t->line, NULL, 3, NULL}, {"func", &t->func, NULL, ROW, NULL},
	    {"address", NULL, &t->address, ROW, NULL}, {"inlineDepth", &t->depth, NULL, ROW, NULL},
	    {"category", &t->category, NULL, ROW, NULL}, {"lib", &t->frame_lib, NULL, ROW, NULL}};
	struct column functions[] = {{"name", &t->name, NULL, ROW, NULL},
	    {"resource", &t->resource, NULL, ROW, NULL}, {"fileName", &t->file, NULL, ROW, NULL},
	    {"source", &t->source, NULL, ROW, NULL},
	    {"lineNumber", &t->func_line, NULL, ROW, NULL}};
	struct column resources[] = {{"lib", &t->lib, NULL, ROW, NULL}};
	struct column sources[] = {{"filename", &t->source_file, NULL, ROW, NULL}};

	if (str_is(key, "stackTable")) {
		read_table(j, COLUMNS(stacks));
		add_prefixes(&t->prefix, &back);
		json_indices_free(&back);
		if ((t->frame.n == 0) != (t->prefix.n == 0))
			json_refuse(
			    j, "a stackTable without a column frame, prefix or prefixOffset");
	} else if (str_is(key, "frameTable")) {
		read_table(j, COLUMNS(frames));
	} else if (str_is(key, "funcTable")) {
		read_table(j, COLUMNS(functions));
		if (t->func_line.n + t->resource.n > 0 && t->name.n == 0)
			json_refuse(j, "a funcTable without a column name");
	} else if (str_is(key, "resourceTable"))
		read_table(j, COLUMNS(resources));
	else if (str_is(key, "sources"))
		read_table(j, COLUMNS(sources));
	else if (str_is(key, "stringTable") || str_is(key, "stringArray"))
		json_strings(j, &t->string);
	else
		return false;
	return true;
}

void
thread_samples_read(struct json *j, struct thread_samples *t)
{
	struct column columns[] = {{"stack", &t->stack, NULL, 0, NULL},
	    {"time", NULL, &t->time, 1, NULL}, {"timeDeltas", NULL, &t->delta, ROW, NULL},
	    {"weight", NULL, &t->weight, ROW, NULL},
	    {"weightType", NULL, NULL, ROW, &t->weight_type},
	    {"threadCPUDelta", NULL, &t->cpu, ROW, NULL}};

	read_table(j, COLUMNS(columns));
	if (t->stack.n == 0 && t->time.n + t->delta.n + t->weight.n > 0)
		json_refuse(j, "samples without a column stack");
}

void
thread_samples_free(struct thread_samples *t)
{
	json_indices_free(&t->stack);
	json_numbers_free(&t->time);
	json_numbers_free(&t->delta);
	json_numbers_free(&t->weight);
	json_numbers_free(&t->cpu);
	text_free(&t->weight_type);
}

void
thread_tables_free(struct thread_tables *t)
{
	struct json_indices *all[] = {&t->prefix, &t->frame, &t->location, &t->func, &t->line,
	    &t->depth, &t->category, &t->name, &t->resource, &t->file, &t->source, &t->func_line,
	    &t->lib, &t->frame_lib, &t->source_file};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		json_indices_free(all[i]);
	json_strings_free(&t->string);
	json_numbers_free(&t->address);
}

static const struct json_indices *
own_or(const struct json_indices *own, const struct json_indices *shared)
{
	return own->n > 0 ? own : shared;
}

struct thread_tables
thread_tables_of(const struct thread_tables *o, const struct thread_tables *s)
{
	struct thread_tables all = o->prefix.n > 0 ? *o : *s;
	const struct thread_tables *frames = o->func.n + o->location.n > 0 ? o : s;
	const struct thread_tables *functions = o->name.n > 0 ? o : s;

	all.string = o->string.n > 0 ? o->string : s->string;
	all.location = frames->location;
	all.func = frames->func;
	all.line = frames->line;
	all.frame_lib = frames->frame_lib;
	all.depth = frames->depth;
	all.category = frames->category;
	all.address = frames->address;
	all.name = functions->name;
	all.resource = functions->resource;
	all.file = functions->file;
	all.source = functions->source;
	all.func_line = functions->func_line;
	all.lib = *own_or(&o->lib, &s->lib);
	all.source_file = *own_or(&o->source_file, &s->source_file);
	return all;
}
