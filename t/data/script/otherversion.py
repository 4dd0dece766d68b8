# Claims to be of the minor version that is the argument, then runs without an end.
import ctypes, sys

version = ctypes.c_uint32.in_dll(ctypes.pythonapi, "Py_Version")
at = ctypes.addressof(version)
page = at & ~4095
if ctypes.CDLL(None).mprotect(ctypes.c_void_p(page), ctypes.c_size_t(at + 4 - page), 3) != 0:
    sys.exit("mprotect")
version.value = version.value & ~0xFF0000 | int(sys.argv[1]) << 16


def f(n):
    return sum(range(n))


while True:
    f(1000)
