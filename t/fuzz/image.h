/*
 * image: a fuzz input as the memory of a process, for readers of script frames. The input begins
 * with a stop: 16 registers; then the stack pointer and the kind of each native frame.
 */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/runtime.h"

#define IMAGE UINT64_C(0x10000) /* address of the input in the process */
#define IMAGE_BYTES ((size_t)1 << 16) /* maximum */
#define IMAGE_NATIVE 4 /* native frames */

/* Starts of two functions that a reader looks for. */
#define IMAGE_LOOP UINT64_C(0x1000)
#define IMAGE_OTHER UINT64_C(0x2000)

enum image_kind { IMAGE_FILE, IMAGE_IN_LOOP, IMAGE_JIT, IMAGE_IN_OTHER };

struct image {
	struct runtime_process process;
	struct module file, jit; /* of the native frames */
	struct native_frame native[IMAGE_NATIVE];
	struct runtime_sample at;
	unsigned char bytes[IMAGE_BYTES];
};

/* Reads a file into g; false if it is shorter than a stop. */
bool image_open(struct image *g, const char *path);

/* Reads the stack twice, prints its frames, and asks for the sizes of the native frames. */
void image_read(struct image *g, const struct runtime *r, void *state);

void image_close(struct image *g);

/* Reads a file as the memory of a process with that runtime. */
void read_luajit_memory(const char *path);
void read_haskell_memory(const char *path);
void read_beam_memory(const char *path);
void read_v8_memory(const char *path);
void read_oldpython_memory(const char *path);
void read_ruby_memory(const char *path);

#endif
