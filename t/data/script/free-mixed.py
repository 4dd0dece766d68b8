# Runs without an end: fN calls f(N+1) and f(N+2) only. Functions with even numbers are those of
# Lua, the others Python's. Argument: liblua5.4.
import ctypes, random, sys

lua = ctypes.PyDLL(sys.argv[1])
lua.luaL_newstate.restype = ctypes.c_void_p
state = ctypes.c_void_p(lua.luaL_newstate())
lua.luaL_openlibs(state)
made = {}


def call(n):
    if n % 2 == 1:
        return made['f%d' % n]()
    lua.lua_getglobal(state, b'f%d' % n)
    lua.lua_callk(state, 0, 0, ctypes.c_ssize_t(0), None)


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
def called(state):
    n = lua.lua_tointegerx(ctypes.c_void_p(state), 1, None)
    call(n + random.randrange(2))
    return 0


lua.lua_pushcclosure(state, called, 0)
lua.lua_setglobal(state, b'go')
for n in range(0, 14, 2):
    text = b'function f%d() local x = 0 for k = 1, 30 do x = x + #tostring(k) end go(%d) return x end' % (n, n + 1)
    lua.luaL_loadbufferx(state, text, ctypes.c_size_t(len(text)), b'@f%d' % n, None)
    lua.lua_callk(state, 0, 0, ctypes.c_ssize_t(0), None)
lua.luaL_loadbufferx(state, b'function f14() return 1 end', ctypes.c_size_t(27), b'@f14', None)
lua.lua_callk(state, 0, 0, ctypes.c_ssize_t(0), None)
for n in range(1, 14, 2):
    exec('def f%d():\n x = 0\n for k in range(30): x += len(str(k))\n call(min(14, %d + random.randrange(2)))\n return x\n' % (n, n + 1),
         {'random': random, 'call': call}, made)
while True:
    call(random.randrange(2))
