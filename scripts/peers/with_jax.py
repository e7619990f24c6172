"""JAX: jax.random, a test and a sum, compiled by XLA into kernels that need not store the coordinates."""

import time

import report

jax = report.require("jax")
jnp = jax.numpy

SAMPLES = 2**28  # of an array
ARRAYS = 32  # of a launch


def hits_of_array(key):
    """Hits of one array of samples."""
    x, y = (jax.random.uniform(half, (SAMPLES,), jnp.float32) for half in jax.random.split(key))
    return jnp.sum(x * x + y * y <= 1)


@jax.jit
def hits_of_arrays(key):
    """Hits of each of several arrays. Their sum would need 64 bits, which JAX does not have by default."""
    return jax.lax.map(hits_of_array, jax.random.split(key, ARRAYS))


def time_launch(number):
    """ms and hits of a launch, by the wall clock."""
    key = jax.random.key(number).block_until_ready()
    start = time.perf_counter()
    hits = hits_of_arrays(key).block_until_ready()
    ms = (time.perf_counter() - start) * 1e3
    return ms, sum(hits.tolist())


def main():
    if jax.default_backend() != "gpu":
        report.leave("jax finds no GPU")
    report.measure(
        time_launch,
        peer="jax",
        package=f"jax {jax.__version__}",
        generator="Threefry2x32-20",
        samples_per_launch=ARRAYS * SAMPLES,
    )


if __name__ == "__main__":
    main()
