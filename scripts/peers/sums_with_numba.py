"""What the peers in numba-cuda share: the package, the grid, and launches of a kernel that adds to two sums."""

from importlib.metadata import version

import report

report.require("numba_cuda")
numpy = report.require("numpy")
if not hasattr(numpy, "row_stack"):
    numpy.row_stack = numpy.vstack  # numba-cuda 0.30 asks for it, and NumPy 2.5 has it no more
cuda = report.require("numba.cuda")
random = report.require("numba.cuda.random")

THREADS, BLOCKS = 256, 2048


def measure(kernel, numbers, units):
    """Print the mean of the numbers of a launch; kernel(states, sums) adds up them and their squares."""
    if not cuda.is_available():
        report.leave("numba finds no GPU")
    states = random.create_xoroshiro128p_states(THREADS * BLOCKS, seed=1234)

    def launch(_):
        sums = cuda.to_device(numpy.zeros(2))
        kernel[BLOCKS, THREADS](states, sums)
        return sums

    elapsed, values = lambda start, end: start.elapsed_time(end), lambda sums: sums.copy_to_host().tolist()
    facts = {"peer": "numba", "package": f"numba-cuda {version('numba-cuda')}", "generator": "xoroshiro128+"}
    timed = report.between_events(cuda.event, elapsed, launch, values)
    report.measure_mean(timed, numbers, samples_per_launch=units, **facts)
