"""JAX: jax.random.normal and a sum of squares, compiled by XLA, which need not store the normals."""

import time

import normals_of
import report

jax = report.require("jax")
jnp = jax.numpy

PARTS = 2**10  # of a launch, whose sums are added on the host


@jax.jit
def sums_of_parts(key):
    """The sums of squares and of fourth powers of each part."""
    squares = jnp.square(jax.random.normal(key, (PARTS, normals_of.NORMALS // PARTS), jnp.float32))
    return squares.sum(1), (squares * squares).sum(1)


def time_launch(number):
    """ms of a launch by the wall clock, and its sums."""
    key = jax.random.key(number).block_until_ready()
    start = time.perf_counter()
    sums = jax.block_until_ready(sums_of_parts(key))
    return (time.perf_counter() - start) * 1e3, *(sum(map(float, part)) for part in sums)


def main():
    if jax.default_backend() != "gpu":
        report.leave("jax finds no GPU")
    report.measure_mean(
        time_launch,
        normals_of.NORMALS,
        peer="jax",
        package=f"jax {jax.__version__}",
        generator="Threefry2x32-20",
        samples_per_launch=normals_of.NORMALS,
    )


if __name__ == "__main__":
    main()
