"""JAX: jax.random, a test and a sum, compiled by XLA into kernels that need not store the coordinates."""

import report
from on_jax import FACTS, jax, jnp, timed

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


report.measure(timed(hits_of_arrays, lambda hits: [sum(hits.tolist())]), samples_per_launch=ARRAYS * SAMPLES, **FACTS)
