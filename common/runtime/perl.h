/*
 * perl: frames of Perl, see runtime.h.
 */
#ifndef PERL_H_
#define PERL_H_

#include "runtime/runtime.h"

extern const struct runtime runtime_perl;

#endif
