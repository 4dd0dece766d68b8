/* runtimes: the table of the readers of interpreters and virtual machines. */
#include "runtime/runtimes.h"

#include <stddef.h>

#include "runtime/beam.h"
#include "runtime/haskell.h"
#include "runtime/hotspot.h"
#include "runtime/lua.h"
#include "runtime/luajit.h"
#include "runtime/oldpython.h"
#include "runtime/perl.h"
#include "runtime/php.h"
#include "runtime/python.h"
#include "runtime/ruby.h"
#include "runtime/v8.h"

const struct runtime *const runtimes[] = {&runtime_python, &runtime_oldpython, &runtime_ruby,
    &runtime_php, &runtime_hotspot, &runtime_v8, &runtime_perl, &runtime_beam, &runtime_lua,
    &runtime_luajit, &runtime_haskell, NULL};
