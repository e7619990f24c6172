"""What the peers in JAX share: the package on a GPU, the wall clock, and what it is called."""

import time

import report

jax = report.require("jax")
jnp = jax.numpy
if jax.default_backend() != "gpu":
    report.leave("jax finds no GPU")
FACTS = {"peer": "jax", "package": f"jax {jax.__version__}", "generator": "Threefry2x32-20"}


def timed(compiled, values):
    """A time_launch by the wall clock; values makes of compiled(key) what it returns beside the ms."""

    def time_launch(number):
        key = jax.random.key(number).block_until_ready()
        start = time.perf_counter()
        found = jax.block_until_ready(compiled(key))
        return (time.perf_counter() - start) * 1e3, *values(found)

    return time_launch
