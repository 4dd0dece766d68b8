#include "elf/elfmachine.h"

static const struct elfmachine *const machines[] = {&elf_x86_64, &elf_aarch64};

const struct elfmachine *
elfmachine(uint16_t number)
{
	for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
		if (machines[i]->number == number)
			return machines[i];
	return NULL;
}
