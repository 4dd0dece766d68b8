/*
 * golabel: the label `goroutine`, its number; and labels of runtime/pprof: those of pprof.Do and
 * pprof.SetGoroutineLabels.
 */
#ifndef GOLABEL_H
#define GOLABEL_H

#include "threadlabel/threadlabel.h"

extern const struct threadlabel threadlabel_go;

#endif
