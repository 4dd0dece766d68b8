/* heapprobe: functions by their symbols. */
#include "trace/heapprobe.h"

#include <string.h>

#include "runtime/runtime.h"

#define SYMBOLS 3 /* names of one function, by version */

/*
 * AllocTracer::send_allocation_in_new_tlab(Klass *, HeapWord *, size_t tlab, size_t size, thread)
 * and send_allocation_outside_tlab(Klass *, HeapWord *, size_t size, thread), of JDK 11, 16 and
 * 17 to 25: src/hotspot/share/gc/shared/allocTracer.hpp.
 */
static const struct function {
	const char *library, *symbol[SYMBOLS];
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

bool
heapprobe_is_library(const char *name)
{
	for (size_t i = 0; i < HEAPPROBES; i++)
		if (strcmp(name, functions[i].library) == 0)
			return true;
	return false;
}

bool
heapprobe_find(struct heapprobes *to, struct process *p)
{
	memset(to, 0, sizeof *to);
	for (struct process_map *map = maps_from(&p->maps, 0); map != NULL;
	     map = maps_from(&p->maps, map->end)) {
		struct runtime_module m;

		if (map->module->kind != MODULE_FILE || !heapprobe_is_library(map->module->name))
			continue;
		process_find(p, map->start); /* computes its bias */
		m = (struct runtime_module){map->module, map->start, map->end, map->bias};
		for (size_t i = 0; i < HEAPPROBES; i++) {
			const struct function *f = &functions[i];
			uint64_t address = 0;

			for (size_t k = 0; k < SYMBOLS && address == 0; k++)
				address = runtime_symbol(&m, f->symbol[k], NULL);
			to->probe[i] = (struct heapprobe){address, f->total, f->size};
			if (address == 0)
				return false;
		}
		return true;
	}
	return false;
}

const struct heapprobe *
heapprobe_at(const struct heapprobes *p, uint64_t address)
{
	for (size_t i = 0; i < HEAPPROBES; i++)
		if (p->probe[i].address == address && address != 0)
			return &p->probe[i];
	return NULL;
}
