/* luajit: reads the Lua frames of a LuaJIT process. See runtime/runtime.h for the interface. */
#ifndef LUAJIT_H
#define LUAJIT_H

#include "runtime/runtime.h"

extern const struct runtime runtime_luajit;

#endif
