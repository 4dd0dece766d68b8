/*
 * lua: frames of Lua, see runtime.h.
 */
#ifndef LUA_H
#define LUA_H

#include "code/runtime.h"

extern const struct runtime runtime_lua;

#endif
