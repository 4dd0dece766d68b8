/* luajit: the reader's state is its own; without a module of LuaJIT, only its file can make one. */
#include "image.h"

#include "../../common/runtime/luajit.c"

void
read_luajit_memory(const char *path)
{
	static struct image g;
	struct luajit state = {.process = &g.process, .loop = IMAGE_LOOP};

	if (!image_open(&g, path))
		return;
	image_read(&g, &runtime_luajit, &state);
	image_close(&g);
}
