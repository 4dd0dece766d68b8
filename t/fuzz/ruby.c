/* ruby: as luajit.c, with the frames of YJIT, whose calls may be anywhere in the input. */
#include "image.h"

#include "../../common/runtime/ruby.c"

void
read_ruby_memory(const char *path)
{
	static struct image g;
	struct ruby state = {.process = &g.process,
	    .tls = {.process = &g.process,
		.lists = {IMAGE + 0x200, IMAGE + 0x210},
		.tid = 0x40,
		.link = 0x30,
		.specific = 0x50},
	    .block = {.size = 0x40},
	    .loop = IMAGE_LOOP,
	    .start = IMAGE,
	    .end = IMAGE + IMAGE_BYTES,
	    .at = layout_of("3.1.2"),
	    .names = {.process = &g.process,
		.at = layout_of("3.1.2"),
		.object = IMAGE + 0x220,
		.symbols = IMAGE + 0x228}};

	if (!image_open(&g, path))
		return;
	image_read(&g, &runtime_ruby, &state);
	tls_close(&state.tls);
	image_close(&g);
}
