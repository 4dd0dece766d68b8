/*
 * landlockabi: the interface of Landlock (Documentation/userspace-api/landlock.rst) up to version
 * 6. An own copy, since older headers lack it; the version is known at run time.
 */
#ifndef LANDLOCKABI_H
#define LANDLOCKABI_H

#include <stdint.h>

#define LANDLOCK_CREATE_RULESET_VERSION 1 /* flag: returns the version */
#define LANDLOCK_RULE_PATH_BENEATH 1

/* Accesses to files; each version has those of the earlier ones. */
#define LANDLOCK_ACCESS_FS_WRITE_FILE (UINT64_C(1) << 1)
#define LANDLOCK_ACCESS_FS_READ_FILE (UINT64_C(1) << 2)
#define LANDLOCK_ACCESS_FS_READ_DIR (UINT64_C(1) << 3)
#define LANDLOCK_ACCESS_FS_REMOVE_DIR (UINT64_C(1) << 4)
#define LANDLOCK_ACCESS_FS_REMOVE_FILE (UINT64_C(1) << 5)
#define LANDLOCK_ACCESS_FS_MAKE_DIR (UINT64_C(1) << 7)
#define LANDLOCK_ACCESS_FS_MAKE_REG (UINT64_C(1) << 8)
#define LANDLOCK_ACCESS_FS_REFER (UINT64_C(1) << 13) /* version 2 */
#define LANDLOCK_ACCESS_FS_TRUNCATE (UINT64_C(1) << 14) /* version 3 */
#define LANDLOCK_ACCESS_FS_ALL(version) \
	((UINT64_C(1) << ((version) >= 3 ? 15 : (version) == 2 ? 14 : 13)) - 1)
#define LANDLOCK_ACCESS_NET_ALL UINT64_C(3) /* version 4: TCP's bind and connect */
#define LANDLOCK_SCOPE_ALL UINT64_C(3) /* version 6: abstract Unix sockets and signals */

/* landlock_create_ruleset(2): accesses that the rules of the set can allow. */
struct landlock_ruleset_attr {
	uint64_t handled_access_fs;
	uint64_t handled_access_net; /* version 4 */
	uint64_t scoped; /* version 6 */
};

struct landlock_path_beneath_attr {
	uint64_t allowed_access;
	int32_t parent_fd;
} __attribute__((packed));

#endif
