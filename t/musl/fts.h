/* The part of fts that elfutils uses and musl lacks. */
#ifndef FTS_H
#define FTS_H

#include <stddef.h>

typedef struct fts FTS;
typedef struct {
	unsigned short fts_info;
	int fts_errno;
	size_t fts_namelen;
	char *fts_path, *fts_accpath;
	char fts_name[1];
} FTSENT;

enum { FTS_LOGICAL = 2, FTS_NOSTAT = 8, FTS_SKIP = 4 };
enum {
	FTS_D = 1,
	FTS_DC,
	FTS_DEFAULT,
	FTS_DNR,
	FTS_DOT,
	FTS_DP,
	FTS_ERR,
	FTS_F,
	FTS_INIT,
	FTS_NS,
	FTS_NSOK,
	FTS_SL,
	FTS_SLNONE
};

FTS *fts_open(char *const *, int, int (*)(const FTSENT **, const FTSENT **));
FTSENT *fts_read(FTS *);
int fts_set(FTS *, FTSENT *, int);
int fts_close(FTS *);

#endif
