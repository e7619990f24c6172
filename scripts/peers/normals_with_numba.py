"""numba-cuda: a kernel that adds up squares of the normals of the generator that comes with it."""

from report import NORMALS
from sums_with_numba import BLOCKS, THREADS, cuda, measure, numpy, random

OF_THREAD = NORMALS // (THREADS * BLOCKS)


@cuda.jit(fastmath=True)
def add_up(states, sums):
    thread = cuda.grid(1)
    of_squares, of_fourth_powers = numpy.float32(0), numpy.float32(0)
    for _ in range(OF_THREAD):
        z = random.xoroshiro128p_normal_float32(states, thread)
        of_squares += z * z
        of_fourth_powers += z * z * z * z
    cuda.atomic.add(sums, 0, of_squares)
    cuda.atomic.add(sums, 1, of_fourth_powers)


measure(add_up, NORMALS, NORMALS)
