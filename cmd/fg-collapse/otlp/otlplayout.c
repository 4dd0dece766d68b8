/*
 * otlplayout: examines all samples before the first is read. Errors are not reported in this
 * pass.
 */
#include "fg-collapse/otlp/otlplayout.h"

static const struct otlplayout own_tables = {
    .pieces = true, .start = 1, .length = 2, .values = 3, .attributes = 4, .times = 6};
static const struct otlplayout pieces = {.dictionary = true,
    .pieces = true,
    .start = 1,
    .length = 2,
    .values = 3,
    .attributes = 4,
    .times = 6};
static const struct otlplayout values_second = {
    .dictionary = true, .stack = 1, .values = 2, .attributes = 3, .times = 5};
static const struct otlplayout values_fourth = {
    .dictionary = true, .stack = 1, .attributes = 2, .values = 4, .times = 5};

/* Evidence for a version. */
struct look {
	bool dictionary, in_pieces;
	uint64_t second, fourth, unsure; /* with values in field 2; 4; either */
	uint64_t attributes, largest; /* in the dictionary; largest number if unsure */
};

/* Number of values in a field; updates the largest. */
static uint64_t
count_numbers(const struct protobuf_field *f, uint64_t *largest)
{
	uint64_t n, count = 0;

	for (size_t at = 0; protobuf_number(f, &at, &n); count++)
		if (n > *largest)
			*largest = n;
	return count;
}

/* Collects evidence from a sample's fields; 1.9 and 1.10 differ only in their order. */
static void
look_at_sample(struct look *l, const struct protobuf *outer, const struct protobuf_field *sample)
{
	struct protobuf walk;
	struct protobuf_field f;
	uint64_t second = 0, times = 0, largest = 0;
	bool known = false;

	protobuf_enter(&walk, outer, sample);
	while (protobuf_next(&walk, &f)) {
		bool list = f.wire == PROTOBUF_BYTES;

		if (f.number == 2 && !list)
			l->in_pieces = true;
		if (f.number == 2 && list)
			second = count_numbers(&f, &largest);
		if (f.number == 3 || f.number == 4) {
			known = true;
			*((f.number == 3) == list ? &l->second : &l->fourth) += 1;
		}
		if (f.number == 5)
			times += list ? f.bytes.len / 8 : 1;
	}
	if (known || second == 0)
		return;
	/* The only list has values, or attributes if the sample has only times. */
	if (times == 0)
		l->second++;
	else if (times != second)
		l->fourth++;
	else if (largest > l->largest)
		l->largest = largest;
	l->unsure++;
}

static void
look_at_profile(void *into, const struct protobuf *outer, const struct protobuf_field *profile)
{
	struct look *l = into;
	struct protobuf walk;
	struct protobuf_field f;

	protobuf_enter(&walk, outer, profile);
	while (protobuf_next(&walk, &f)) {
		/*
		 * Locations of the profile, for samples with ranges of them; in later versions
		 * field 3 is a time.
		 */
		if (f.number == 3 && f.wire == PROTOBUF_BYTES)
			l->in_pieces = true;
		if (f.number == SAMPLE && f.wire == PROTOBUF_BYTES)
			look_at_sample(l, &walk, &f);
	}
}

void
otlplayout_each_profile(const struct protobuf *outer, const struct protobuf_field *resource,
    otlplayout_visit *of_profile, otlplayout_visit *of_resource, void *context)
{
	struct protobuf scopes, profiles;
	struct protobuf_field f, g;

	protobuf_enter(&scopes, outer, resource);
	while (protobuf_next(&scopes, &f)) {
		if (f.wire != PROTOBUF_BYTES)
			continue;
		if (f.number == RESOURCE && of_resource != NULL)
			of_resource(context, &scopes, &f);
		if (f.number != INNER)
			continue;
		protobuf_enter(&profiles, &scopes, &f);
		while (protobuf_next(&profiles, &g))
			if (g.number == INNER && g.wire == PROTOBUF_BYTES)
				of_profile(context, &profiles, &g);
	}
}

enum otlplayout_table
otlplayout_table_of(bool dictionary, uint32_t field)
{
	static const uint8_t of_dictionary[] = {
	    NO_TABLE, MAPPINGS, LOCATIONS, FUNCTIONS, NO_TABLE, STRINGS, ATTRIBUTES, STACKS};
	static const uint8_t of_profile[] = {NO_TABLE, NO_TABLE, NO_TABLE, MAPPINGS, LOCATIONS,
	    NO_TABLE, FUNCTIONS, ATTRIBUTES, NO_TABLE, NO_TABLE, STRINGS};

	if (dictionary)
		return field < sizeof of_dictionary ? of_dictionary[field] : NO_TABLE;
	return field < sizeof of_profile ? of_profile[field] : NO_TABLE;
}

const struct otlplayout *
otlplayout_find(struct str bytes)
{
	struct look l = {0};
	struct protobuf walk, dictionary;
	struct protobuf_field f, g;

	protobuf_init(&walk, NULL, bytes, 0);
	while (protobuf_next(&walk, &f)) {
		if (f.wire != PROTOBUF_BYTES)
			continue;
		if (f.number == RESOURCES)
			otlplayout_each_profile(&walk, &f, look_at_profile, NULL, &l);
		if (f.number != DICTIONARY)
			continue;
		l.dictionary = true;
		protobuf_enter(&dictionary, &walk, &f);
		while (protobuf_next(&dictionary, &g))
			l.attributes += otlplayout_table_of(true, g.number) == ATTRIBUTES;
	}
	if (!l.dictionary)
		return &own_tables;
	if (l.in_pieces)
		return &pieces;
	if (l.second != l.fourth)
		return l.second > l.fourth ? &values_second : &values_fourth;
	return l.unsure > 0 && l.largest >= l.attributes ? &values_second : &values_fourth;
}
