/*
 * tails: a table of the last samples by a hash of some of their last bytes. The text is compared,
 * so a collision only costs time.
 */
#include "fg-collapse/perfscript/tails.h"

#include <stdlib.h>
#include <string.h>

#include "base/chars.h"
#include "base/hash.h"
#include "base/vec.h"

#define SPAN 512 /* bytes that choose an entry: about six lines */
#define STEP 56 /* distance of the words in SPAN that are hashed */

void
tails_free(struct tails *t)
{
	free(t->frames[0].item);
	free(t->frames[1].item);
}

void
tails_block(struct tails *t)
{
	t->block++;
	t->frames[t->block & 1].n = 0;
}

static struct tail_frames *
frames_of_block(struct tails *t)
{
	return &t->frames[t->block & 1];
}

static size_t
slot(const char *text, const char *end)
{
	const char *first = end - text > SPAN ? end - SPAN : text;
	uint64_t hash = 0, word, key = hash_key[0];

	/* A key of its own for each word: these multiplications need not wait for each other. */
	for (const char *s = end - sizeof word; s >= first; s -= STEP) {
		memcpy(&word, s, sizeof word);
		hash += (word ^ word >> 32) * key;
		key += 2 * hash_key[1];
	}
	return hash_place((hash ^ hash >> 32) * hash_key[1], TAILS);
}

/* The number of equal bytes before a and before b, at most `max`. */
static size_t
equal_before(const char *a, const char *b, size_t max)
{
	size_t n = 0;

	for (; max - n >= 64; n += 64) {
		const char *x = a - n - 64, *y = b - n - 64;

		if ((chars_equal16(x, y) & chars_equal16(x + 16, y + 16) &
			chars_equal16(x + 32, y + 32) & chars_equal16(x + 48, y + 48)) != 0xffff)
			break;
	}
	for (; max - n >= 16; n += 16) {
		uint32_t same = chars_equal16(a - n - 16, b - n - 16);

		if (same != 0xffff)
			return n + chars_last(same);
	}
	while (n < max && a[-(ptrdiff_t)n - 1] == b[-(ptrdiff_t)n - 1])
		n++;
	return n;
}

uint32_t
tails_find(const struct tails *t, const char *text, const char *end, const struct tail **tail)
{
	const struct tail *e = &t->entry[slot(text, end)];
	const struct tail_frame *frame;
	uint32_t low = 0, high = e->n;
	size_t same;

	if (e->block == 0 || e->block + 1 < t->block || high == 0)
		return 0;
	frame = tails_frame_of(t, e, 0);
	same = frame[high - 1].len;
	if (same > (size_t)(end - text))
		same = (size_t)(end - text);
	same = equal_before(end, e->end, same);
	while (low < high) { /* the number of frames within these bytes */
		uint32_t middle = low + (high - low) / 2;

		if (frame[middle].len <= same)
			low = middle + 1;
		else
			high = middle;
	}
	/* The line may be longer here. */
	if (low > 0 && end - frame[low - 1].len > text &&
	    end[-(ptrdiff_t)frame[low - 1].len - 1] != '\n')
		low--;
	*tail = e;
	return low;
}

struct tail_frame *
tails_begin(struct tails *t, const struct tail *other, uint32_t same, size_t more)
{
	struct tail_frames *f = frames_of_block(t);
	struct tail_frame *frame;

	vec_fit(f->item, f->cap, f->n + same + more);
	frame = f->item + f->n;
	if (same > 0)
		memcpy(frame, tails_frame_of(t, other, 0), same * sizeof *frame);
	t->begun = same + (uint32_t)more;
	return frame + same;
}

void
tails_end(struct tails *t, const char *end, uint32_t root, bool java)
{
	struct tail_frames *f = frames_of_block(t);
	struct tail *s = &t->last;

	s->frame = (uint32_t)f->n;
	s->n = t->begun;
	s->end = end;
	s->root = root;
	s->java = java;
	s->block = t->block;
	f->n += s->n;
	if (s->n > 0)
		t->entry[slot(end - f->item[f->n - 1].len, end)] = *s;
}
