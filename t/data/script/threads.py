# Threads, a child by fork and one by exec use a CPU; the functions are for t/record-script.t.
import os
import subprocess
import sys
import threading
import time


def work(seconds):
    end = time.thread_time() + seconds
    x = 0
    while time.thread_time() < end:
        x += 1


def in_child():
    work(0.4)
    os._exit(3)


def in_exec():
    work(0.4)
    sys.exit(5)


if len(sys.argv) > 1:
    in_exec()
threads = [threading.Thread(target=work, args=(0.2,)) for _ in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
pid = os.fork()
if pid == 0:
    in_child()
print(os.waitpid(pid, 0)[1] >> 8)
print(subprocess.run([sys.executable, __file__, 'exec']).returncode)
