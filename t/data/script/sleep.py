import time


def sleeper():
    time.sleep(1)


sleeper()
