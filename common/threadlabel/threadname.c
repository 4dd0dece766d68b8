/*
 * threadname: names change seldom, so they are read while the thread runs.
 */
#include "threadlabel/threadname.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli.h"
#include "threadlabel/javathread.h"
#include "threadlabel/pythonthread.h"
#include "threadlabel/rubythread.h"

static const struct threadname_reader *const readers[] = {&pythonthread, &javathread, &rubythread};

#define READERS (sizeof readers / sizeof *readers)

struct languages {
	void *state[READERS]; /* NULL: not this language */
};

bool
threadname_is_key(const struct threadlabel_key *key)
{
	return key->key != NULL && key->variable == NULL && strcmp(key->key, "thread") == 0;
}

static void
close_languages(void *state)
{
	struct languages *l = state;

	for (size_t i = 0; i < READERS; i++)
		if (l->state[i] != NULL)
			readers[i]->close(l->state[i]);
	free(l);
}

static void *
open_languages(struct runtime_process *p, const struct threadlabel_key *key)
{
	struct languages *l;
	bool any = false;

	if (!threadname_is_key(key))
		return NULL;
	l = cli_alloc(1, sizeof *l);
	for (size_t i = 0; i < READERS; i++) {
		p->next = p->kinds = 0;
		l->state[i] = readers[i]->open(p);
		any |= l->state[i] != NULL;
	}
	if (any)
		return l;
	close_languages(l);
	return NULL;
}

/* Cuts a name to THREADLABEL_MAX bytes, between characters. */
static void
cut(struct text *to, size_t before)
{
	size_t n = THREADLABEL_MAX;

	if (to->len - before <= n)
		return;
	while (n > 0 && ((unsigned char)to->s[before + n] & 0xc0) == 0x80)
		n--;
	text_cut(to, before + n);
}

static bool
read_thread(void *state, const struct runtime_sample *at, struct text *to)
{
	struct languages *l = state;
	const size_t before = to->len;

	for (size_t i = 0; i < READERS; i++) {
		if (l->state[i] != NULL && readers[i]->read(l->state[i], at->tid, at->comm, to) &&
		    to->len > before) {
			cut(to, before);
			return true;
		}
		text_cut(to, before);
	}
	return false;
}

const struct threadlabel threadlabel_thread = {
    .name = "threads",
    .from = LABEL_ANYTIME,
    .open = open_languages,
    .read = read_thread,
    .close = close_languages,
};
