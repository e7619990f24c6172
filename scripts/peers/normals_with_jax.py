"""JAX: jax.random.normal and a sum of squares, compiled by XLA, which need not store the normals."""

import report
from on_jax import FACTS, jax, jnp, timed
from report import NORMALS

PARTS = 2**10  # of a launch, whose sums are added on the host


@jax.jit
def sums_of_parts(key):
    """The sums of squares and of fourth powers of each part."""
    squares = jnp.square(jax.random.normal(key, (PARTS, NORMALS // PARTS), jnp.float32))
    return squares.sum(1), (squares * squares).sum(1)


launch = timed(sums_of_parts, lambda sums: (sum(map(float, part)) for part in sums))
report.measure_mean(launch, NORMALS, samples_per_launch=NORMALS, **FACTS)
