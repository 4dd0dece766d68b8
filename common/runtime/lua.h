/*
 * lua: frames of Lua, see runtime.h.
 */
#ifndef LUA_H
#define LUA_H

#include "runtime/runtime.h"

extern const struct runtime runtime_lua;

#endif
