/*
 * addresses: samples are stored until all mappings are known; each distinct address is
 * symbolized once.
 */
#include "fg-collapse/shape/addresses.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/cli.h"
#include "base/text.h"
#include "base/vec.h"
#include "fg-collapse/options.h"
#include "fg-collapse/shape/plainname.h"
#include "fg-collapse/shape/scan.h"
#include "sample/nodes.h"
#include "sample/sample.h"

/* The modules of this machine, shared by all inputs and open until exit. */
static struct modules *here;

struct addresses_sample {
	size_t weight, pc;
	uint32_t weights, pcs;
	size_t comm, comm_len, tid, tid_len; /* in text */
};

struct addresses_map {
	struct addresses_mapping mapping;
	size_t path, path_len; /* in text */
	struct module *module; /* NULL if it could not be opened; set once tried */
	bool tried;
};

struct addresses_known {
	size_t function, function_len, file, file_len; /* in text */
	unsigned line;
};

struct addresses_place {
	uint64_t pc;
	uint32_t known, nknown; /* range in known[] */
	size_t sample; /* nsample at the last addresses_name: the sample that its names belong to */
	uint32_t given; /* names given for this address within that sample */
	bool named, nameless; /* named: has a range in name[]; nameless: that name is the address */
	uint32_t name, names;
};

void
addresses_init(struct addresses *a, struct reader *r, const char *symbolizer)
{
	*a = (struct addresses){.reader = r, .symbolizer = symbolizer};
	text_char(&a->text, '\0'); /* offset 0 means no string */
}

void
addresses_free(struct addresses *a)
{
	free(a->sample);
	free(a->weight);
	free(a->pc);
	free(a->map);
	free(a->ranges.range);
	free(a->places.slot);
	free(a->place);
	free(a->known);
	free(a->name);
	free(a->allocates);
	text_free(&a->text);
}

static size_t
keep(struct addresses *a, struct str s)
{
	size_t at = a->text.len;

	text_str(&a->text, s);
	text_char(&a->text, '\0');
	return at;
}

void
addresses_begin(
    struct addresses *a, const struct sample_weight *w, unsigned n, struct str comm, struct str tid)
{
	struct addresses_sample s = {.weight = a->nweight, .weights = n, .pc = a->npc};

	if (comm.len > 0) {
		s.comm = keep(a, comm);
		s.comm_len = comm.len;
	}
	if (tid.len > 0) {
		s.tid = keep(a, tid);
		s.tid_len = tid.len;
	}
	vec_fit(a->weight, a->capweight, a->nweight + n);
	memcpy(a->weight + a->nweight, w, n * sizeof *w);
	a->nweight += n;
	vec_fit(a->sample, a->capsample, a->nsample + 1);
	a->sample[a->nsample++] = s;
}

void
addresses_add(struct addresses *a, uint64_t pc)
{
	vec_fit(a->pc, a->cappc, a->npc + 1);
	a->pc[a->npc++] = pc;
	a->sample[a->nsample - 1].pcs++;
}

uint64_t *
addresses_of(struct addresses *a, size_t sample, uint32_t **n)
{
	struct addresses_sample *s = &a->sample[sample];

	*n = &s->pcs;
	return s->pcs == 0 ? a->pc : a->pc + s->pc; /* pc may be NULL */
}

bool
addresses_again(struct addresses *a, value weight)
{
	if (a->nsample == 0)
		return false;
	a->weight[a->sample[a->nsample - 1].weight].weight += weight;
	return true;
}

void
addresses_map(struct addresses *a, const struct addresses_mapping *mapping, struct str path)
{
	struct addresses_map m = {.mapping = *mapping, .path = keep(a, path), .path_len = path.len};

	vec_fit(a->map, a->capmap, a->nmap + 1);
	a->map[a->nmap++] = m;
}

static struct addresses_map *
map_of(struct addresses *a, uint64_t pc)
{
	const struct range *range;

	if (a->ranges.n == 0 && a->nmap > 0) {
		for (size_t i = 0; i < a->nmap; i++)
			rangemap_add(&a->ranges, a->map[i].mapping.start, a->map[i].mapping.end,
			    false, (void *)(uintptr_t)(i + 1), 0);
		rangemap_finish(&a->ranges, NULL);
	}
	range = rangemap_find(&a->ranges, pc);
	return range == NULL ? NULL : &a->map[(uintptr_t)range->what - 1];
}

struct str
addresses_module(struct addresses *a, uint64_t pc)
{
	const struct addresses_map *m = map_of(a, pc);

	return m == NULL ? (struct str){0}
			 : frame_module_name((struct str){a->text.s + m->path, m->path_len});
}

static struct addresses_place *
place_of(struct addresses *a, uint64_t pc)
{
	void **at = intmap_at(&a->places, pc);

	if (*at == NULL) {
		vec_fit(a->place, a->capplace, a->nplace + 1);
		a->place[a->nplace++] = (struct addresses_place){.pc = pc};
		*at = (void *)(uintptr_t)a->nplace;
	}
	return &a->place[(uintptr_t)*at - 1];
}

/* True if the next name of this address is an inlined function, not the name of a recursive
 * call. */
static bool
is_inlined(struct addresses *a, const struct addresses_place *p)
{
	const struct addresses_sample *s;
	uint32_t times = 0;

	if (a->nsample == 0 || p->sample != a->nsample)
		return false;
	s = &a->sample[a->nsample - 1];
	for (uint32_t i = 0; i < s->pcs; i++)
		times += a->pc[s->pc + i] == p->pc;
	return p->given > times;
}

void
addresses_name(
    struct addresses *a, uint64_t pc, struct str function, struct str file, unsigned line)
{
	struct addresses_place *p = place_of(a, pc);

	if (p->nknown == 0) {
		p->known = (uint32_t)a->nknown;
		p->sample = a->nsample;
	}
	p->given++;
	if (p->nknown > 0 && (p->known + p->nknown != a->nknown || !is_inlined(a, p)))
		return;
	vec_fit(a->known, a->capknown, a->nknown + 1);
	a->known[a->nknown++] = (struct addresses_known){
	    keep(a, function), function.len, keep(a, file), file.len, line};
	p->nknown++;
}

/* True if the file at a mapping's path can be the one that was mapped: a regular file, no
 * newer than the profile. */
static bool
may_be_here(const struct addresses *a, const struct addresses_map *m)
{
	const char *profile = lines_name(a->reader->lines);
	struct stat file, at;

	if (m->mapping.id.inode == 0 || stat(a->text.s + m->path, &file) != 0 ||
	    !S_ISREG(file.st_mode))
		return false;
	return stat(profile, &at) != 0 || !S_ISREG(at.st_mode) || file.st_mtime <= at.st_mtime;
}

static struct module *
module_of(struct addresses *a, struct addresses_map *m)
{
	struct module_reach nobody = {0};

	if (!m->tried && may_be_here(a, m)) {
		if (here == NULL)
			here = modules_new(&symsource_live);
		m->module = module_open(here, a->text.s + m->path, &m->mapping.id, &nobody);
	}
	m->tried = true;
	return m->module;
}

static void
add_name(struct addresses *a, struct addresses_place *p, const struct frame *f)
{
	vec_fit(a->name, a->capname, a->nname + 1);
	a->name[a->nname++] = sample_name(a->reader->sampler, f);
	p->names++;
}

/* Symbolizes an address with the file mapped there; false if that file is not available. */
static bool
name_by_file(struct addresses *a, struct addresses_place *p, struct addresses_map *m)
{
	const struct sample_options *o = a->reader->sampler->options;
	struct module *module = module_of(a, m);
	const struct symbol_frame *s;
	size_t n;

	if (module == NULL)
		return false;
	n = symbol_resolve(module,
	    module_vaddr(module, p->pc - m->mapping.start + m->mapping.offset), 0,
	    SYMBOL_INLINE | (o->style.source ? SYMBOL_LINES : 0), &s);
	for (size_t i = 0; i < n; i++) {
		struct frame f = {.function = str_of(s[i].function),
		    .module = {a->text.s + m->path, m->path_len},
		    .file = str_of(s[i].file),
		    .line = s[i].line,
		    .address = p->pc,
		    .has_address = true,
		    .inlined = s[i].inlined};

		f.kind = frame_kind_of(f.module);
		add_name(a, p, &f);
	}
	return n > 0;
}

static void
name_place(struct addresses *a, struct addresses_place *p)
{
	struct addresses_map *m = map_of(a, p->pc);
	struct frame f = {.address = p->pc, .has_address = true};
	struct text name = {0};

	p->named = true;
	p->name = (uint32_t)a->nname;
	if (p->nknown == 0 && m != NULL && name_by_file(a, p, m))
		return;
	if (m != NULL)
		f.module = (struct str){a->text.s + m->path, m->path_len};
	f.kind = frame_kind_of(f.module);
	for (uint32_t i = 0; i < p->nknown; i++) {
		const struct addresses_known *k = &a->known[p->known + i];

		text_cut(&name, 0);
		plainname_add(&name, (struct str){a->text.s + k->function, k->function_len}, false);
		f.function = text_as_str(&name);
		f.file = (struct str){a->text.s + k->file, k->file_len};
		f.line = k->line;
		f.inlined = i + 1 < p->nknown;
		add_name(a, p, &f);
	}
	if (p->nknown == 0) {
		p->nameless = true;
		if (!a->reader->options->sample.style.addrs)
			text_printf(&name, "0x%llx", (unsigned long long)p->pc);
		f.function = text_as_str(&name);
		add_name(a, p, &f);
	}
	text_free(&name);
}

/* True if a program calls this function to allocate memory. */
static bool
is_allocation(struct str s)
{
	static const char *const names[] = {"malloc", "calloc", "realloc", "reallocarray",
	    "memalign", "aligned_alloc", "posix_memalign", "valloc", "pvalloc", "operator new",
	    "operator new[]", "mallocx", "rallocx", "__libc_malloc", "__libc_calloc",
	    "__libc_realloc", "__libc_memalign"};
	static const char *const prefixes[] = {"je_", "tc_", "jemalloc_", "tcmalloc::"};

	s.len = frame_body(s.s, s.len);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (str_is(s, names[i]))
			return true;
	for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
		if (str_starts(s, prefixes[i]))
			return true;
	return false;
}

static bool
allocates(struct addresses *a, uint32_t name)
{
	const struct calltree_name *n = &a->reader->sampler->tree->name[name];

	if (name >= a->capallocates) {
		size_t had = a->capallocates;

		vec_fit(a->allocates, a->capallocates, (size_t)name + 1);
		memset(a->allocates + had, 0, a->capallocates - had);
	}
	if (a->allocates[name] == 0)
		a->allocates[name] = is_allocation((struct str){n->s, n->len}) ? 2 : 1;
	return a->allocates[name] == 2;
}

/* Number of leaf frames that belong to the allocator, up to and including the function that
 * the program called. */
static size_t
allocator(struct addresses *a, const struct addresses_sample *s)
{
	for (size_t i = s->pcs; a->heap && i-- > 1;) {
		const struct addresses_place *p = place_of(a, a->pc[s->pc + i - 1]);
		struct str module = addresses_module(a, p->pc);

		if (str_starts(module, "libjemalloc") || str_starts(module, "libtcmalloc"))
			return i;
		for (uint32_t k = 0; k < p->names; k++)
			if (allocates(a, a->name[p->name + k]))
				return i;
	}
	return 0;
}

static void
take(struct addresses *a, const struct addresses_sample *s)
{
	struct sampler *sampler = a->reader->sampler;
	struct sample_task task = {.tid = {a->text.s + s->tid, s->tid_len}};
	bool given = false; /* the profile itself names an address of this stack */

	if (a->reader->options->threads)
		task.comm = (struct str){a->text.s + s->comm, s->comm_len};
	if (!sample_begin_all(sampler, &task, a->weight + s->weight, s->weights, SAMPLE_NO_TIME))
		return;
	for (uint32_t i = 0; i < s->pcs; i++) {
		struct addresses_place *p = place_of(a, a->pc[s->pc + i]);

		if (!p->named)
			name_place(a, p);
		given |= p->nknown > 0;
	}
	for (size_t i = allocator(a, s); i < s->pcs; i++) {
		const struct addresses_place *p = place_of(a, a->pc[s->pc + i]);

		if (a->go && given && p->nameless)
			continue;
		a->nameless += p->nameless;
		for (uint32_t k = 0; k < p->names; k++)
			sample_frame_named(sampler, a->name[p->name + k]);
	}
	sample_end(sampler);
}

void
addresses_take(struct addresses *a)
{
	for (size_t i = 0; i < a->nsample; i++)
		take(a, &a->sample[i]);
	if (a->nameless > 0)
		cli_note("%s: %llu %s unsymbolized: their mapped files have no symbols, or "
			 "are missing or changed here; where they exist, symbolize with %s",
		    lines_name(a->reader->lines), (unsigned long long)a->nameless,
		    text_form(a->nameless, "frame is", "frames are"), a->symbolizer);
}
