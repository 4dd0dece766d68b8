/*
 * elfmachine: the processors whose files are read, on any machine; a file each, elf_NAME.c.
 */
#ifndef ELFMACHINE_H
#define ELFMACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The jump of a stub in a procedure linkage table. */
struct elfmachine_stub {
	uint64_t slot; /* address of the slot that it jumps through, or 0 */
	int32_t number; /* without slot: its number in .rela.plt */
};

/* The use of an address relative to an instruction by it. */
enum elfmachine_use { ELFMACHINE_LOAD, ELFMACHINE_LOAD_HALF, ELFMACHINE_ADDRESS };

struct elfmachine {
	uint16_t number; /* e_machine */
	uint32_t tls_module; /* type of the relocation by the number of a module */
	uint32_t tls_descriptor; /* of the one of a TLS descriptor; 0: not used */
	/*
	 * Finds the first instruction in code from *at on that calls an address inside of the n
	 * bytes of code, or takes it. Returns the offset of that address; n if there is none. *at
	 * becomes the offset to continue from.
	 */
	size_t (*next_target)(const unsigned char *code, size_t n, size_t *at);
	/* Decodes a stub of n bytes; NULL: stubs have no names. False if it is not a stub. */
	bool (*stub)(
	    const unsigned char *code, size_t n, uint64_t address, struct elfmachine_stub *stub);
	/*
	 * The offset from the start of n bytes of code that the nth instruction, from 0 on, loads 8
	 * or 4 bytes from, or takes the address of; 0: none. NULL: code is not searched.
	 */
	int64_t (*operand)(
	    const unsigned char *code, size_t n, enum elfmachine_use use, unsigned nth);
};

extern const struct elfmachine elf_x86_64, elf_aarch64;

const struct elfmachine *elfmachine(uint16_t number); /* NULL: another processor */

#endif
