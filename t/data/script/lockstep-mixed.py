# Random nesting of Python functions and of those of other interpreters in the same process, each
# loaded when it is called for the first time: s0 to s3 are Python's, s4 and s5 Lua's, s6 and s7
# Perl's, s8 and s9 those of another libpython. At each leaf the program prints what its own stack
# is, then waits. Arguments: seed; liblua5.4, the library
# of mixed-perl.c, libpython, or - for none of it.
import ctypes, os, random, sys

rnd = random.Random(int(sys.argv[1]))
path, loaded, wanted = [], {}, [0]


def leaf():
    frame, names = sys._getframe(), []
    while frame is not None:
        names.append('%s:%d' % (frame.f_code.co_qualname, frame.f_lineno))
        frame = frame.f_back
    # The frame of this function goes on to the read below.
    line = '0\t%s\t%s\n' % (';'.join(path), '@'); names[0] = 'leaf:%d' % (leaf.__code__.co_firstlineno + 7)
    os.write(1, line.replace('@', ';'.join(reversed(names))).encode()); os.read(0, 1)


class Lua:
    def __init__(self, library):
        self.libraries = [ctypes.CDLL(library), ctypes.PyDLL(library)]
        lua = self.libraries[0]
        lua.luaL_newstate.restype = ctypes.c_void_p
        self.state = lua.luaL_newstate()
        state = ctypes.c_void_p(self.state)
        lua.luaL_openlibs(state)
        # With and without the lock of the interpreter.
        self.functions = [kind(ctypes.c_int, ctypes.c_void_p)(self.called) for kind in (ctypes.CFUNCTYPE, ctypes.PYFUNCTYPE)]
        for name, function in zip((b'free', b'held'), self.functions):
            lua.lua_pushcclosure(state, function, 0)
            lua.lua_setglobal(state, name)
        for name, text in ((b'@s4', b'function s4(go) go() return 1 end'),
                           (b'@s5', b'function s5(go) coroutine.wrap(body)(go) return 1 end'),
                           (b'@body', b'function body(go) pcall(go) return 1 end')):
            lua.luaL_loadbufferx(state, text, ctypes.c_size_t(len(text)), name, None)
            lua.lua_callk(state, 0, 0, ctypes.c_ssize_t(0), None)

    def called(self, state):
        outer, self.state = self.state, state
        go(wanted[0])
        self.state = outer
        return 0

    def call(self, name):
        held = rnd.randrange(2)
        lua, state = self.libraries[held], ctypes.c_void_p(self.state)
        lua.lua_getglobal(state, name.encode())
        lua.lua_getglobal(state, (b'free', b'held')[held])
        lua.lua_callk(state, 1, 0, ctypes.c_ssize_t(0), None)


class Perl:
    def __init__(self, library):
        self.perl = perl = ctypes.PyDLL(library)
        perl.mixed_perl.restype = ctypes.c_void_p
        self.go = ctypes.PYFUNCTYPE(None)(lambda: go(wanted[0]))
        self.state = ctypes.c_void_p(perl.mixed_perl(self.go))

    def call(self, name):
        self.perl.mixed_call(self.state, name.encode())


class Method(ctypes.Structure):
    _fields_ = [('name', ctypes.c_char_p), ('function', ctypes.c_void_p), ('flags', ctypes.c_int), ('doc', ctypes.c_char_p)]


class Python:
    def __init__(self, library):
        self.python = python = ctypes.PyDLL(library, mode=os.RTLD_LOCAL | os.RTLD_DEEPBIND)
        for name in 'PyCFunction_NewEx', 'PyImport_AddModule', 'PyModule_GetDict', 'PyLong_FromLong', 'PyRun_String':
            getattr(python, name).restype = ctypes.c_void_p
        home = os.path.dirname(os.path.dirname(library))
        if os.path.exists(home + '/bin/python3'):
            python.Py_SetPythonHome(ctypes.c_wchar_p(home))
        python.Py_InitializeEx(0)
        self.go = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(self.called)
        self.method = Method(b'go', ctypes.cast(self.go, ctypes.c_void_p), 4, None) # METH_NOARGS
        function = python.PyCFunction_NewEx(ctypes.byref(self.method), None, None)
        names = ctypes.c_void_p(python.PyModule_GetDict(ctypes.c_void_p(python.PyImport_AddModule(b'__main__'))))
        python.PyDict_SetItemString(names, b'go', ctypes.c_void_p(function))
        python.PyRun_SimpleStringFlags(b'def s8():\n go()\ndef s9():\n list(map(lambda x: go(), [1]))\n', None)

    def called(self, *_):
        go(wanted[0])
        return self.python.PyLong_FromLong(ctypes.c_long(1))

    def call(self, name):
        self.python.PyRun_SimpleStringFlags(name.encode() + b'()', None)


def call(language, library, name, depth):
    if language not in loaded:
        loaded[language] = language(library)
    path.append(name)
    wanted[0] = depth
    loaded[language].call(name)
    path.pop()


def s0(depth):
    path.append('s0')
    go(depth)
    path.pop()


def s1(depth):
    path.append('s1')
    list(map(go, [depth]))
    path.pop()


others = [(Lua, sys.argv[2], 's4'), (Lua, sys.argv[2], 's5'), (Perl, sys.argv[3], 's6'), (Perl, sys.argv[3], 's7'),
          (Python, sys.argv[4], 's8'), (Python, sys.argv[4], 's9')]
others = [o for o in others if o[1] != '-']


def go(depth):
    if depth <= 0:
        return leaf()
    kind = rnd.randrange(2 + len(others))
    if kind == 0: s0(depth - 1)
    elif kind == 1: s1(depth - 1)
    else: call(*others[kind - 2], depth - 1)


while True:
    go(rnd.randrange(12))
