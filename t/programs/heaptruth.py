# heaptruth.py: as heaptruth.c, of bytes objects, which have a header of 33 bytes.
import math, os, sys

mean = float(sys.argv[1]) if len(sys.argv) > 1 else 524288

class Figures:
    def __init__(self):
        self.bytes, self.variance, self.blocks, self.blocks_variance = [0, 0], [0, 0], 0, 0

    def took(self, n, live):
        p = -math.expm1(-n / mean)
        for k in range(1 + live):
            self.bytes[k] += n
            self.variance[k] += n * n * (1 - p) / p
        self.blocks += 1
        self.blocks_variance += (1 - p) / p

def small(n):
    return bytes(n)
def middle(n):
    return bytes(n)
def large(n):
    return bytes(n)

kept = [None] * 60000
figures = {small: Figures(), middle: Figures(), large: Figures()}
x = 1
for i in range(60000):
    x = (x * 1103515245 + 12345) & 0xffffffff
    f, n = (large, 50000 + (x >> 8) % 500000) if i % 600 == 0 else \
        (middle, 500 + (x >> 8) % 8000) if i % 10 == 0 else (small, 2 + (x >> 8) % 400)
    block = f(n)
    live = i // 600 % 2 == 0
    figures[f].took(n + 33, live)
    if live:
        kept[i] = block
block = None
for f, g in figures.items():
    print(f"{f.__name__} allocated {g.bytes[0]} {g.variance[0]:.0f}")
    print(f"{f.__name__} allocations {g.blocks} {g.blocks_variance:.0f}")
    print(f"{f.__name__} live {g.bytes[1]} {g.variance[1]:.0f}")
sys.stdout.flush()
os._exit(0)
