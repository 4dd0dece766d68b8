/*
 * btf: offsets of struct members of the running kernel, from its BTF (/sys/kernel/btf/vmlinux;
 * Documentation/bpf/btf.rst).
 */
#ifndef BTF_H
#define BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;

/* Reads the kernel's BTF; NULL if this kernel has none or it is malformed. Free with btf_close. */
struct btf *btf_open(void);

/*
 * Stores in *offset the offset in bytes of a member of struct `in`; "a.b" is member b of struct
 * a. False if there is no such member.
 */
bool btf_offset(const struct btf *b, const char *in, const char *member, int32_t *offset);

void btf_close(struct btf *b);

#endif
