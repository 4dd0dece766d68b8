# As free.py, in two interpreters: f0 and f1 are of the first, f2 to f13 of the second.
try:
    import _xxsubinterpreters as interpreters
except ImportError:
    import _interpreters as interpreters

second = interpreters.create()
interpreters.run_string(second, '''
import random


def f13(d):
    return d


def make(i):
    exec('def f%d(d):\\n x = 0\\n for k in range(3): x += k\\n if random.random() < .5:\\n'
         '  return f%d(d)\\n return f%d(d)\\n' % (i, i + 1, min(13, i + 2)), globals())


for i in range(12, 1, -1):
    make(i)
''')


def f1():
    interpreters.run_string(second, '''
for i in range(200):
    f2(1) if i % 2 else f3(1)
    make(random.randrange(2, 13))
''')


def f0():
    f1()


while True:
    f0()
