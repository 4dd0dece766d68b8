/*
 * memory: a cache of pages in sets, filled by one of three sources.
 *
 * Neighbouring samples read mostly the same pages: the first read of a sample, or memory_fetch,
 * copies the pages of the last samples, too, with one system call. Twice the cost of a page is that
 * of a system call.
 */
#include "runtime/memory.h"

#include <errno.h>
#include <string.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cli.h"
#include "base/hash.h"
#include "access/opener.h"
#include "access/copies.h"

#define SLOTS 256 /* pages in the cache */
#define WAYS 4 /* slots that a page may be in: those of its set */
#define BUDGET 1024 /* pages of one sample */
#define CALL_COST 2 /* of a system call, in pages */
#define COST_MAX 1900 /* of one sample, in pages: about 0.8 ms */
#define BATCH 128 /* pages of one system call */
#define OBJECT_HEAD 24 /* bytes of the shortest object that memory_rest takes */

struct page {
	uint64_t address;
	uint64_t sample; /* 0: never filled */
	uint64_t turn; /* last one that used it */
	uint8_t uses; /* a bit for each of the last 8 turns; the lowest is that turn */
	bool readable;
	unsigned char *bytes;
};

struct cache {
	struct page page[SLOTS];
	unsigned char bytes[SLOTS][MEMORY_PAGE];
};

struct memory_reader {
	int pid; /* the source; 0: the image */
	uint64_t image_at;
	const unsigned char *image;
	size_t nimage;
	uint64_t overlay_at;
	const unsigned char *overlay;
	size_t noverlay;
	const struct copies
	    *copies; /* of the current sample; NULL: it is not restricted to these */
	uint64_t sample; /* number of the current one */
	uint64_t turn; /* number of the current one among those that read anything */
	bool later; /* memory_read_later was called, and */
	bool had; /* something was read so */
	bool began; /* the pages of the last samples were read */
	bool used; /* the current sample used a page */
	bool expected; /* the sample before used a page */
	uint64_t damage; /* state of memory_damage's generator; 0: none */
	struct memory_cost cost;
	int error; /* errno of the last read that failed; 0: none */
	struct cache *cache; /* NULL: empty */
};

static struct memory_reader *
new_reader(void)
{
	struct memory_reader *m = cli_alloc(1, sizeof *m);

	m->sample = 1;
	return m;
}

struct memory_reader *
memory_of_process(int pid)
{
	struct memory_reader *m = new_reader();

	m->pid = pid;
	return m;
}

struct memory_reader *
memory_of_image(uint64_t address, const void *bytes, size_t n)
{
	struct memory_reader *m = new_reader();

	m->image_at = address;
	m->image = bytes;
	m->nimage = n;
	return m;
}

void
memory_free(struct memory_reader *m)
{
	free(m->cache);
	free(m);
}

void
memory_release(struct memory_reader *m)
{
	free(m->cache);
	m->cache = NULL;
}

void
memory_begin(struct memory_reader *m)
{
	m->sample++;
	m->turn += m->used;
	m->expected = m->used;
	m->used = m->began = false;
	m->cost = (struct memory_cost){0};
	m->error = 0;
	m->overlay = NULL;
	m->noverlay = 0;
	m->copies = NULL;
	m->later = m->had = false;
}

void
memory_restrict(struct memory_reader *m, const struct copies *c)
{
	m->copies = c;
}

void
memory_overlay(struct memory_reader *m, uint64_t address, const void *bytes, size_t n)
{
	m->overlay_at = address;
	m->overlay = bytes;
	m->noverlay = n;
}

struct memory_cost
memory_cost(const struct memory_reader *m)
{
	return m->cost;
}

int
memory_error(const struct memory_reader *m)
{
	return m->error;
}

/* Copies a page from the image; bytes of the page outside of the image are zero. */
static bool
fill_from_image(const struct memory_reader *m, uint64_t address, unsigned char *to)
{
	uint64_t end = m->image_at + m->nimage, from = address, until = address + MEMORY_PAGE;

	if (from < m->image_at)
		from = m->image_at;
	if (until > end)
		until = end;
	memset(to, 0, MEMORY_PAGE);
	if (until <= from)
		return false;
	memcpy(to + (from - address), m->image + (from - m->image_at), until - from);
	return true;
}

/* Fills pages from their source; stops at the first unreadable one. */
static size_t
fill(struct memory_reader *m, struct page *const *page, size_t n)
{
	struct iovec here[BATCH], there[BATCH];
	ssize_t got;

	m->cost.calls++;
	if (m->pid == 0)
		return fill_from_image(m, page[0]->address, page[0]->bytes);
	for (size_t i = 0; i < n; i++) {
		here[i] = (struct iovec){page[i]->bytes, MEMORY_PAGE};
		there[i] = (struct iovec){(void *)(uintptr_t)page[i]->address, MEMORY_PAGE};
	}
	got = opener_memory(m->pid, here, there, n);
	if (got < 0)
		m->error = errno;
	return got > 0 ? (size_t)got / MEMORY_PAGE : 0;
}

void
memory_damage(struct memory_reader *m, uint64_t seed)
{
	m->damage = seed | 1;
}

/* Damages a page: changes some bytes, and copies words so that pointers form cycles. */
static void
damage(struct memory_reader *m, unsigned char *page)
{
	for (unsigned i = 0; i < 8; i++) {
		uint64_t r = m->damage = m->damage * UINT64_C(6364136223846793005) + 1;
		size_t to = r >> 33 & (MEMORY_PAGE - 8), from = r >> 45 & (MEMORY_PAGE - 8);

		if ((r >> 60 & 1) != 0)
			memcpy(page + (to & ~(size_t)7), page + (from & ~(size_t)7), 8);
		else
			page[to] = (unsigned char)(r >> 52);
	}
}

/* Marks pages that were filled. */
static void
set_readable(struct memory_reader *m, struct page *const *page, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		page[i]->readable = true;
		if (m->damage != 0)
			damage(m, page[i]->bytes);
	}
}

static void
fill_all(struct memory_reader *m, struct page *const *page, size_t n)
{
	while (n > 0) {
		size_t filled = fill(m, page, n);

		set_readable(m, page, filled);
		page += filled;
		n -= filled;
		if (n > 0 && (filled == 0 || m->pid != 0)) { /* this page is unreadable */
			page++;
			n--;
		}
	}
}

/* The slot of a page, or the one to put it in. */
static struct page *
slot_of(struct memory_reader *m, uint64_t address)
{
	struct page *set, *oldest;

	if (m->cache == NULL) {
		m->cache = cli_realloc(NULL, 1, sizeof *m->cache);
		memset(m->cache->page, 0, sizeof m->cache->page);
		for (size_t i = 0; i < SLOTS; i++)
			m->cache->page[i].bytes = m->cache->bytes[i];
	}
	set = &m->cache->page[hash_number(address / MEMORY_PAGE) % (SLOTS / WAYS) * WAYS];
	oldest = set;
	for (size_t i = 0; i < WAYS; i++) {
		if (set[i].address == address)
			return &set[i];
		if (set[i].sample != oldest->sample ? set[i].sample < oldest->sample
						    : set[i].turn < oldest->turn)
			oldest = &set[i];
	}
	return oldest;
}

/* Claims the slot of a page that is not in the cache; NULL when the budget is spent. */
static struct page *
claim(struct memory_reader *m, uint64_t address)
{
	struct page *p = slot_of(m, address);

	if (m->cost.pages >= BUDGET || m->cost.pages + CALL_COST * m->cost.calls >= COST_MAX) {
		m->cost.spent = true;
		return NULL;
	}
	m->cost.pages++;
	if (p->address != address)
		p->uses = 0;
	p->address = address;
	p->sample = m->sample;
	p->readable = false;
	return p;
}

/*
 * True if the last turn used the page, or two of the seven before it; or one of them, if this
 * sample needs other pages than the last ones.
 */
static bool
is_frequent(const struct memory_reader *m, const struct page *p)
{
	const uint64_t ago = m->turn - p->turn;
	const unsigned uses = ago < 8 ? p->uses << ago & 0x1fe : 0;

	return (uses & 2) != 0 || (uses & (uses - 1)) != 0 || (m->began && uses != 0);
}

/* Adds the frequent pages to a batch of n pages; returns their number. */
static size_t
add_frequent(struct memory_reader *m, struct page **batch, size_t n)
{
	if (m->pid != 0 && m->cache != NULL)
		for (size_t i = 0; i < SLOTS && n < BATCH; i++) {
			struct page *other = &m->cache->page[i];

			if (other->sample != m->sample && other->readable &&
			    is_frequent(m, other) && claim(m, other->address) != NULL)
				batch[n++] = other;
		}
	m->began = true;
	return n;
}

/* Reads a page, and with it the frequent ones. */
static void
read_page(struct memory_reader *m, struct page *p)
{
	struct page *batch[BATCH] = {p};

	fill_all(m, batch, add_frequent(m, batch, 1));
}

size_t
memory_fetch(struct memory_reader *m, uint64_t address, void *to, size_t n)
{
	struct page *page[BATCH];
	struct iovec here[BATCH + 1], there[BATCH + 1];
	size_t npage, filled;
	ssize_t got;

	if (m->pid == 0 || !m->expected)
		return 0;
	npage = add_frequent(m, page, 0);
	for (size_t i = 0; i < npage; i++) {
		here[i] = (struct iovec){page[i]->bytes, MEMORY_PAGE};
		there[i] = (struct iovec){(void *)(uintptr_t)page[i]->address, MEMORY_PAGE};
	}
	here[npage] = (struct iovec){to, n}; /* the last one: it may end early */
	there[npage] = (struct iovec){(void *)(uintptr_t)address, n};
	m->cost.calls++;
	got = opener_memory(m->pid, here, there, npage + 1);
	filled = got > 0 ? (size_t)got / MEMORY_PAGE : 0;
	if (filled < npage) {
		set_readable(m, page, filled);
		fill_all(m, page + filled, npage - filled);
		return 0;
	}
	set_readable(m, page, npage);
	return got > 0 ? (size_t)got - npage * MEMORY_PAGE : 0;
}

static void
use(struct memory_reader *m, struct page *p)
{
	const uint64_t ago = m->turn - p->turn;

	p->uses = (uint8_t)((ago < 8 ? p->uses << ago : 0) | 1);
	p->turn = m->turn;
	m->used = true;
}

static const struct page *
page_at(struct memory_reader *m, uint64_t address)
{
	struct page *p = slot_of(m, address);

	if (p->sample != m->sample || p->address != address) {
		p = claim(m, address);
		if (p == NULL)
			return NULL;
		use(m, p);
		read_page(m, p);
	}
	use(m, p);
	return p->readable ? p : NULL;
}

void
memory_prefetch(struct memory_reader *m, const uint64_t *address, size_t n)
{
	struct page *batch[BATCH];
	size_t nbatch = 0;

	if (m->copies != NULL)
		return;
	for (size_t i = 0; i < n; i++) {
		uint64_t at = address[i] & ~(uint64_t)(MEMORY_PAGE - 1);
		struct page *p = slot_of(m, at);

		/* Leaves slots that this sample filled: they may belong to this batch. */
		if (at == 0 || p->sample == m->sample || (p = claim(m, at)) == NULL)
			continue;
		batch[nbatch++] = p;
		if (nbatch == BATCH) {
			fill_all(m, batch, nbatch);
			nbatch = 0;
		}
	}
	fill_all(m, batch, nbatch);
}

static void
prefetch_range(struct memory_reader *m, uint64_t address, size_t n)
{
	uint64_t page[BATCH];
	size_t npage = 0;

	for (uint64_t at = address; at < address + n && npage < BATCH; at += MEMORY_PAGE)
		page[npage++] = at;
	memory_prefetch(m, page, npage);
}

/* Reads through the page cache. */
static bool
read_pages(struct memory_reader *m, uint64_t address, void *to, size_t n)
{
	unsigned char *out = to;

	if (n > MEMORY_PAGE && m->copies == NULL)
		prefetch_range(m, address, n);
	for (size_t done = 0; done < n;) {
		uint64_t at = address + done, within = at % MEMORY_PAGE;
		size_t part = MEMORY_PAGE - within < n - done ? MEMORY_PAGE - within : n - done;
		const struct page *p = page_at(m, at - within);

		if (p == NULL) {
			memset(to, 0, n);
			return false;
		}
		memcpy(out + done, p->bytes + within, part);
		done += part;
	}
	return true;
}

bool
memory_read(struct memory_reader *m, uint64_t address, void *to, size_t n)
{
	const struct copies_range *r =
	    m->copies != NULL ? copies_find(m->copies, address, n) : NULL;

	if (r != NULL) {
		memcpy(to, r->bytes + (address - r->at), n);
		return true;
	}
	if (m->noverlay >= n && address >= m->overlay_at &&
	    address - m->overlay_at <= m->noverlay - n) {
		if (n > 0) /* without an overlay it is NULL */
			memcpy(to, m->overlay + (address - m->overlay_at), n);
		return true;
	}
	if ((m->copies == NULL || m->later) && address >= MEMORY_PAGE && address + n >= address) {
		m->had |= m->later;
		return read_pages(m, address, to, n);
	}
	if (m->copies != NULL) {
		m->cost.spent |= m->copies->limited;
		m->cost.lacked = true;
	}
	memset(to, 0, n);
	return false;
}

/* True if an object has the bytes of its copy in the process, but for the first 8. */
static bool
is_same(struct memory_reader *m, uint64_t object)
{
	static unsigned char now[WALK_MOST];
	const struct copies_range *r = copies_find(m->copies, object, OBJECT_HEAD);

	return r != NULL && read_pages(m, r->at, now, r->n) &&
	       memcmp(now + (object - r->at) + 8, r->bytes + (object - r->at) + 8,
		   r->n - (object - r->at) - 8) == 0;
}

bool
memory_rest(struct memory_reader *m, uint64_t object, uint64_t address, void *to, size_t n)
{
	if (memory_read(m, address, to, n))
		return true;
	return m->copies != NULL && read_pages(m, address, to, n) && is_same(m, object);
}

void
memory_read_later(struct memory_reader *m)
{
	m->later = m->copies != NULL;
	m->had = false;
}

bool
memory_is_proved(struct memory_reader *m, uint64_t object)
{
	m->later = false;
	return !m->had || is_same(m, object);
}

uint64_t
memory_u64(struct memory_reader *m, uint64_t address)
{
	uint64_t v;

	memory_read(m, address, &v, sizeof v);
	return v;
}

uint32_t
memory_u32(struct memory_reader *m, uint64_t address)
{
	uint32_t v;

	memory_read(m, address, &v, sizeof v);
	return v;
}

uint8_t
memory_u8(struct memory_reader *m, uint64_t address)
{
	uint8_t v;

	memory_read(m, address, &v, sizeof v);
	return v;
}

/* True if the word at address has this value now, read past the page cache. */
static bool
has_now(struct memory_reader *m, uint64_t address, uint64_t value)
{
	uint64_t now;
	const struct iovec here = {&now, sizeof now}, there = {(void *)(uintptr_t)address, 8};

	if (opener_memory(m->pid, &here, &there, 1) != sizeof now)
		return false;
	m->cost.calls++;
	return now == value;
}

bool
memory_is_still(struct memory_reader *m, uint64_t address, uint64_t value)
{
	if (m->copies != NULL || m->pid == 0) /* copies and images do not change */
		return memory_u64(m, address) == value;
	return has_now(m, address, value);
}

bool
memory_behind(
    struct memory_reader *m, uint64_t pointer, uint64_t value, uint64_t address, void *to, size_t n)
{
	if (memory_read(m, address, to, n))
		return true;
	return m->copies != NULL && read_pages(m, address, to, n) &&
	       (m->pid == 0 || has_now(m, pointer, value));
}

/* The copy with the byte at an address; NULL: none has it. */
static const struct copies_range *
copy_at(const struct memory_reader *m, uint64_t address)
{
	return m->copies != NULL ? copies_find(m->copies, address, 1) : NULL;
}

bool
memory_string(struct memory_reader *m, uint64_t address, char *to, size_t size)
{
	size_t done = 0;

	while (done + 1 < size) {
		size_t part = MEMORY_PAGE - (address + done) % MEMORY_PAGE;
		const struct copies_range *r;
		const char *end;

		if (part > size - 1 - done)
			part = size - 1 - done;
		if ((r = copy_at(m, address + done)) != NULL &&
		    r->at + r->n - (address + done) < part)
			part = r->at + r->n - (address + done);
		if (!memory_read(m, address + done, to + done, part))
			break;
		end = memchr(to + done, '\0', part);
		if (end != NULL)
			return true;
		done += part;
	}
	to[done] = '\0';
	return done > 0;
}
