#include "runtime/cpu/runtimecpu.h"

#include <string.h>

static const struct runtime_cpu *const all[] = {&runtime_x86_64, &runtime_aarch64};

const struct runtime_cpu *
runtime_cpu(void)
{
	static const struct runtime_cpu unknown = {.name = CPU_NAME};

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (strcmp(all[i]->name, CPU_NAME) == 0)
			return all[i];
	return &unknown;
}
