/* haskell: as luajit.c. The whole input may be code; one function is in its middle. */
#include "image.h"

#include "../../common/runtime/haskell.c"

void
read_haskell_memory(const char *path)
{
	static struct image g;
	struct runtime_module m = {.module = &g.file, .start = IMAGE, .end = IMAGE + IMAGE_BYTES};
	struct haskell state = {.process = &g.process, .module = &m};

	if (!image_open(&g, path))
		return;
	g.at.complete = false; /* native frames end at the innermost Haskell function */
	rangemap_add(&state.functions, IMAGE + 0x800, IMAGE + 0x900, false, "", 0);
	rangemap_finish(&state.functions, NULL);
	image_read(&g, &runtime_haskell, &state);
	free(state.functions.range);
	image_close(&g);
}
