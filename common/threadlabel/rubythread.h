/*
 * rubythread: the names of the threads of CRuby, Thread#name.
 */
#ifndef RUBYTHREAD_H
#define RUBYTHREAD_H

#include "threadlabel/threadlabel.h"

extern const struct threadname_reader rubythread;

#endif
