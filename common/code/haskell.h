/* haskell: reads the stacks of programs that GHC compiled. See code/runtime.h for the interface. */
#ifndef HASKELL_H
#define HASKELL_H

#include "code/runtime.h"

extern const struct runtime runtime_haskell;

#endif
