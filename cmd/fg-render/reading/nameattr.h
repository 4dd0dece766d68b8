/*
 * nameattr: attributes of functions (title, href, target, id, class) from the file of --nameattr.
 */
#ifndef NAMEATTR_H
#define NAMEATTR_H

#include <stdbool.h>
#include <stddef.h>

struct attribute {
	char *name, *value;
};

/* The attributes of one function, from --nameattr. */
struct nameattr {
	char *function;
	struct attribute *attribute;
	size_t n, cap;
	bool drawn; /* already drawn once; its id must be unique */
};

struct nameattrs {
	struct nameattr *of; /* sorted by function */
	size_t n, cap;
};

void nameattr_read(struct nameattrs *all, const char *path);
struct nameattr *nameattr_find(const struct nameattrs *all, const char *function); /* or NULL */

#endif
