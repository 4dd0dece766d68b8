/* allocator: a table of names, whole or with a wildcard at the end. */
#include "names/allocator.h"

#include <string.h>

#include "names/origin.h"

/* A name that ends in `*` stands for all names that begin so. */
static const char *const names[] = {
    /* C and the C libraries */
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "posix_memalign",
    "memalign",
    "valloc",
    "pvalloc",
    "__libc_malloc*",
    "__libc_calloc",
    "__libc_realloc",
    "__libc_memalign",
    "_int_malloc",
    "_int_realloc",
    "_int_memalign",
    "_mid_memalign",
    "sysmalloc",
    "malloc_consolidate",
    "tcache_*",
    "__posix_memalign",
    "__GI___libc_malloc",
    "__GI___libc_realloc",
    /* programs' own wrappers, which only check the result */
    "xmalloc",
    "xcalloc",
    "xrealloc",
    "xzalloc",
    "g_malloc*",
    "g_realloc*",
    "g_try_malloc*",
    "g_slice_alloc*",
    /* C++ */
    "operator new*",
    "_Znwm",
    "_Znam",
    "__gnu_cxx::new_allocator*",
    "std::__new_allocator*",
    "std::allocator<*",
    "std::allocator_traits<*",
    "__gnu_cxx::__alloc_traits*",
    "std::__allocator_traits_base*",
    "std::__allocate_guarded*",
    "std::__libcpp_allocate*",
    "std::__1::allocator<*",
    "std::__1::allocator_traits<*",
    "std::__1::__libcpp_*allocate*",
    "std::__allocate_at_least*",
    "std::__1::__allocate_at_least*",
    /* Rust */
    "__rust_alloc*",
    "__rust_realloc",
    "__rdl_alloc*",
    "__rdl_realloc",
    "__rg_alloc*",
    "__rg_realloc",
    "alloc::*",
    "<alloc::*",
    "hashbrown::raw::*",
    "std::alloc::*",
    "std::sys::*::alloc::*",
    /* other allocators */
    "je_*alloc*",
    "je_*memalign*",
    "tc_*alloc*",
    "tc_new*",
    "mi_*alloc*",
    "mi_new*",
    /* interpreters */
    "PyMem_*",
    "_PyMem_*",
    "PyObject_Malloc",
    "PyObject_Calloc",
    "PyObject_Realloc",
    "_PyObject_Malloc",
    "_PyObject_Calloc",
    "_PyObject_Realloc",
    "_PyObject_New",
    "_PyObject_NewVar",
    "_PyObject_GC_*",
    "PyType_GenericAlloc",
    "_PyType_AllocNoTrack",
    "pymalloc_*",
    "gc_alloc",
    "new_arena",
    "objspace_*alloc*",
    "ruby_x*alloc*",
    "rb_gc_*alloc*",
    "_emalloc*",
    "_ecalloc",
    "_erealloc*",
    "_safe_*alloc*",
    "__zend_*alloc",
    "zend_mm_*",
    "Perl_safesys*",
    "l_alloc",
    "luaM_*",
    /* Go */
    "runtime.mallocgc*",
    "runtime.profilealloc",
    "runtime.(*mcache).*",
    "runtime.newobject",
    "runtime.newarray",
    "runtime.makeslice*",
    "runtime.growslice*",
    "runtime.makechan*",
    "runtime.makemap*",
    "runtime.mapassign*",
    "runtime.hashGrow",
    "runtime.makeBucketArray",
    "internal/runtime/maps.*",
    "runtime.concat*",
    "runtime.raw*",
    "runtime.slice*tostring",
    "runtime.stringtoslice*",
    "runtime.intstring",
    "runtime.gostring*",
    "runtime.convT*",
    "runtime.unsafe_New*",
    "reflect.unsafe_New*",
    /* HotSpot: its tracer, the slow paths of the interpreter and of both compilers, their stubs */
    "AllocTracer::*",
    "MemAllocator::*",
    "ObjArrayAllocator::*",
    "CollectedHeap::*_allocate*",
    "ZCollectedHeap::*_allocate",
    "ShenandoahHeap::*_allocate*",
    "InstanceKlass::allocate_*",
    "TypeArrayKlass::allocate_*",
    "ObjArrayKlass::allocate*",
    "ObjArrayKlass::multi_allocate",
    "ArrayKlass::allocate_*",
    "oopFactory::new_*",
    "OptoRuntime::new_*",
    "OptoRuntime::multianewarray*",
    "Runtime1::new_*",
    "InterpreterRuntime::_new",
    "InterpreterRuntime::*newarray",
    "_new_*_Java",
    "_multianewarray*_Java",
    "new_* Runtime1 stub",
    "fast_new_* Runtime1 stub",
    "C1 Runtime *new_*",
    "C2 Runtime new_*",
    "C2 Runtime multianewarray*",
};

/* libstdc++'s containers grow in members that their users do not call. */
static const char *const members[] = {"_M_allocate*", "_M_realloc_*", "_M_create*", "_M_get_node",
    "_M_default_append", "_M_reallocate_map", "_M_construct*", "_M_mutate", "_M_assign*",
    "_M_append*", "_M_replace*", "_M_insert*", "_M_emplace*", "_M_range_*", "_M_fill_*", "_M_copy*",
    "_M_clone*", "_M_rehash*", "_M_initialize*", "_M_push_*_aux", "_S_create", "_Vector_base",
    "_Deque_base"};

/* True if s matches a name of the table: `*` stands for any text, at any place. */
static bool
matches(const char *pattern, const char *s, size_t len)
{
	const char *star = strchr(pattern, '*');
	const size_t head = star != NULL ? (size_t)(star - pattern) : strlen(pattern);

	if (len < head || memcmp(s, pattern, head) != 0)
		return false;
	if (star == NULL)
		return len == head;
	for (size_t i = head; i <= len; i++)
		if (star[1] == '\0' || matches(star + 1, s + i, len - i))
			return true;
	return false;
}

static bool
any(const char *const *list, size_t n, const char *s, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (matches(list[i], s, len))
			return true;
	return false;
}

/* The name after the last :: outside of template arguments; its length goes to *n. */
static const char *
member_of(const char *s, size_t len, size_t *n)
{
	size_t begin = 0, depth = 0;

	for (size_t i = 0; i + 1 < len; i++) {
		depth += s[i] == '<';
		depth -= s[i] == '>' && depth > 0;
		if (depth == 0 && s[i] == ':' && s[i + 1] == ':')
			begin = i + 2;
	}
	*n = len - begin;
	return s + begin;
}

bool
allocator_has(struct str frame)
{
	const struct frame_name f = name_parse(frame.s, (uint32_t)frame.len);
	const char *member;
	size_t n;

	if (f.kind == FRAME_SCRIPT || f.kind == FRAME_KERNEL || f.kind == FRAME_WAKER)
		return false;
	if (any(names, sizeof names / sizeof *names, f.text, f.len))
		return true;
	if (f.len < 5 || memcmp(f.text, "std::", 5) != 0)
		return false;
	member = member_of(f.text, f.len, &n);
	return any(members, sizeof members / sizeof *members, member, n);
}
