/*
 * threadname: the label `thread`, the name of a thread: that of its language, where one is read, or
 * the kernel's.
 */
#ifndef THREADNAME_H
#define THREADNAME_H

#include <stdbool.h>

#include "threadlabel/threadlabel.h"

extern const struct threadlabel threadlabel_thread;

/* True if the key of a label is that of names of threads, which each thread has. */
bool threadname_is_key(const struct threadlabel_key *key);

#endif
