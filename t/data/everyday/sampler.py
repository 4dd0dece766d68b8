# Samples a Python program by SIGPROF, with the interpreter's own names: sampler.py OUT PROGRAM ARG...
import collections
import runpy
import signal
import sys

out, sys.argv = sys.argv[1], sys.argv[2:]
stacks = collections.Counter()


def sample(number, frame):
    names = []
    while frame is not None:
        names.append(frame.f_code.co_qualname)
        frame = frame.f_back
    stacks[';'.join(reversed(names))] += 1


signal.signal(signal.SIGPROF, sample)
signal.setitimer(signal.ITIMER_PROF, .001, .001)
try:
    runpy.run_path(sys.argv[0], run_name='__main__')
finally:
    signal.setitimer(signal.ITIMER_PROF, 0)
    with open(out, 'w') as f:
        for stack, n in stacks.items():
            f.write('%s %d\n' % (stack, n))
