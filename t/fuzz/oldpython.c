/* oldpython: as luajit.c. A register has the version. */
#include "image.h"

#include "../../common/runtime/oldpython.c"

void
read_oldpython_memory(const char *path)
{
	static struct image g;
	struct oldpython state = {.process = &g.process,
	    .loop = IMAGE_LOOP,
	    .frame_type = IMAGE + 0x200,
	    .code_type = IMAGE + 0x210,
	    .str = {IMAGE + 0x220, STRING_ASCII, STRING_COMPACT}};
	unsigned minor;

	if (!image_open(&g, path))
		return;
	minor = FIRST_MINOR + (unsigned)(g.native[0].reg[8] % (LAST_MINOR - FIRST_MINOR + 1));
	state.at = layouts[minor - FIRST_MINOR];
	state.has_state = minor == LAST_MINOR;
	image_read(&g, &runtime_oldpython, &state);
	text_free(&state.function);
	text_free(&state.file);
	image_close(&g);
}
