/*
 * syscalls: numbers and structures of system calls newer than Linux 4.18, which older headers lack.
 * The numbers are the same on all architectures. An older kernel fails with ENOSYS.
 */
#ifndef SYSCALLS_H
#define SYSCALLS_H

#include <stdint.h>
#include <sys/syscall.h>

#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

/* statx(2): struct statx and bits of its mask. */
struct syscalls_statx {
	uint32_t mask; /* of the known fields: */
	uint32_t unused[7];
	uint64_t inode;
	uint64_t unused_2[13];
	uint64_t mount; /* Linux 5.8 */
	uint64_t unused_3[13];
};

#define SYSCALLS_STATX_INODE 0x0100 /* STATX_INO */
#define SYSCALLS_STATX_MOUNT 0x1000 /* STATX_MNT_ID */

#define FIRST_PID_NAMESPACE 0xeffffffcU /* inode of /proc/PID/ns/pid (linux/proc_ns.h) */

#endif
