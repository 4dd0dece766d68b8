/*
 * bpftracejson: output of bpftrace -f json, one value per line; only maps are read:
 *
 *	{"type": "map", "data": {"@": {"\\n    vfs_read+1\\n,bash": 8}}}
 *	{"type": "hist", "data": {"@us": {"\\n    main+3\\n": [{"min": 4, "max": 7, "count": 5}]}}}
 *	{"type": "stats", "data": {"@ns": {"\\n    main+3\\n": {"count": 3, "average": 13, "total":
 *40}}}}
 *
 * As in the text (format/bpftrace.c), a map is an event, the counts of a histogram are
 * summed, and of stats the total counts.
 */
#include "fg-collapse/format.h"

#include "base/cli.h"
#include "fg-collapse/bpftrace/bpfmaps.h"
#include "fg-collapse/shape/jsonfields.h"
#include "fg-collapse/shape/jsonsniff.h"
#include "fg-collapse/shape/scan.h"

struct printed {
	struct json *json;
	struct bpfmaps maps;
	struct text map, entry;
};

/* Stores an entry, with `, ` between keys instead of the comma that JSON output has; commas in
 * frames stay. */
static void
keep_entry(struct text *t, struct str key)
{
	bool frame = false;

	text_cut(t, 0);
	for (size_t i = 0; i < key.len; i++) {
		if (i == 0 || key.s[i - 1] == '\n')
			frame = key.s[i] == ' ' || key.s[i] == '\t';
		text_char(t, key.s[i]);
		if (key.s[i] == ',' && !frame && i + 1 < key.len && key.s[i + 1] != '\n' &&
		    key.s[i + 1] != ' ')
			text_char(t, ' ');
	}
}

/* Reads {"count": 3, "total": 40}: the total if present. */
static bool
read_object(struct json *j, value *v)
{
	struct sums {
		struct json_number count, total;
	} sums = {JSON_NO_NUMBER, JSON_NO_NUMBER};
	static const struct json_field fields[] = {JSON_FIELD("count", DECIMAL, struct sums, count),
	    JSON_FIELD("total", DECIMAL, struct sums, total)};
	const struct json_number *n = &sums.total;

	json_fields(j, fields, &sums);
	if (n->negative)
		n = &sums.count;
	*v = n->v;
	return !n->negative;
}

static bool
read_value(struct json *j, value *v)
{
	bool any = false;
	value n;

	if (json_kind(j) == JSON_OBJECT)
		return read_object(j, v);
	if (json_kind(j) != JSON_ARRAY)
		return json_value(j, v);
	*v = 0;
	for (bool more = json_array(j); more && json_item(j);)
		if (read_object(j, &n)) {
			*v = value_sum(*v, n);
			any = true;
		}
	return any;
}

/* Reads the entries of a map and stores its name. */
static void
read_map(struct printed *o)
{
	struct json *j = o->json;
	struct str name = text_as_str(&o->map), key;
	uint32_t event;
	value v;

	if (json_kind(j) != JSON_OBJECT) { /* a map without keys */
		o->maps.stackless++;
		json_skip(j);
		return;
	}
	event = bpfmaps_event(&o->maps, str_starts(name, "@") ? str_from(name, 1) : name);
	for (bool any = json_object(j); any && json_key(j, &key);) {
		keep_entry(&o->entry, key);
		if (!read_value(j, &v))
			json_malformed(j, "a value that is not a number");
		else if (!bpfmaps_entry(&o->maps, event, text_as_str(&o->entry), v))
			json_malformed(j, "not an entry of a bpftrace map");
		bpfmaps_forget(&o->maps);
	}
}

static void
read_line(struct printed *o)
{
	struct json *j = o->json;
	bool maps = true;
	struct str key, type;

	for (bool any = json_object(j); any && json_key(j, &key);)
		if (str_is(key, "type")) {
			maps =
			    json_text(j, &type) &&
			    (str_is(type, "map") || str_is(type, "hist") || str_is(type, "stats"));
		} else if (str_is(key, "data") && maps) {
			for (bool more = json_object(j); more && json_key(j, &key);) {
				text_cut(&o->map, 0);
				text_str(&o->map, key);
				read_map(o);
			}
		} else {
			json_skip(j);
		}
}

static void
read_input(struct reader *r)
{
	struct printed o = {.json = json_open(r)};

	sampler_input(r->sampler, lines_name(r->lines), SAMPLE_LEAF_FIRST);
	bpfmaps_init(&o.maps, r);
	while (json_kind(o.json) != JSON_NOTHING)
		read_line(&o);
	if (o.maps.stackless > 0)
		cli_note("%s: %llu map entries without a stack were left out", lines_name(r->lines),
		    (unsigned long long)o.maps.stackless);
	bpfmaps_free(&o.maps);
	text_free(&o.map);
	text_free(&o.entry);
	json_close(o.json);
}

static int
sniff(const char *data, size_t len)
{
	static const char *const path[] = {
	    "type=attached_probes", "data.probes", "type=map", "type=hist", "type=stats", "data.@"};
	uint32_t found = json_find(data, len, path);

	return found & (1 | 32) || ((found & 28) && text_has(data, len, "\"data\"")) ? 95 : 0;
}

const struct format bpftracejson_format = {
    .provides = DATA_COMM | DATA_PID | DATA_CODE | DATA_EVENT | DATA_OFFSET,
    .sniff = sniff,
    .read = read_input,
};
