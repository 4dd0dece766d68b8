/*
 * btf: where a member of one of the kernel's structs is, by the kernel's own description
 * of its types (/sys/kernel/btf/vmlinux; Documentation/bpf/btf.rst).
 */
#ifndef BTF_H
#define BTF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;

/* NULL when this kernel has none. */
struct btf *btf_open(void);

/* The offset in bytes of a member, "a.b" of a struct within; false when there is none. */
bool btf_offset(const struct btf *b, const char *in, const char *member, int32_t *offset);

void btf_close(struct btf *b);

#endif
