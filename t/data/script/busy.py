# Uses a CPU for the seconds of its argument; the functions are for t/record-script.t.
import sys
import time


def inner(n):
    x = 0
    for i in range(n):
        x += i * i
    return x


def sort(n):
    return sorted(range(n), key=lambda v: -v)


def read_files(n):
    for _ in range(n):
        open('/proc/self/status').read()


def main():
    end = time.process_time() + float(sys.argv[1])
    while time.process_time() < end:
        inner(3000)
        sort(2000)
        read_files(10)


main()
sys.exit(7)
