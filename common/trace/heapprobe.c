/* heapprobe: functions by their symbols. */
#include "trace/heapprobe.h"

#include <string.h>

#include "elf/elftable.h"
#include "runtime/runtime.h"

#define GO_PAGE 8192 /* bytes; not the system's */
#define SYMBOLS 3 /* names of one function, by version */

/*
 * AllocTracer::send_allocation_in_new_tlab(Klass *, HeapWord *, size_t tlab, size_t size, thread)
 * and send_allocation_outside_tlab(Klass *, HeapWord *, size_t size, thread), of JDK 11, 16 and
 * 17 to 25: src/hotspot/share/gc/shared/allocTracer.hpp.
 */
static const struct function {
	const char *library; /* all in one */
	const char *symbol[SYMBOLS];
	unsigned char total, size;
} functions[HEAPPROBES] = {
    {"libjvm.so",
	{"_ZN11AllocTracer27send_allocation_in_new_tlabEP5KlassPP12HeapWordImplmmP10JavaThread",
	    "_ZN11AllocTracer27send_allocation_in_new_tlabEP5KlassPP12HeapWordImplmmP6Thread",
	    "_ZN11AllocTracer27send_allocation_in_new_tlabEP5KlassP8HeapWordmmP6Thread"},
	2, 3},
    {"libjvm.so",
	{"_ZN11AllocTracer28send_allocation_outside_tlabEP5KlassPP12HeapWordImplmP10JavaThread",
	    "_ZN11AllocTracer28send_allocation_outside_tlabEP5KlassPP12HeapWordImplmP6Thread",
	    "_ZN11AllocTracer28send_allocation_outside_tlabEP5KlassP8HeapWordmP6Thread"},
	2, 2},
};

#define FAULTS "see the stacks that touch new memory: -e page-faults -c 1"
#define HEAP_PROF "node --heap-prof writes them for fg-collapse"

static const struct heapruntime heapruntimes[] = {
    {"libjvm.so", "objects of the Java virtual machine",
	"record it as a running process: fg-record --heap -p PID"},
    {"node", "objects of JavaScript", HEAP_PROF},
    {"nodejs", "objects of JavaScript", HEAP_PROF},
    {"beam.smp", "terms of Erlang", FAULTS},
    {"libcoreclr.so", "objects of .NET", FAULTS},
    {"luajit", "objects of LuaJIT", FAULTS},
    {"libluajit-5.1.so.2", "objects of LuaJIT", FAULTS},
    {NULL, "objects of Go",
	"record each Go program as the command, or as a running process: fg-record --heap -p PID"},
};

const struct heapruntime *
heapruntime_of(struct module *m)
{
	const struct heapruntime *r = heapruntimes;

	if (m->kind != MODULE_FILE)
		return NULL;
	for (; r->file != NULL; r++)
		if (strncmp(m->name, r->file, strlen(r->file)) == 0 &&
		    (m->name[strlen(r->file)] == '\0' || m->name[strlen(r->file)] == '-'))
			return r;
	/* Go's libraries are in its programs. */
	if (strstr(m->name, ".so") != NULL || module_elf(m) == NULL)
		return NULL;
	return elftable_section(module_elf(m), NULL, ".gopclntab") != NULL ||
		       elftable_section(module_elf(m), NULL, ".data.rel.ro.gopclntab") != NULL
		   ? r
		   : NULL;
}

bool
heapprobe_find(struct heapprobes *to, struct process *p)
{
	memset(to, 0, sizeof *to);
	for (struct process_map *map = maps_from(&p->maps, 0); map != NULL;
	     map = maps_from(&p->maps, map->end)) {
		struct runtime_module m;

		if (map->module->kind != MODULE_FILE ||
		    strcmp(map->module->name, functions[0].library) != 0)
			continue;
		process_find(p, map->start); /* computes its bias */
		m = (struct runtime_module){map->module, map->start, map->end, map->bias, 0};
		for (size_t i = 0; i < HEAPPROBES; i++) {
			const struct function *f = &functions[i];
			uint64_t address = 0;

			for (size_t k = 0; k < SYMBOLS && address == 0; k++)
				address = runtime_symbol(&m, f->symbol[k], NULL);
			to->probe[i] = (struct heapprobe){
			    .address = address, .total = f->total, .size = f->size};
			if (address == 0)
				return false;
		}
		return true;
	}
	return false;
}

bool
heapprobe_go(struct runtime_module *m, struct process *p)
{
	for (struct process_map *map = maps_from(&p->maps, 0); map != NULL;
	     map = maps_from(&p->maps, map->end)) {
		const struct heapruntime *r = heapruntime_of(map->module);

		if (r == NULL || r->file != NULL)
			continue;
		process_find(p, map->start); /* computes its bias */
		*m = (struct runtime_module){map->module, map->start, map->end, map->bias, 0};
		return true;
	}
	return false;
}

/*
 * (*mcache).refill(cache, class * 2 + "without pointers") and (*mcache).allocLarge(cache, size,
 * ...), of Go 1.17 and later: src/runtime/mcache.go.
 */
bool
heapprobe_find_go(struct heapprobes *to, const struct runtime_module *m)
{
	const uint64_t sizes = runtime_symbol(m, "runtime.class_to_size", NULL);
	const uint64_t pages = runtime_symbol(m, "runtime.class_to_allocnpages", NULL);
	uint64_t n = 0;

	memset(to, 0, sizeof *to);
	to->probe[0] = (struct heapprobe){
	    runtime_symbol(m, "runtime.(*mcache).refill", NULL), true, true, 1, 1};
	to->probe[1] = (struct heapprobe){
	    runtime_symbol(m, "runtime.(*mcache).allocLarge", NULL), true, false, 1, 1};
	if (sizes == 0 || runtime_symbol(m, "runtime.disableMemoryProfiling", NULL) == 0 ||
	    runtime_symbol(m, "runtime.class_to_allocnpages", &n) == 0 || n > HEAPPROBE_CLASSES)
		return false;
	for (size_t i = 0; i < n; i++) {
		const void *size = runtime_file_bytes(m, sizes + 2 * i, 2);
		const unsigned char *npages = runtime_file_bytes(m, pages + i, 1);
		uint16_t bytes;

		if (size == NULL || npages == NULL)
			return false;
		memcpy(&bytes, size, sizeof bytes);
		to->block[i] = bytes;
		to->span[i] = *npages * GO_PAGE;
	}
	return to->probe[0].address != 0 && to->probe[1].address != 0;
}

const struct heapprobe *
heapprobe_at(const struct heapprobes *p, uint64_t address)
{
	for (size_t i = 0; i < HEAPPROBES; i++)
		if (p->probe[i].address == address && address != 0)
			return &p->probe[i];
	return NULL;
}
