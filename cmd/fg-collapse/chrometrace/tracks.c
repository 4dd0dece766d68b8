/*
 * tracks: a hash table by a key of the ids.
 */
#include "fg-collapse/chrometrace/tracks.h"

#include <stdlib.h>

#include "base/vec.h"

static uint32_t
find_key(struct tracks *x, bool async, struct str pid, struct str tid)
{
	struct str key = text_as_str(&x->key);
	uint32_t hash = (uint32_t)hash_bytes(key.s, key.len);
	struct track *new;

	for (uint32_t at = hash, n; (n = hash_index_next(&x->index, hash, &at)) != 0;)
		if (str_equal(text_as_str(&x->track[n - 1].key), key))
			return n - 1;
	vec_fit(x->track, x->cap, (size_t)x->n + 1);
	new = &x->track[x->n++];
	*new = (struct track){.async = async};
	text_str(&new->key, key);
	text_str(&new->pid, pid);
	text_str(&new->tid, tid);
	hash_index_add(&x->index, hash, x->n);
	return x->n - 1;
}

static bool
is_of(const struct track *k, const struct track_ids *ids)
{
	return str_equal(text_as_str(&k->tid), ids->tid) &&
	       str_equal(text_as_str(&k->pid), ids->pid);
}

uint32_t
tracks_find(struct tracks *x, const struct track_ids *ids, enum track_kind kind)
{
	uint32_t process, number;
	struct str tid = {0};

	if (kind == TRACK_THREAD && x->thread > 0 && is_of(&x->track[x->thread - 1], ids))
		return x->thread - 1;
	text_cut(&x->key, 0);
	text_str(&x->key, ids->pid);
	text_char(&x->key, '\0');
	text_char(&x->key, TRACK_PROCESS);
	process = find_key(x, false, ids->pid, tid);
	x->track[process].process = process;
	if (kind == TRACK_PROCESS)
		return process;
	text_cut(&x->key, ids->pid.len + 1);
	text_char(&x->key, (char)kind);
	if (kind == TRACK_THREAD) {
		tid = ids->tid;
		text_str(&x->key, tid);
	} else {
		text_str(&x->key, ids->id);
		text_char(&x->key, '\0');
		if (kind == TRACK_OPERATION)
			text_str(&x->key, ids->category);
	}
	number = find_key(x, kind == TRACK_OPERATION, ids->pid, tid);
	x->track[number].process = process;
	if (kind == TRACK_THREAD)
		x->thread = number + 1;
	return number;
}

struct sample_task
tracks_task(const struct tracks *x, uint32_t number)
{
	const struct track *k = &x->track[number];
	struct sample_task task = {.comm = text_as_str(&k->name),
	    .pid = text_as_str(&k->pid),
	    .tid = text_as_str(&k->tid)};

	if (task.comm.len == 0)
		task.comm = text_as_str(&x->track[k->process].name);
	return task;
}

void
tracks_free(struct tracks *x)
{
	for (uint32_t i = 0; i < x->n; i++) {
		text_free(&x->track[i].key);
		text_free(&x->track[i].pid);
		text_free(&x->track[i].tid);
		text_free(&x->track[i].name);
	}
	hash_index_free(&x->index);
	text_free(&x->key);
	free(x->track);
}
