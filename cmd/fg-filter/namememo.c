/* namememo: slots by a sketch of the name. */
#include "fg-filter/namememo.h"

#include <stdlib.h>
#include <string.h>

#include "base/cli.h"

void *
namememo_add(struct namememo *m, struct str name, uint32_t hash)
{
	struct namememo_slot *s, last;

	if (m->slot == NULL)
		m->slot = cli_alloc(NAMEMEMO_SLOTS, sizeof *m->slot);
	s = &m->slot[hash];
	last = m->slot[hash ^ 1];
	m->slot[hash ^ 1] = *s;
	*s = last;
	if (s->data == NULL || s->size < name.len) {
		bool first = s->data == NULL;

		s->data = cli_realloc(s->data, m->size + name.len, 1);
		s->size = (uint32_t)name.len;
		if (first)
			memset(s->data, 0, m->size);
	}
	memcpy(s->data + m->size, name.s, name.len);
	s->len = (uint32_t)name.len;
	return s->data;
}

void
namememo_free(struct namememo *m, void (*drop)(void *data))
{
	for (unsigned i = 0; m->slot != NULL && i < NAMEMEMO_SLOTS; i++) {
		if (m->slot[i].data != NULL && drop != NULL)
			drop(m->slot[i].data);
		free(m->slot[i].data);
	}
	free(m->slot);
	m->slot = NULL;
}
