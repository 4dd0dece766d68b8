# Random nesting of script and C functions; at each leaf the program prints what its own
# stack is, then waits. Arguments: plain, thread or async; seed; the library of callback.c.
import asyncio, ctypes, os, random, re, sys, threading

mode, seed, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
rnd = random.Random(seed)
held, free = ctypes.PyDLL(path), ctypes.CDLL(path)
callback = ctypes.CFUNCTYPE(None, ctypes.c_int)
held_callback = ctypes.PYFUNCTYPE(None, ctypes.c_int)
local = threading.local()
thread_id = getattr(threading, 'get_native_id', lambda: ctypes.CDLL(None).syscall(186)) # gettid


def leaf():
    frame, names = sys._getframe(), []
    while frame is not None:
        names.append('%s:%d' % (getattr(frame.f_code, 'co_qualname', frame.f_code.co_name), frame.f_lineno))
        frame = frame.f_back
    # The frame of this function goes on to the read below.
    line = '%d\t%s\t%s\n' % (thread_id(), ';'.join(local.path), '@'); names[0] = 'leaf:%d' % (leaf.__code__.co_firstlineno + 7)
    os.write(1, line.replace('@', ';'.join(reversed(names))).encode()); os.read(0, 1)


def c(name, function, depth):
    local.path += ['c3', 'c0'] if name == 'c3' else [name]
    if rnd.random() < 0.5:
        getattr(held, name)(held_callback(function), depth)
    else:
        getattr(free, name)(callback(function), depth)
    del local.path[-2 if name == 'c3' else -1:]


class Marked:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        local.path.append(self.name)

    def __exit__(self, *_):
        local.path.pop()


class K:
    def s2(self, depth):
        with Marked('s2'):
            go(depth)

    @staticmethod
    def s3(depth):
        with Marked('s3'):
            go(depth)

    def __getattr__(self, name):
        go(int(name[1:]))
        return 1

    def __lt__(self, other):
        go(self.depth)
        return True

    def __del__(self):
        if 'want' in self.__dict__:
            go(self.want)


class Made:
    def __init__(self, depth):
        if depth is not None:
            go(depth)


def make(depth):
    Made(depth)


for _ in range(1000): # until the interpreter calls __init__ without C functions
    make(None)


def ends():
    pass


def profiled(depth):
    def ended(frame, event, _):
        if event == 'return' and frame.f_code is ends.__code__:
            sys.setprofile(None)
            go(depth)

    sys.setprofile(ended)
    ends()


def s0(depth):
    with Marked('s0'):
        go(depth)


def s1(depth):
    with Marked('s1'):
        go(depth)


def generator(depth):
    yield 1
    go(depth)
    yield from inner(depth)


def inner(depth):
    go(depth)
    yield 2


async def coroutine(depth):
    await asyncio.sleep(0)
    go(depth)
    await again(depth)


async def again(depth):
    s0(depth)


def loop(depth):
    task = coroutine(depth)
    try:
        while True:
            task.send(None)
    except StopIteration:
        pass


def go(depth):
    if depth <= 0:
        return leaf()
    depth -= 1
    kind = rnd.randrange(20)
    if kind == 0: s0(depth)
    elif kind == 1: s1(depth)
    elif kind == 2: K().s2(depth)
    elif kind == 3: K.s3(depth)
    elif kind == 4: c('c0', s0, depth)
    elif kind == 5: c('c1', K().s2, depth)
    elif kind == 6: c('c2', K.s3, depth)
    elif kind == 7: c('c3', lambda d: s1(d), depth)
    elif kind == 8: list(map(s0, [depth]))
    elif kind == 9: sorted([2, 1], key=lambda x: s1(depth) or x)
    elif kind == 10: list(generator(min(depth, 2)))
    elif kind == 11: getattr(K(), 'x%d' % depth)
    elif kind == 12:
        k = K(); k.want = depth; del k
    elif kind == 13:
        try:
            raise ValueError
        except ValueError:
            s0(depth)
    elif kind == 14: exec(compile('def f%d(d): s1(d)\nf%d(%d)' % (depth, depth, depth), '<made>', 'exec'), {'s1': s1})
    elif kind == 15: re.sub('x', lambda m: s0(depth) or 'y', 'x')
    elif kind == 16: loop(depth)
    elif kind == 17:
        a, b = K(), K(); a.depth = depth; sorted([b, a])
    elif kind == 18: make(depth)
    elif kind == 19: profiled(depth)


def run():
    while True:
        local.path = []
        go(rnd.randrange(14))


async def run_async():
    while True:
        local.path = []
        await coroutine(rnd.randrange(8))

sys.setrecursionlimit(10000)
if mode == 'thread':
    while True:
        def some():
            for _ in range(20):
                local.path = []
                go(rnd.randrange(14))
        t = threading.Thread(target=some)
        t.start()
        t.join()
elif mode == 'async':
    asyncio.run(run_async())
else:
    run()
