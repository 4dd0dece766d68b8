/*
 * kernelmap: modules from the kernel's mapping and symbol records.
 */
#include "trace/kernelmap.h"

#include <stdio.h>
#include <string.h>

void
kernelmap_mmap(struct recording *r, const struct perfevent_mmap *m)
{
	static const char kernel[] = "[kernel.kallsyms]";
	const char *base = strrchr(m->path, '/');
	char name[128];
	size_t n;

	if (strncmp(m->path, kernel, sizeof kernel - 1) == 0) {
		/* `offset` is the address of the kernel symbol whose name follows in the path. */
		if (r->kernel_reference == 0) {
			r->kernel_reference = m->offset;
			strlcpy(r->kernel_reference_name, m->path + sizeof kernel - 1,
			    sizeof r->kernel_reference_name);
		}
		return;
	}
	/* The kernel calls /lib/modules/6.1/kernel/net/nf-tables.ko.xz [nf_tables]. */
	base = base != NULL ? base + 1 : m->path;
	n = strcspn(base, ".");
	if (base[0] == '[')
		snprintf(name, sizeof name, "%s", base);
	else
		snprintf(name, sizeof name, "[%.*s]", (int)(n < 100 ? n : 100), base);
	for (char *s = name; *s != '\0'; s++)
		if (*s == '-')
			*s = '_';
	r->kernel_changes++;
	if (m->start + m->size > m->start)
		module_kernel_map(r->modules, m->start, m->start + m->size, name);
}

void
kernelmap_symbol(struct recording *r, const struct perfevent_ksymbol *k)
{
	const uint64_t end = k->start + k->size;

	if (k->flags & 1) /* PERF_RECORD_KSYMBOL_FLAGS_UNREGISTER */
		module_kernel_unmap(r->modules, k->start, end);
	else
		module_kernel_symbol(r->modules, k->start, end, k->name);
	r->kernel_changes++;
}
