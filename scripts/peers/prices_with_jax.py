"""JAX: a loop over the steps (lax.scan) that XLA compiles into one program."""

import time

import prices
import report

jax = report.require("jax")
jnp = jax.numpy

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


def time_launch(number):
    """ms of a launch by the wall clock, and its sums."""
    key = jax.random.key(number).block_until_ready()
    start = time.perf_counter()
    found = jax.block_until_ready(sums(key))
    return (time.perf_counter() - start) * 1e3, *map(float, found)


def main():
    if jax.default_backend() != "gpu":
        report.leave("jax finds no GPU")
    report.measure_mean(
        time_launch,
        PATHS,
        peer="jax",
        package=f"jax {jax.__version__}",
        generator="Threefry2x32-20",
        samples_per_launch=PATHS * prices.ASIAN_STEPS,
    )


if __name__ == "__main__":
    main()
