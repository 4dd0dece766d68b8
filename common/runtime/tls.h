/*
 * tls: thread-local data of a process with glibc, from outside and without ptrace.
 *
 * glibc describes its thread lists for debuggers (libthread_db) in constants, _thread_db_*, which
 * libc exports; up to 2.33 libpthread has them among its local symbols. The thread pointer of a
 * thread is here the address of its struct pthread.
 */
#ifndef TLS_H
#define TLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/intmap.h"
#include "kernel/walkabi.h"
#include "runtime/runtime.h"

struct tls {
	const struct runtime_process *process;
	uint64_t lists[2]; /* addresses of the heads of both lists of threads */
	uint32_t tid, link, specific; /* offsets in struct pthread */
	uint32_t below; /* bytes of struct pthread below the thread pointer's register */
	struct intmap thread; /* by tid: its thread pointer when last seen */
};

/* False when the process does not use glibc, or a glibc without these constants. */
bool tls_open(struct tls *t, const struct runtime_process *p);
void tls_close(struct tls *t);

/* The thread pointer of a thread by its number in the process's PID namespace; 0: unknown. */
uint64_t tls_thread(struct tls *t, int tid);

/*
 * The location of m's thread-local block for tls_variable, found once per module. slot 0: m is
 * the program itself, whose block has a fixed place.
 */
struct tls_block {
	uint64_t slot; /* address of the GOT entry with the module's number; 0: the program */
	uint64_t size; /* of the program's block, rounded up to its alignment */
	uint64_t align;
	bool described; /* the slot is a TLS descriptor of a variable ... */
	uint64_t variable; /* ... at this offset in the block */
};
bool tls_block(struct tls_block *b, const struct runtime_module *m);

/*
 * Sets the location of the block that has a variable with that slot, and the variable's offset in
 * it. False if slot is 0.
 */
bool tls_slot(struct tls_block *b, const struct tls *t, uint64_t slot, uint64_t *offset);

/*
 * Where a block is in each thread. number 0: at `offset` from the thread pointer. Else the address
 * of an array is at `vector` from it, which has at 16 * number the address of the module's block,
 * and `offset` is from there.
 */
struct tls_place {
	uint64_t number, vector, offset;
};

/* False if it has no place yet. *t as tls_open sets it, also when that returns false. */
bool tls_place(const struct tls *t, const struct tls_block *b, struct tls_place *place);

/* The address of a variable at an offset in the block of a thread; 0: not allocated. */
uint64_t tls_variable(struct tls *t, const struct tls_block *b, uint64_t thread, uint64_t offset);

/* The offset of a key's value in the first block of keys, whose address is at `specific`; 0: other.
 */
uint64_t tls_key(uint64_t key);

/*
 * pthread_getspecific(3) of a thread by its number, for the key in the variable (an unsigned int)
 * at an address, if it is one of the first 32; 0: another key, or the thread is unknown.
 */
uint64_t tls_specific(struct tls *t, int tid, uint64_t key);

/*
 * Makes steps that use the thread pointer use the register, which some processors have above struct
 * pthread. False if its distance is unknown: the C library is not glibc.
 */
bool tls_recipe(const struct runtime_process *p, struct walk_step step[WALK_STEPS]);

#endif
