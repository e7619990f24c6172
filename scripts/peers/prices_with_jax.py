"""JAX: a loop over the steps (lax.scan) that XLA compiles into one program."""

import prices
import report
from on_jax import FACTS, jax, jnp, timed

PATHS = 2**20


@jax.jit
def sums(key):
    """The sum of the payoffs, and of their squares."""

    def step(state, key):
        z_a, z_b = jax.random.normal(key, (2, PATHS), jnp.float32)
        return prices.asian_step(jnp, state, z_a, z_b), None

    start = jnp.full(PATHS, prices.START, jnp.float32)
    state, _ = jax.lax.scan(step, (start, start, 0 * start), jax.random.split(key, prices.ASIAN_STEPS))
    payoffs = prices.asian_payoff(jnp, state)
    return payoffs.sum(), (payoffs * payoffs).sum()


launch = timed(sums, lambda found: map(float, found))
report.measure_mean(launch, PATHS, samples_per_launch=PATHS * prices.ASIAN_STEPS, **FACTS)
