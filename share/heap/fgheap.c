/*
 * fgheap: libfgheap.so, preloaded by fg-record --heap: samples allocations by their bytes.
 *
 * A countdown for each thread is reduced by the bytes of each allocation. The allocation that makes
 * it negative is sampled, and the next distance is drawn from an exponential distribution: each
 * byte is sampled with the same probability, whatever the sizes of blocks are. An allocation of n
 * bytes is sampled with probability 1 - exp(-n / mean), so the recorder weighs it n divided by
 * that.
 *
 * A sampled block is stored in a table until it is freed; a counting filter with one load for each
 * free finds that nearly all blocks are not in it. After its start the library does without locks,
 * memory of the program's heap, floating point and system calls, and keeps errno.
 *
 * The library needs no other one: it looks for the next malloc, ... in the loaded modules itself,
 * so that the same file serves glibc and musl.
 */
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "trace/heapabi.h"

/*
 * Weak: a program without libc, as a position-independent one of Go, has none of these. It does not
 * call this library.
 */
#pragma weak dl_iterate_phdr
#pragma weak getenv
#pragma weak strcmp
#pragma weak __errno_location

#define EXPORT __attribute__((visibility("default")))
#define PER_THREAD static __thread __attribute__((tls_model("initial-exec")))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

/*
 * The two functions that the recorder samples: the page is mapped a second time, at HEAPABI_PAGE.
 * Both begin with the mark of a target of indirect calls.
 */
#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)
#define EMPTY(name, place)                                                      \
	".org fg_heap_page + " STRING(place) "\n"                               \
					     ".type " name ", %function\n" name \
					     ":\n.cfi_startproc\n" CPU_TARGET   \
					     "ret\n.cfi_endproc\n"              \
					     ".size " name ", . - " name "\n"
__asm__(".pushsection .text.fg_heap_page,\"ax\",%progbits\n.balign " STRING(
    HEAPABI_ALIGNMENT) "\n"
		       ".hidden fg_heap_page\n.globl fg_heap_page\nfg_heap_page:\n" EMPTY(
			   "fg_heap_alloc", 0) EMPTY("fg_heap_free",
			   64) ".balign " STRING(HEAPABI_ALIGNMENT) "\n.popsection\n");
extern const char fg_heap_page[];

static void (*const heap_alloc)(const void *, size_t, size_t,
    size_t) = (void (*)(const void *, size_t, size_t, size_t))HEAPABI_ALLOC;
static void (*const heap_free)(const void *) = (void (*)(const void *))HEAPABI_FREE;

static enum { NEW, STARTING, OFF, ON } state; /* atomic; OFF: the page cannot be mapped */
static struct heapabi_shared *shared; /* NULL: the recorder has breakpoints */
static int64_t mean = HEAPABI_MEAN_DEFAULT;
static bool counts_mappings;

PER_THREAD int64_t left; /* bytes until the next sample */
PER_THREAD uint64_t random_state; /* 0: the thread is new */
PER_THREAD size_t counted; /* allocations that were counted, modulo its range */

/* ---- The functions that this library calls ---- */

/* Names of all of them, for the enumeration and the table of names. */
#define FUNCTIONS(X)                                                                               \
	X(malloc)                                                                                  \
	X(mmap)                                                                                    \
	X(munmap)                                                                                  \
	X(mremap)                                                                                  \
	X(calloc)                                                                                  \
	X(realloc) X(reallocarray) X(free) X(aligned_alloc) X(posix_memalign) X(memalign)          \
	    X(valloc) X(pvalloc) X(_Znwm) X(_Znam) X(_ZnwmRKSt9nothrow_t) X(_ZnamRKSt9nothrow_t)   \
		X(_ZnwmSt11align_val_t) X(_ZnamSt11align_val_t)                                    \
		    X(_ZnwmSt11align_val_tRKSt9nothrow_t) X(_ZnamSt11align_val_tRKSt9nothrow_t)    \
			X(_ZdlPv) X(_ZdaPv) X(_ZdlPvm) X(_ZdaPvm) X(_ZdlPvSt11align_val_t)         \
			    X(_ZdaPvSt11align_val_t) X(_ZdlPvmSt11align_val_t)                     \
				X(_ZdaPvmSt11align_val_t) X(_ZdlPvRKSt9nothrow_t)                  \
				    X(_ZdaPvRKSt9nothrow_t) X(_ZdlPvSt11align_val_tRKSt9nothrow_t) \
					X(_ZdaPvSt11align_val_tRKSt9nothrow_t)

#define NUMBER(name) F_##name,
enum function { FUNCTIONS(NUMBER) F_COUNT };
#define NAME(name) #name,
static const char *const names[] = {FUNCTIONS(NAME)};

static void *next_function[F_COUNT];

/* A module in which a symbol is looked for. */
struct tables {
	const ElfW(Sym) * symbol;
	const char *string;
	const uint32_t *hash; /* DT_HASH */
	const uint32_t *gnu_hash; /* DT_GNU_HASH */
	ElfW(Addr) base;
};

/* glibc relocates the addresses of a dynamic section, musl does not. */
static const void *
address(const struct dl_phdr_info *info, ElfW(Addr) at)
{
	return (const void *)(at < info->dlpi_addr ? info->dlpi_addr + at : at);
}

static bool
find_tables(const struct dl_phdr_info *info, struct tables *t)
{
	const ElfW(Dyn) *d = NULL;

	*t = (struct tables){.base = info->dlpi_addr};
	for (size_t i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
			d = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
	for (; d != NULL && d->d_tag != DT_NULL; d++)
		switch (d->d_tag) {
		case DT_SYMTAB: t->symbol = address(info, d->d_un.d_ptr); break;
		case DT_STRTAB: t->string = address(info, d->d_un.d_ptr); break;
		case DT_HASH: t->hash = address(info, d->d_un.d_ptr); break;
		case DT_GNU_HASH: t->gnu_hash = address(info, d->d_un.d_ptr); break;
		}
	return t->symbol != NULL && t->string != NULL;
}

/* The function of that name which symbol i of t defines; NULL if it is another symbol. */
static void *
defined(const struct tables *t, uint32_t i, const char *name)
{
	const ElfW(Sym) *s = &t->symbol[i];
	void *(*chosen)(void);

	if (s->st_shndx == SHN_UNDEF || s->st_value == 0 ||
	    strcmp(t->string + s->st_name, name) != 0)
		return NULL;
	if (ELF64_ST_TYPE(s->st_info) != STT_GNU_IFUNC)
		return (void *)(t->base + s->st_value);
	chosen = (void *(*)(void))(t->base + s->st_value);
	return chosen();
}

static void *
find_gnu(const struct tables *t, const char *name)
{
	const uint32_t buckets = t->gnu_hash[0], first = t->gnu_hash[1], words = t->gnu_hash[2];
	const uint32_t *bucket = t->gnu_hash + 4 + words * (sizeof(ElfW(Addr)) / sizeof(uint32_t));
	const uint32_t *chain = bucket + buckets;
	uint32_t h = 5381;
	void *found;

	for (const char *c = name; *c != '\0'; c++)
		h = h * 33 + (unsigned char)*c;
	if (buckets == 0 || bucket[h % buckets] < first)
		return NULL;
	for (uint32_t i = bucket[h % buckets];; i++) {
		if ((chain[i - first] | 1) == (h | 1) && (found = defined(t, i, name)) != NULL)
			return found;
		if (chain[i - first] & 1)
			return NULL;
	}
}

static void *
find_sysv(const struct tables *t, const char *name)
{
	const uint32_t buckets = t->hash[0], *bucket = t->hash + 2, *chain = bucket + buckets;
	uint32_t h = 0;
	void *found;

	for (const char *c = name; *c != '\0'; c++) {
		h = (h << 4) + (unsigned char)*c;
		h = (h ^ ((h & 0xf0000000) >> 24)) & 0x0fffffff;
	}
	for (uint32_t i = buckets != 0 ? bucket[h % buckets] : 0; i != 0; i = chain[i])
		if ((found = defined(t, i, name)) != NULL)
			return found;
	return NULL;
}

/* The first definition of a function, in modules behind this library only if not `anywhere`. */
struct search {
	const char *name;
	void *found;
	bool anywhere;
	bool behind; /* this library was passed */
};

static bool
is_ours(const struct dl_phdr_info *info)
{
	const uintptr_t here = (uintptr_t)fg_heap_page;

	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && here >= info->dlpi_addr + p->p_vaddr &&
		    here - (info->dlpi_addr + p->p_vaddr) < p->p_memsz)
			return true;
	}
	return false;
}

static int
search_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct search *s = arg;
	struct tables t;

	(void)size;
	if (is_ours(info)) {
		s->behind = true;
		return 0;
	}
	if (!(s->behind || s->anywhere) || !find_tables(info, &t))
		return 0;
	s->found = t.gnu_hash != NULL ? find_gnu(&t, s->name)
		   : t.hash != NULL   ? find_sysv(&t, s->name)
				      : NULL;
	return s->found != NULL;
}

/* The function behind ours; NULL if no module has it. */
static void *
next(enum function f)
{
	struct search s = {.name = names[f]};
	void *known = __atomic_load_n(&next_function[f], __ATOMIC_RELAXED);

	if (known != NULL)
		return known;
	dl_iterate_phdr(search_module, &s);
	__atomic_store_n(&next_function[f], s.found, __ATOMIC_RELAXED);
	return s.found;
}

#define NEXT(f, type) ((type)next(F_##f))

/* ---- The page that the recorder samples ---- */

/* A system call that leaves errno as it is. */
static long
raw_syscall(long n, long a, long b, long c, long d, long e, long f)
{
#ifdef CPU_X86_64
	register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
#else
	register long x8 __asm__("x8") = n, x0 __asm__("x0") = a, x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c, x3 __asm__("x3") = d, x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc #0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#endif
}

/* The memory at a path, which the recorder has made; NULL: it has gone. */
static struct heapabi_shared *
map_shared(const char *path)
{
	const long fd = raw_syscall(SYS_openat, -100, (long)path, 02000002, 0, 0, 0);
	long at = -1;

	if (fd >= 0) {
		at = raw_syscall(
		    SYS_mmap, 0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	}
	return at < 0 && at > -4096 ? NULL : (struct heapabi_shared *)at;
}

/* Maps this library's page of the two functions at HEAPABI_PAGE. */
static int
map_page(struct dl_phdr_info *info, size_t size, void *arg)
{
	const uintptr_t here = (uintptr_t)fg_heap_page;
	long fd;

	(void)size;
	if (!is_ours(info))
		return 0;
	fd = raw_syscall(SYS_openat, -100, (long)info->dlpi_name, 02000000, 0, 0, 0);
	for (size_t i = 0; fd >= 0 && i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const uintptr_t begin = info->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && here >= begin && here - begin < p->p_memsz)
			*(bool *)arg =
			    raw_syscall(SYS_mmap, HEAPABI_PAGE, HEAPABI_ALIGNMENT,
				PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED_NOREPLACE, fd,
				(long)(p->p_offset + (here - begin))) == HEAPABI_PAGE;
	}
	if (fd >= 0)
		raw_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
	return 1;
}

static void
start(void)
{
	int expected = NEW;
	const char *text = getenv(HEAPABI_MEAN), *path = getenv(HEAPABI_SHARED);
	bool mapped = false;
	int64_t n = 0;

	if (!__atomic_compare_exchange_n(
		(int *)&state, &expected, STARTING, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return;
	for (; text != NULL && *text >= '0' && *text <= '9' && n < INT64_MAX / 20; text++)
		n = n * 10 + (*text - '0');
	if (n > 0)
		mean = n;
	counts_mappings = getenv(HEAPABI_MAPPINGS) != NULL;
	if (path == NULL || (shared = map_shared(path)) != NULL)
		dl_iterate_phdr(map_page, &mapped);
	__atomic_store_n((int *)&state, mapped ? ON : OFF, __ATOMIC_RELEASE);
}

/* ---- Distances ---- */

#define FRACTION 32 /* bits of a fixed-point number after the point */
#define LN2 UINT64_C(2977044472) /* ln 2, as such a number */

/* -log2(u / 2^64) for u > 0: its integer part by the highest bit, then a bit for each squaring. */
static uint64_t
minus_log2(uint64_t u)
{
	const int shift = __builtin_clzll(u);
	uint64_t x = u << shift, log = 0;

	for (int bit = 0; bit < FRACTION; bit++) {
		const unsigned __int128 square = (unsigned __int128)x * x;

		log <<= 1;
		if (square >> 127 & 1) {
			log |= 1;
			x = (uint64_t)(square >> 64);
		} else {
			x = (uint64_t)(square >> 63);
		}
	}
	return ((uint64_t)(shift + 1) << FRACTION) - log;
}

/* A number from the exponential distribution with that mean, at least 1. */
static int64_t
draw(void)
{
	uint64_t bits;

	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	bits = random_state * UINT64_C(0x2545f4914f6cdd1d);
	return (int64_t)((unsigned __int128)((unsigned __int128)minus_log2(bits | 1) * LN2 >>
					     FRACTION) *
			     (uint64_t)mean >>
			 FRACTION) +
	       1;
}

/* Different in each thread and process. */
static void
seed(void)
{
	uint64_t time[2] = {0, 0}, x;

	raw_syscall(SYS_clock_gettime, 1, (long)time, 0, 0, 0, 0);
	x = (uint64_t)&random_state ^ time[1] << 20 ^ time[0] << 50 ^
	    (uint64_t)raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0) << 32;
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	random_state = (x ^ x >> 31) | 1;
}

/* ---- Samples without breakpoints ---- */

#define WAITS 100 /* ms for a free slot, until the recorder counts as dead */

static uint64_t
now(void)
{
	uint64_t time[2] = {0, 0};

	raw_syscall(SYS_clock_gettime, 1, (long)time, 0, 0, 0, 0);
	return time[0] * 1000000000 + time[1];
}

/* Claims the slot of a state; false if it is in use. */
static bool
claim(uint32_t *of)
{
	uint32_t expected = HEAPABI_FREE_SLOT;

	return __atomic_compare_exchange_n(
	    of, &expected, HEAPABI_WRITING, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* A free element of n, of `size` bytes each, whose state is first; NULL if the recorder is dead. */
static void *
find_slot(void *slots, size_t size, uint32_t n, uint32_t *next)
{
	const uint64_t ms[2] = {0, 1000000};

	for (int wait = 0; wait < WAITS && !__atomic_load_n(&shared->full, __ATOMIC_RELAXED);
	     wait++) {
		for (uint32_t i = 0; i < n; i++) {
			char *slot = (char *)slots +
				     __atomic_fetch_add(next, 1, __ATOMIC_RELAXED) % n * size;

			if (claim((uint32_t *)slot))
				return slot;
		}
		raw_syscall(SYS_nanosleep, (long)ms, 0, 0, 0, 0, 0);
	}
	__atomic_store_n(&shared->full, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&shared->lost, 1, __ATOMIC_RELAXED);
	return NULL;
}

/* Copies this thread's stack from `from` on; less at its end. */
static uint32_t
copy_stack(unsigned char *to, uint64_t from)
{
	struct {
		uint64_t at, n;
	} here = {(uint64_t)to, HEAPABI_COPY}, there[HEAPABI_COPY / 4096 + 1];
	const long pid = raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	uint64_t at = from;
	long parts = 0, n;

	while (at < from + HEAPABI_COPY) { /* what cannot be read is a page's end */
		const uint64_t page = (at | 4095) + 1, end = from + HEAPABI_COPY;

		there[parts].at = at;
		there[parts++].n = (page < end ? page : end) - at;
		at = page;
	}
	n = raw_syscall(SYS_process_vm_readv, pid, (long)&here, 1, (long)there, parts, 0);
	if (n > 0)
		return (uint32_t)n;
	for (n = 0; n < (long)there[0].n; n++) /* the call is forbidden here */
		to[n] = ((const unsigned char *)from)[n];
	return (uint32_t)n;
}

/* Stores the registers at this place of the calling function, by perf's numbers. */
#ifdef CPU_X86_64
#define STORE_REGISTERS(r)                                                              \
	__asm__ volatile("lea (%%rip), %%rax\n mov %%rax, 64(%0)\n mov %%rsp, 56(%0)\n" \
			 "mov %%rbp, 48(%0)\n mov %%rbx, 8(%0)\n mov %%r12, 160(%0)\n"  \
			 "mov %%r13, 168(%0)\n mov %%r14, 176(%0)\n mov %%r15, 184(%0)" \
			 :                                                              \
			 : "r"(r)                                                       \
			 : "rax", "memory")
#define STACK_POINTER 7
#else
#define STORE_REGISTERS(r)                                                                  \
	__asm__ volatile("adr x9, .\n str x9, [%0, 256]\n mov x9, sp\n str x9, [%0, 248]\n" \
			 "stp x19, x20, [%0, 152]\n stp x21, x22, [%0, 168]\n"              \
			 "stp x23, x24, [%0, 184]\n stp x25, x26, [%0, 200]\n"              \
			 "stp x27, x28, [%0, 216]\n stp x29, x30, [%0, 232]"                \
			 :                                                                  \
			 : "r"(r)                                                           \
			 : "x9", "memory")
#define STACK_POINTER 31
#endif

static __attribute__((noinline)) void
write_call(const void *p, size_t n, size_t flags)
{
	struct heapabi_call *c =
	    find_slot(shared->call, sizeof *c, HEAPABI_CALLS, &shared->next_call);

	if (c == NULL)
		return;
	c->pid = (uint32_t)raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	c->tid = (uint32_t)raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
	c->time = now();
	c->pointer = (uintptr_t)p;
	c->size = n;
	c->mean = (uint64_t)mean;
	c->flags = flags;
	STORE_REGISTERS(c->reg);
	c->nstack = copy_stack(c->stack, c->reg[STACK_POINTER]);
	__atomic_store_n(&c->state, HEAPABI_READY, __ATOMIC_RELEASE);
}

static __attribute__((noinline)) void
write_end(const void *p)
{
	struct heapabi_end *e = find_slot(shared->end, sizeof *e, HEAPABI_ENDS, &shared->next_end);

	if (e == NULL)
		return;
	e->pid = (uint32_t)raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	e->tid = (uint32_t)raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
	e->time = now();
	e->pointer = (uintptr_t)p;
	__atomic_store_n(&e->state, HEAPABI_READY, __ATOMIC_RELEASE);
}

/* mean is 0 with HEAPABI_RESTORED. */
static void
report_block(const void *p, size_t n, size_t bytes, size_t flags)
{
	if (shared != NULL)
		write_call(p, n, flags);
	else
		heap_alloc(p, n, bytes, flags);
}

static void
report_end(const void *p)
{
	if (shared != NULL)
		write_end(p);
	else
		heap_free(p);
}

/* ---- The table of sampled blocks ---- */

/*
 * Three tables of groups of slots, each larger than the last one and used when a block's group in
 * that one is full: few blocks take few pages. A slot is 0 or the address of a block.
 */
#define GROUP 16
#define SMALL (1 << 12)
#define MEDIUM (1 << 16)
#define LARGE (1 << 20)
static _Atomic(uintptr_t) small[SMALL], medium[MEDIUM], large[LARGE];
static const struct {
	_Atomic(uintptr_t) *slot;
	uint32_t size;
} tables[] = {{small, SMALL}, {medium, MEDIUM}, {large, LARGE}};
static atomic_int used; /* tables that ever had a block */

static _Atomic uint8_t filter[1 << 16]; /* sampled blocks by hash; 255 stays */

static inline uint32_t
hash(const void *p)
{
	return (uint32_t)((uintptr_t)p * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static inline _Atomic uint8_t *
filter_of(const void *p)
{
	return &filter[hash(p) >> 16];
}

static void
filter_add(const void *p, int by)
{
	uint8_t n = atomic_load(filter_of(p));

	while (n != UINT8_MAX && !atomic_compare_exchange_weak(filter_of(p), &n, (uint8_t)(n + by)))
		continue;
}

/* Stores a block; false if all its groups are full. */
static bool
store(const void *p)
{
	for (int i = 0; i < (int)(sizeof tables / sizeof *tables); i++) {
		_Atomic(uintptr_t) *group =
		    tables[i].slot + (hash(p) * GROUP & (tables[i].size - 1));

		for (int k = 0; k < GROUP; k++) {
			uintptr_t none = 0;

			if (!atomic_compare_exchange_strong(&group[k], &none, (uintptr_t)p))
				continue;
			for (int n = atomic_load(&used);
			     n < i + 1 && !atomic_compare_exchange_weak(&used, &n, i + 1);)
				continue;
			filter_add(p, 1);
			return true;
		}
	}
	return false;
}

/* Removes a block; true if it was there. */
static bool
forget(const void *p)
{
	for (int i = 0; i < atomic_load(&used); i++) {
		_Atomic(uintptr_t) *group =
		    tables[i].slot + (hash(p) * GROUP & (tables[i].size - 1));

		for (int k = 0; k < GROUP; k++)
			if (atomic_load_explicit(&group[k], memory_order_relaxed) == (uintptr_t)p) {
				atomic_store(&group[k], 0);
				filter_add(p, -1);
				return true;
			}
	}
	return false;
}

/* ---- Counting ---- */

/* keep stores the block; false if it cannot. */
static __attribute__((noinline)) void
sampled(void *p, size_t n, bool (*keep)(const void *p))
{
	if (UNLIKELY(random_state == 0)) {
		start();
		seed();
		left += draw();
		if (left >= 0)
			return;
	}
	if (p == NULL) {
		left += (int64_t)n;
		return;
	}
	while (left < 0)
		left += draw();
	if (__atomic_load_n((int *)&state, __ATOMIC_ACQUIRE) == ON)
		report_block(p, n, (size_t)mean, keep(p) ? 0 : HEAPABI_UNTRACKED);
}

/* Counts an allocation of n bytes. */
static inline void *
count(void *p, size_t n)
{
	counted++;
	if (UNLIKELY((left -= (int64_t)n) < 0))
		sampled(p, n, store);
	return p;
}

static __attribute__((noinline)) bool
is_sampled(void *p)
{
	if (!forget(p))
		return false;
	report_end(p);
	return true;
}

/* Call before a block is freed; true if it was sampled. */
static inline bool
freed(void *p)
{
	return UNLIKELY(atomic_load_explicit(filter_of(p), memory_order_relaxed) != 0) &&
	       is_sampled(p);
}

EXPORT void *
malloc(size_t n)
{
	return count(NEXT(malloc, void *(*)(size_t))(n), n);
}

EXPORT void *
calloc(size_t n, size_t size)
{
	void *p = NEXT(calloc, void *(*)(size_t, size_t))(n, size);

	return p != NULL ? count(p, n * size) : NULL; /* an overflow has failed */
}

EXPORT void
free(void *p)
{
	freed(p);
	NEXT(free, void (*)(void *))(p);
}

/*
 * Counts the result of realloc(3). Its old block was reported as freed before the call, since
 * another thread may get its address in that; if it failed, the block is as before.
 */
static void *
moved(void *old, void *p, size_t n, bool was_sampled)
{
	if (p != NULL)
		return count(p, n);
	if (was_sampled && n != 0 && store(old))
		report_block(old, 0, 0, HEAPABI_RESTORED);
	return NULL;
}

EXPORT void *
realloc(void *old, size_t n)
{
	const bool was_sampled = freed(old);

	return moved(old, NEXT(realloc, void *(*)(void *, size_t))(old, n), n, was_sampled);
}

EXPORT void *
reallocarray(void *old, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, bytes);
}

/*
 * Functions that other ones of this library may implement: counted once. `count_outer` compares the
 * number of counted allocations before the call and after it.
 */
static inline void *
count_outer(size_t before, void *p, size_t n)
{
	return p != NULL && counted == before ? count(p, n) : p;
}

EXPORT void *
aligned_alloc(size_t alignment, size_t n)
{
	const size_t before = counted;

	return count_outer(before, NEXT(aligned_alloc, void *(*)(size_t, size_t))(alignment, n), n);
}

EXPORT void *
memalign(size_t alignment, size_t n)
{
	const size_t before = counted;

	return count_outer(before, NEXT(memalign, void *(*)(size_t, size_t))(alignment, n), n);
}

EXPORT int
posix_memalign(void **p, size_t alignment, size_t n)
{
	const size_t before = counted;
	int error = NEXT(posix_memalign, int (*)(void **, size_t, size_t))(p, alignment, n);

	if (error == 0)
		count_outer(before, *p, n);
	return error;
}

EXPORT void *
valloc(size_t n)
{
	const size_t before = counted;

	return count_outer(before, NEXT(valloc, void *(*)(size_t))(n), n);
}

EXPORT void *
pvalloc(size_t n)
{
	const size_t before = counted;

	return count_outer(before, NEXT(pvalloc, void *(*)(size_t))(n), n);
}

/*
 * The operators of C++, which allocators other than libc's implement without malloc. An exception
 * passes through these functions: they have no state to restore.
 */
#define OPERATOR_NEW(name, parameters, arguments)                                         \
	EXPORT void *name parameters;                                                     \
	EXPORT void *name parameters                                                      \
	{                                                                                 \
		const size_t before = counted;                                            \
                                                                                          \
		return count_outer(before, NEXT(name, void *(*)parameters) arguments, n); \
	}
#define OPERATOR_DELETE(name, parameters, arguments)      \
	EXPORT void name parameters;                      \
	EXPORT void name parameters                       \
	{                                                 \
		freed(p);                                 \
		NEXT(name, void(*) parameters) arguments; \
	}

OPERATOR_NEW(_Znwm, (size_t n), (n))
OPERATOR_NEW(_Znam, (size_t n), (n))
OPERATOR_NEW(_ZnwmRKSt9nothrow_t, (size_t n, const void *t), (n, t))
OPERATOR_NEW(_ZnamRKSt9nothrow_t, (size_t n, const void *t), (n, t))
OPERATOR_NEW(_ZnwmSt11align_val_t, (size_t n, size_t a), (n, a))
OPERATOR_NEW(_ZnamSt11align_val_t, (size_t n, size_t a), (n, a))
OPERATOR_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t n, size_t a, const void *t), (n, a, t))
OPERATOR_NEW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t n, size_t a, const void *t), (n, a, t))
OPERATOR_DELETE(_ZdlPv, (void *p), (p))
OPERATOR_DELETE(_ZdaPv, (void *p), (p))
OPERATOR_DELETE(_ZdlPvm, (void *p, size_t n), (p, n))
OPERATOR_DELETE(_ZdaPvm, (void *p, size_t n), (p, n))
OPERATOR_DELETE(_ZdlPvSt11align_val_t, (void *p, size_t a), (p, a))
OPERATOR_DELETE(_ZdaPvSt11align_val_t, (void *p, size_t a), (p, a))
OPERATOR_DELETE(_ZdlPvmSt11align_val_t, (void *p, size_t n, size_t a), (p, n, a))
OPERATOR_DELETE(_ZdaPvmSt11align_val_t, (void *p, size_t n, size_t a), (p, n, a))
OPERATOR_DELETE(_ZdlPvRKSt9nothrow_t, (void *p, const void *t), (p, t))
OPERATOR_DELETE(_ZdaPvRKSt9nothrow_t, (void *p, const void *t), (p, t))
OPERATOR_DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, (void *p, size_t a, const void *t), (p, a, t))
OPERATOR_DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, (void *p, size_t a, const void *t), (p, a, t))

/* ---- Mappings, if the recorder wants them ---- */

#define MAPPING_MAX ((size_t)1 << 20) /* bytes; larger ones are counted */
#define PARTS 4096 /* of mappings, at a time */

/* A part of a counted mapping that is mapped still. The mapping ends with its last part. */
struct part {
	uintptr_t of; /* its mapping, see store_mapping; 0: the slot is free */
	uintptr_t from, to;
	bool sampled;
};
static struct part parts[PARTS];
static unsigned nparts; /* atomic: slots that were ever used */
static uint64_t owner; /* atomic; process and thread that use parts, or 0 */

/*
 * False if this thread has them already, and is in a signal handler. A child process takes them
 * from the thread of its parent that had them in fork(2).
 */
static bool
own_parts(void)
{
	const uint64_t pid = (uint64_t)raw_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
	const uint64_t we = pid << 32 | (uint32_t)raw_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
	uint64_t other = 0;

	while (!__atomic_compare_exchange_n(
	    &owner, &other, we, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		if (other == we)
			return false;
		if (other >> 32 == pid) {
			raw_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
			other = 0;
		}
	}
	return true;
}

static void
leave_parts(void)
{
	__atomic_store_n(&owner, 0, __ATOMIC_RELEASE);
}

/* A part of a mapping; NULL: it has none. */
static struct part *
find_part(uintptr_t of)
{
	for (struct part *p = parts; p < parts + nparts; p++)
		if (p->of == of)
			return p;
	return NULL;
}

/* Stores a part, if a slot is free. */
static void
store_part(uintptr_t of, uintptr_t from, uintptr_t to, bool is_sampled)
{
	struct part *p = find_part(0);

	if (p == NULL && nparts < PARTS)
		p = &parts[nparts];
	if (p == NULL)
		return;
	*p = (struct part){of, from, to, is_sampled};
	if (p == &parts[nparts])
		__atomic_store_n(&nparts, nparts + 1, __ATOMIC_RELAXED);
}

/* Takes a range from a part; true if its mapping ends with that. */
static bool
cut_part(struct part *p, uintptr_t from, uintptr_t to)
{
	const uintptr_t of = p->of;

	if (from > p->from && to < p->to)
		store_part(of, to, p->to, p->sampled);
	if (from > p->from) {
		p->to = from;
	} else if (to < p->to) {
		p->from = to;
	} else {
		p->of = 0;
		return find_part(of) == NULL;
	}
	return false;
}

/* Takes a range from the parts, until a mapping ends, which is returned; 0: none does. */
static uintptr_t
cut_parts(uintptr_t from, uintptr_t to, bool *was_sampled)
{
	uintptr_t ended = 0;

	if (__atomic_load_n(&nparts, __ATOMIC_RELAXED) == 0 || !own_parts())
		return 0;
	for (struct part *p = parts; p < parts + nparts && ended == 0; p++) {
		const uintptr_t of = p->of;

		*was_sampled = p->sampled;
		if (of != 0 && from < p->to && to > p->from && cut_part(p, from, to))
			ended = of;
	}
	leave_parts();
	return ended;
}

static uintptr_t
page_end(uintptr_t at)
{
	return (at + 4095) & ~(uintptr_t)4095;
}

/*
 * Call before a range is unmapped or replaced: another thread may get its address in that. Reports
 * the mappings that end; returns the last one, 0: none. *was_sampled: that one was.
 */
static uintptr_t
unmapped(uintptr_t from, size_t n, bool *was_sampled)
{
	uintptr_t ended = 0, next_ended;
	bool is_sampled;

	while ((next_ended = cut_parts(from, page_end(from + n), &is_sampled)) != 0) {
		ended = next_ended;
		*was_sampled = is_sampled;
		if (is_sampled)
			report_end((const void *)ended);
	}
	return ended;
}

/*
 * Stores a mapping. Returns the number that it has in reports: its start, or the next number that
 * is free, as a mapping that has lost its first part may have begun there.
 */
static uintptr_t
store_mapping(uintptr_t start, size_t n)
{
	uintptr_t of = start;

	if (!own_parts())
		return start;
	while (find_part(of) != NULL)
		of++;
	store_part(of, start, page_end(start + n), false);
	leave_parts();
	return of;
}

/* Notes that a mapping was sampled; false if it has no slot. */
static bool
keep_mapping(const void *of)
{
	struct part *p;

	if (!own_parts())
		return false;
	p = find_part((uintptr_t)of);
	if (p != NULL)
		p->sampled = true;
	leave_parts();
	return p != NULL;
}

/* A mapping that ended is there still, since the call failed. */
static void
restore_mapping(uintptr_t of, uintptr_t from, size_t n, bool was_sampled)
{
	if (!own_parts())
		return;
	store_part(of, from, page_end(from + n), was_sampled);
	leave_parts();
	if (was_sampled)
		report_block((const void *)of, 0, 0, HEAPABI_RESTORED);
}

static void
count_mapping(const void *start, size_t n)
{
	const uintptr_t of = store_mapping((uintptr_t)start, n);

	if ((left -= (int64_t)n) < 0)
		sampled((void *)of, n, keep_mapping);
}

struct caller {
	uintptr_t at, allocator;
	bool is_allocator;
};

static int
compare_module(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct caller *c = arg;
	bool has_caller = false, has_allocator = false;

	(void)size;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const uintptr_t begin = info->dlpi_addr + p->p_vaddr;

		if (p->p_type != PT_LOAD)
			continue;
		has_caller |= c->at - begin < p->p_memsz;
		has_allocator |= c->allocator - begin < p->p_memsz;
	}
	c->is_allocator = has_caller && has_allocator;
	return has_caller;
}

/* True in the module of malloc(3), whose blocks are counted when it gives them away. */
static bool
is_allocator(const void *caller)
{
	struct caller c = {.at = (uintptr_t)caller, .allocator = (uintptr_t)next(F_malloc)};

	dl_iterate_phdr(compare_module, &c);
	return c.is_allocator;
}

static bool
is_memory(size_t n, int protection, int flags, const void *caller)
{
	return n > MAPPING_MAX && n < INT64_MAX && (flags & MAP_ANONYMOUS) != 0 &&
	       protection != PROT_NONE && !is_allocator(caller);
}

EXPORT void *
mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset)
{
	bool was_sampled;
	void *p;

	if (UNLIKELY(counts_mappings) && (flags & MAP_FIXED) != 0)
		unmapped((uintptr_t)at, n, &was_sampled);
	p = NEXT(mmap, void *(*)(void *, size_t, int, int, int, off_t))(
	    at, n, protection, flags, fd, offset);
	if (UNLIKELY(counts_mappings) && p != MAP_FAILED &&
	    is_memory(n, protection, flags, __builtin_return_address(0)))
		count_mapping(p, n);
	return p;
}

/* off_t has 64 bits: the same function. */
EXPORT void *mmap64(void *at, size_t n, int protection, int flags, int fd, off_t offset)
    __attribute__((alias("mmap")));

EXPORT int
munmap(void *at, size_t n)
{
	bool was_sampled = false;
	const uintptr_t ended =
	    UNLIKELY(counts_mappings) ? unmapped((uintptr_t)at, n, &was_sampled) : 0;
	const int result = NEXT(munmap, int (*)(void *, size_t))(at, n);

	if (UNLIKELY(result != 0) && ended != 0)
		restore_mapping(ended, (uintptr_t)at, n, was_sampled);
	return result;
}

/* A mapping that is moved or resized is a new one, as a block is by realloc(3). */
EXPORT void *
mremap(void *old, size_t old_n, size_t n, int flags, ...)
{
	void *p, *to = NULL;
	bool was_sampled = false;
	uintptr_t ended;

	if ((flags & ~MREMAP_MAYMOVE) != 0) {
		va_list rest;

		va_start(rest, flags);
		to = va_arg(rest, void *);
		va_end(rest);
	}
	ended = UNLIKELY(counts_mappings) ? unmapped((uintptr_t)old, old_n, &was_sampled) : 0;
	p = NEXT(mremap, void *(*)(void *, size_t, size_t, int, ...))(old, old_n, n, flags, to);
	if (ended != 0 && p == MAP_FAILED)
		restore_mapping(ended, (uintptr_t)old, old_n, was_sampled);
	else if (ended != 0 && n > MAPPING_MAX)
		count_mapping(p, n);
	return p;
}

/* ---- CPython, whose allocator of small objects takes large blocks from mmap(2) ---- */

/* PyMemAllocatorEx of CPython's pymem.h, since 3.5. */
struct py_allocator {
	void *context;
	void *(*malloc)(void *context, size_t n);
	void *(*calloc)(void *context, size_t n, size_t size);
	void *(*realloc)(void *context, void *old, size_t n);
	void (*free)(void *context, void *p);
};

enum { PY_MEM = 1, PY_OBJECT, PY_DOMAINS }; /* PyMemAllocatorDomain; RAW, 0, is malloc(3) */
static struct py_allocator py_next[PY_DOMAINS]; /* the ones that ours call */

static void *
py_malloc(void *context, size_t n)
{
	const struct py_allocator *a = context;
	const size_t before = counted;

	return count_outer(before, a->malloc(a->context, n), n);
}

static void *
py_calloc(void *context, size_t n, size_t size)
{
	const struct py_allocator *a = context;
	const size_t before = counted;

	return count_outer(before, a->calloc(a->context, n, size), n * size);
}

static void *
py_realloc(void *context, void *old, size_t n)
{
	const struct py_allocator *a = context;
	const size_t before = counted;
	const bool was_sampled = freed(old);
	void *p = a->realloc(a->context, old, n);

	return p != NULL && counted != before ? p : moved(old, p, n, was_sampled);
}

static void
py_free(void *context, void *p)
{
	const struct py_allocator *a = context;

	freed(p);
	a->free(a->context, p);
}

static void *
find_anywhere(const char *name)
{
	struct search s = {.name = name, .anywhere = true};

	dl_iterate_phdr(search_module, &s);
	return s.found;
}

/* Before CPython starts, as its manual allows; PYTHONMALLOC replaces these allocators again. */
static void
begin_python(void)
{
	void (*get)(int, struct py_allocator *) =
	    (void (*)(int, struct py_allocator *))find_anywhere("PyMem_GetAllocator");
	void (*set)(int, const struct py_allocator *) =
	    (void (*)(int, const struct py_allocator *))find_anywhere("PyMem_SetAllocator");

	for (int domain = PY_MEM; get != NULL && set != NULL && domain < PY_DOMAINS; domain++) {
		struct py_allocator ours = {
		    &py_next[domain], py_malloc, py_calloc, py_realloc, py_free};

		get(domain, &py_next[domain]);
		set(domain, &ours);
	}
}

__attribute__((constructor)) static void
begin(void)
{
	if (dl_iterate_phdr == NULL || getenv == NULL)
		return;
	start();
	begin_python();
}
