/*
 * labels: origin of a profile, as keys with sets of values:
 *
 *	# label: host=web1,web2 version=4.2 0
 *
 * The text form percent-encodes bytes that would end a word (space ; = , % and control bytes).
 * A key with more than LABELS_VALUES values has `*` instead of values.
 */
#ifndef LABELS_H
#define LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define LABELS_VALUES 64u
#define LABELS_KEYS 128u /* per profile; further keys are skipped with a warning */

struct label {
	char *key;
	char **value; /* decoded, sorted bytewise, unique */
	unsigned n; /* 0: too many to list, `*` */
};

/*
 * Immutable: a change creates a new version, so copies of the pointer stay valid until
 * labels_free of the newest. NULL: no labels.
 */
struct labels {
	struct labels *older;
	char *own_key, *own_value, **own_values; /* this version's additions */
	size_t n;
	struct label label[]; /* sorted by key */
};

/* Adds one decoded value; any: KEY=*. */
void labels_add(struct labels **l, struct str key, struct str value, bool any);

/* Adds a value for a key that has none: an automatic label does not contradict --label. */
void labels_default(struct labels **l, const char *key, struct str value);

/* Adds the words `key=value,value key=value`; false when a word has no key. */
bool labels_parse(struct labels **l, struct str words);

/* Adds all labels of `more`; merges their value sets. */
void labels_join(struct labels **l, const struct labels *more);

/* Adds KEY=VALUE of the command line, without decoding; false when it has no key. */
bool labels_option(struct labels **l, const char *arg);

/*
 * Labels of fg-record: how many modules of the profile it symbolized, and the names of the others
 * with `partial`. Without names, profiles cannot be compared.
 */
#define LABEL_SYMBOLS "symbols"
#define LABEL_SYMBOLS_FULL "full"
#define LABEL_SYMBOLS_PARTIAL "partial"
#define LABEL_SYMBOLS_MODULES "modules"
#define LABEL_UNREAD "unread"

const struct label *labels_find(const struct labels *l, const char *key); /* NULL: none */

/* A time in UTC, 2026-11-23[T10:00[:00][Z]] or @seconds, in ns since 1970; 0 if it is none. */
uint64_t labels_time(const char *text);

/* Time in the label start, such as 2026-11-23T10:00:00Z, in ns since 1970; 0 if it has none. */
uint64_t labels_start(const struct labels *l);

/* True if a label has this value, decoded; false for `*`, whose values are unknown. */
bool labels_has(const struct labels *l, const char *key, const char *value);

/* Append all labels, or one label's values, in text form. */
void labels_text(struct text *to, const struct labels *l);
void labels_values(struct text *to, const struct label *label);

void labels_free(struct labels *l);

#endif
