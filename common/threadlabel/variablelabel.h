/*
 * variablelabel: --label-from: the text in a thread-local variable of the program, an array of
 * characters or a pointer to them.
 */
#ifndef VARIABLELABEL_H
#define VARIABLELABEL_H

#include "threadlabel/threadlabel.h"

extern const struct threadlabel threadlabel_variable;

#endif
