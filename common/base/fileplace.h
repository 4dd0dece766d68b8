/*
 * fileplace: the directory that holds a file, existing or not, as a descriptor, and the name in it.
 * If parts of the path are renamed later, the place stays.
 */
#ifndef FILEPLACE_H
#define FILEPLACE_H

#include <stdbool.h>

struct fileplace {
	int dir; /* O_PATH */
	char *name; /* not a symbolic link, except in /proc; "." for the directory itself */
	/*
	 * The descriptor of this process that the path names: /dev/stdout, /dev/fd/3,
	 * /proc/self/fd/3 and links to them; -1 for none. Its file may have other writers, or
	 * another offset: it must not be reopened, nor replaced.
	 */
	int own;
};

/*
 * Finds the place of a path; false and errno if a directory is missing or may not be searched.
 * Follows symbolic links, but as with fs.protected_symlinks none of another user in a sticky
 * directory that all may write to (EACCES). The caller calls fileplace_free.
 */
bool fileplace_find(struct fileplace *p, const char *path);

/* Closes the directory. */
void fileplace_free(struct fileplace *p);

#endif
