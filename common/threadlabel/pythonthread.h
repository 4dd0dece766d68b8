/*
 * pythonthread: the names of the threads of CPython, threading.Thread.name.
 */
#ifndef PYTHONTHREAD_H
#define PYTHONTHREAD_H

#include "threadlabel/threadlabel.h"

extern const struct threadname_reader pythonthread;

#endif
