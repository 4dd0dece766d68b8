/* v8: as luajit.c. The offsets and types, which a file of V8 exports, are those of seeds.pl. */
#include "image.h"

#include "../../common/runtime/v8.c"

#define BYTECODES 198

void
read_v8_memory(const char *path)
{
	static struct image g;
	static unsigned char sizes[3 * BYTECODES];
	struct v8 state = {.process = &g.process,
	    .module = &g.file,
	    .c = {.map_type = 12,
		.shared = 32,
		.name = 24,
		.script = 32,
		.script_name = 16,
		.line_ends = 48,
		.source = 8,
		.first_vars = 3,
		.locals = 2,
		.type_function = 2000,
		.type_shared = 200,
		.type_scope = 201,
		.type_script = 202,
		.type_array = 203},
	    .code = {.code = 24,
		.positions = 24,
		.start = 40,
		.flags = 56,
		.size = 48,
		.deoptimization = 16,
		.baseline = 11,
		.literals = 2,
		.inlining = 7,
		.apart = true,
		.type_code = 204,
		.type_stream = 205,
		.type_bytes = 206,
		.type_bytecode = 207,
		.bytecode = 48,
		.bytecode_positions = 24,
		.size_of = sizes,
		.nbytecode = BYTECODES}};

	if (!image_open(&g, path))
		return;
	for (size_t i = 0; i < sizeof sizes; i++)
		sizes[i] = (unsigned char)(1 + i % 5);
	/* One register has the version: which layouts the code has, and whether lines are known. */
	state.code.apart = (g.native[0].reg[8] & 1) == 0;
	state.code.flagged_offsets = (g.native[0].reg[8] & 2) != 0;
	if ((g.native[0].reg[8] & 4) != 0)
		state.code.code = -1;
	if ((g.native[0].reg[8] & 8) != 0)
		state.c.first_vars = 5;
	image_read(&g, &runtime_v8, &state);
	free(state.line.slot);
	image_close(&g);
}
