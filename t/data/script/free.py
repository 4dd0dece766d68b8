# Runs without an end: fN calls f(N+1) and f(N+2) only. The functions of one depth are made
# again and again under one of two names, so that code objects take each other's addresses.
import random


def f13(d):
    return d


made = {'random': random, 'f13': f13}


def make(i):
    name = 'f%d' % i
    exec('def %s(d):\n x = 0\n for k in range(3): x += k\n if random.random() < .5:\n'
         '  return f%d(d)\n return f%d(d)\n' % (name, i + 1, min(13, i + 2)), made)


for i in range(12, -1, -1):
    make(i)
while True:
    made['f0'](1)
    make(random.randrange(13))
