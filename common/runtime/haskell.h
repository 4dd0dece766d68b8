/* haskell: reads the stacks of programs that GHC compiled. See runtime/runtime.h for the interface.
 */
#ifndef HASKELL_H
#define HASKELL_H

#include "runtime/runtime.h"

extern const struct runtime runtime_haskell;

#endif
