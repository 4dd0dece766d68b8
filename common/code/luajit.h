/* luajit: reads the Lua frames of a LuaJIT process. See code/runtime.h for the interface. */
#ifndef LUAJIT_H
#define LUAJIT_H

#include "code/runtime.h"

extern const struct runtime runtime_luajit;

#endif
