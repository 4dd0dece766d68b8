/*
 * storedsym: a rangemap for each path, found by a hash of the path.
 */
#include "elf/storedsym.h"

#include <string.h>

#include "base/cli.h"
#include "base/vec.h"
#include "elf/symbolrank.h"

static struct storedsym_file *
find(const struct storedsyms *s, struct str path, uint32_t hash)
{
	for (uint32_t at = hash, n; (n = hash_index_next(&s->by_path, hash, &at)) != 0;)
		if (text_is(path.s, path.len, s->file[n - 1]->path))
			return s->file[n - 1];
	return NULL;
}

struct storedsym_file *
storedsyms_add(struct storedsyms *s, struct str path)
{
	const uint32_t hash = (uint32_t)hash_bytes(path.s, path.len);
	struct storedsym_file *f = find(s, path, hash);

	if (f != NULL)
		return f;
	f = cli_alloc(1, sizeof *f);
	f->path = str_copy(path);
	vec_fit(s->file, s->cap, s->n + 1);
	s->file[s->n++] = f;
	hash_index_add(&s->by_path, hash, (uint32_t)s->n);
	return f;
}

void
storedsym_add(struct storedsym_file *f, uint64_t start, uint64_t length, struct str name)
{
	if (length <= UINT64_MAX - start)
		rangemap_add(&f->functions, start, start + length, false, str_copy(name), 0);
}

void
storedsyms_finish(struct storedsyms *s)
{
	for (size_t i = 0; i < s->n; i++)
		rangemap_finish(&s->file[i]->functions, symbolrank_prefer);
}

const struct storedsym_file *
storedsyms_find(const struct storedsyms *s, struct str path)
{
	return s == NULL ? NULL : find(s, path, (uint32_t)hash_bytes(path.s, path.len));
}
