/* beam: as luajit.c. The variables of beam.smp have fixed addresses; both offsets are searched. */
#include "image.h"

#include "../../common/runtime/beam.c"

void
read_beam_memory(const char *path)
{
	static struct image g;
	static struct beam state;

	if (!image_open(&g, path))
		return;
	state = (struct beam){.process = &g.process,
	    .code = {.process = &g.process,
		.ranges = IMAGE + 0x200,
		.index = IMAGE + 0x280,
		.atoms = IMAGE + 0x300},
	    .exit = IMAGE + 0x288,
	    .schedule = IMAGE_OTHER,
	    .dirty_main = IMAGE_LOOP};
	image_read(&g, &runtime_beam, &state);
	image_close(&g);
}
