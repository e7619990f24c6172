"""numba-cuda: a kernel that adds up squares of the normals of the generator that comes with it."""

import normals_of
import report

report.require("numba_cuda")
cuda = report.require("numba.cuda")
random = report.require("numba.cuda.random")
numpy = report.require("numpy")

THREADS, BLOCKS = 256, 2048
OF_THREAD = normals_of.NORMALS // (THREADS * BLOCKS)


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


def main():
    if not cuda.is_available():
        report.leave("numba finds no GPU")
    states = random.create_xoroshiro128p_states(THREADS * BLOCKS, seed=1234)

    def launch(_):
        sums = cuda.to_device(numpy.zeros(2))
        add_up[BLOCKS, THREADS](states, sums)
        return sums

    normals_of.measure(
        launch,
        cuda.event,
        lambda start, end: start.elapsed_time(end),
        lambda sums: sums.copy_to_host().tolist(),
        peer="numba",
        package=f"numba-cuda {report.version('numba-cuda')}",
        generator="xoroshiro128+",
    )


if __name__ == "__main__":
    main()
