"""numba-cuda: a kernel with one path a thread at a time and the generator that comes with it."""

import math

import prices
from sums_with_numba import BLOCKS, THREADS, cuda, measure, numpy, random

PATHS_OF_THREAD = 4
PATHS = THREADS * BLOCKS * PATHS_OF_THREAD
MU_A, MU_B = (numpy.float32(value) for value in (prices.MU_A, prices.MU_B))
S_AA, S_AB, S_BB = (numpy.float32(value) for value in (prices.S_AA, prices.S_AB, prices.S_BB))
START, STEPS = numpy.float32(prices.START), prices.ASIAN_STEPS


@cuda.jit(fastmath=True)
def price(states, sums):
    thread = cuda.grid(1)
    of_payoffs, of_squares = 0.0, 0.0
    for _ in range(PATHS_OF_THREAD):
        a, b, total = START, START, numpy.float32(0)
        for _ in range(STEPS):
            z_a = random.xoroshiro128p_normal_float32(states, thread)
            z_b = random.xoroshiro128p_normal_float32(states, thread)
            a *= math.exp(MU_A + S_AA * z_a)
            b *= math.exp(MU_B + S_AB * z_a + S_BB * z_b)
            total += max(a, b)
        payoff = max(total / numpy.float32(STEPS) - max(a, b), numpy.float32(0))
        of_payoffs += payoff
        of_squares += payoff * payoff
    cuda.atomic.add(sums, 0, of_payoffs)
    cuda.atomic.add(sums, 1, of_squares)


measure(price, PATHS, PATHS * STEPS)
