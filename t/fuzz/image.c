/*
 * image: the memory of a process and a stop in it.
 */
#include "image.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cli.h"

struct stop {
	uint64_t reg[16];
	struct {
		uint64_t sp, kind;
	} native[IMAGE_NATIVE];
};

bool
image_open(struct image *g, const char *path)
{
	static const uint64_t start[] = {0, IMAGE_LOOP, 0, IMAGE_OTHER};
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stop stop;
	ssize_t n;

	if (fd < 0)
		cli_die("%s: cannot be opened", path);
	n = read(fd, g->bytes, sizeof g->bytes);
	close(fd);
	if (n < (ssize_t)sizeof stop)
		return false;
	memcpy(&stop, g->bytes, sizeof stop);
	g->file.kind = MODULE_FILE;
	g->jit.kind = MODULE_JIT;
	for (size_t i = 0; i < IMAGE_NATIVE; i++) {
		const uint64_t kind = stop.native[i].kind & 3;

		g->native[i].module = kind == IMAGE_JIT ? &g->jit : &g->file;
		g->native[i].start = start[kind];
		g->native[i].sp = stop.native[i].sp;
		g->native[i].pc = stop.reg[0];
		memcpy(g->native[i].reg, stop.reg, sizeof stop.reg);
	}
	g->at = (struct runtime_sample){.tid = 1,
	    .native = g->native,
	    .nnative = IMAGE_NATIVE,
	    .complete = true,
	    .stopped = true};
	g->process.names = script_names_new();
	g->process.lines = true;
	g->process.cpu = &runtime_x86_64; /* seeds.pl has its registers */
	g->process.memory = memory_of_image(IMAGE, g->bytes, (size_t)n);
	return true;
}

static void
print_frames(const struct image *g, const struct script_stack *s)
{
	for (size_t i = 0; i < s->nframe; i++) {
		const struct script_frame *f = &s->frame[i];
		const struct script_name *name;

		if (f->module != NULL)
			printf("%#llx\n", (unsigned long long)f->vaddr);
		else if ((name = script_name_get(g->process.names, f->name)) != NULL)
			printf("%s (%s:%u:%u)\n", name->function,
			    name->file != NULL ? name->file : "", name->first_line, name->line);
	}
	printf("%zu frames in %zu groups%s\n", s->nframe, s->ngroup, s->outermost ? ", all" : "");
}

void
image_read(struct image *g, const struct runtime *r, void *state)
{
	static struct script_stack s;

	for (int again = 0; again < 2; again++) {
		memory_begin(g->process.memory);
		s = (struct script_stack){0};
		r->read(state, &g->at, &s);
		print_frames(g, &s);
		for (size_t i = 0; i < IMAGE_NATIVE && r->frame_size != NULL; i++)
			printf("%#llx\n", (unsigned long long)r->frame_size(
					      state, g->native[i].pc, g->native[i].sp, i == 0));
	}
}

void
image_close(struct image *g)
{
	memory_free(g->process.memory);
	script_names_free(g->process.names);
}
