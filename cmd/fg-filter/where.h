/*
 * where: the query language of fg-filter --where. An expression is true or false for a
 * stack; it is evaluated frame by frame from the root, so that stacks with a common
 * prefix share the work.
 *
 *	or    = and { "or" and }
 *	and   = not { "and" not }
 *	not   = [ "not" ] ( "(" or ")" | test )
 *	test  = pattern { (">" | ">>") pattern }        a caller directly above; anywhere above
 *	      | ("leaf" | "root" | "module") pattern
 *	      | "depth" ("<" | "<=" | ">" | ">=" | "=" | "!=") number
 *	      | ("value" | "self" | "total") comparison number ["%"]
 *	      | "label:" key "=" value                a label of the stack's file, exactly
 *
 * value is that of the stack, self and total are those of its last function in all stacks.
 *
 * A pattern is a word, /an expression/ or "in quotes": an extended regular expression.
 */
#ifndef WHERE_H
#define WHERE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/calltree.h"
#include "profile/labels.h"

struct where;

/* Parses an expression; exits 2 with the position of an error in it. */
struct where *where_parse(const char *text);

/* The expression of an older option: a frame matches or, with drop, none does. */
enum where_kind { WHERE_FRAME, WHERE_MODULE, WHERE_KERNEL };
struct where *where_frame(enum where_kind kind, const char *pattern, bool drop);

/* Compiles the patterns; option, without dashes, is for messages. */
void where_compile(struct where *w, const char *option, bool fixed, bool ignore_case);
void where_free(struct where *w);

/* True if the expression has a label test; where_labels sets these by the labels of a file. */
bool where_by_label(const struct where *w);
void where_labels(struct where *w, const struct labels *labels);

/* True if the expression compares values: it needs all stacks (where_nodes). */
bool where_by_value(const struct where *w);

/* Size in bytes of the state after a frame; it is zero before the first frame. */
size_t where_size(const struct where *w);

/* Computes in *state the state after a frame whose caller has the state `above`. */
void where_step(struct where *w, const void *above, const char *frame, size_t len, void *state);

/*
 * True if each pattern is a word, and frames without a match change no more of the state than the
 * bits of the last frame. Several such frames may be one for where_step_none, if where_none is true
 * for their text. *reach becomes at least the length of each word.
 */
bool where_by_words(const struct where *w, size_t *reach);
bool where_none(const struct where *w, const char *s, size_t len);
void where_step_none(const struct where *w, const void *above, void *state);

/* True if the stack that ends in this state is kept. */
bool where_true(const struct where *w, const void *state);

/* By node of a tree: 1 if the stack that ends there is kept. The caller frees it. */
uint8_t *where_nodes(const struct where *w, const struct calltree *t);

#endif
