/* luajit: the reader's state is its own; without a module of LuaJIT, only its file can make one. */
#include "image.h"

#include "../../common/runtime/luajit.c"

void
read_luajit_memory(const char *path)
{
	static struct image g;
	struct luajit state = {
	    .process = &g.process, .cpu = runtime_x86_64.luajit, .loop = IMAGE_LOOP};

	if (!image_open(&g, path))
		return;
	state.names.names = g.process.names;
	image_read(&g, &runtime_luajit, &state);
	lua_names_free(&state.names);
	image_close(&g);
}
