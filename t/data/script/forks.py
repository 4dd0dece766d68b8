# Uses 0.6 s of CPU time, forks a child that uses 0.3 s, and starts a program that uses CPU time in
# proportion to its argument. Prints the CPU seconds of the three.
import os
import subprocess
import sys
import time


def work(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        sum(range(1000))


def in_child():
    work(0.3)


work(0.6)
pid = os.fork()
if pid == 0:
    in_child()
    os._exit(0)
used = os.wait4(pid, 0)[2]
child = used.ru_utime + used.ru_stime
work(0.3)
before = os.times()
subprocess.run([sys.argv[1], 'BEGIN { while (i < %s) i++ }' % sys.argv[2]])
after = os.times()
print(time.process_time(), child, after.children_user + after.children_system - before.children_user - before.children_system)
