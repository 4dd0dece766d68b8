/*
 * javathread: the names of the threads of a HotSpot JVM, java.lang.Thread.getName().
 */
#ifndef JAVATHREAD_H
#define JAVATHREAD_H

#include "threadlabel/threadlabel.h"

extern const struct threadname_reader javathread;

#endif
