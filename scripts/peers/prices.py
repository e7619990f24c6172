"""The options that peers price, step by step, for any package of arrays: `xp` has its functions exp, maximum and sqrt.

The parameters are those of the ladders asian and lookback.
"""

ASIAN_STEPS, LOOKBACK_STEPS = 256, 8
START = 100.0

MU_A, MU_B = 2.0**-14, -(2.0**-17)
S_AA, S_AB, S_BB = 1 / 64, 3 / 256, 1 / 64

MU = 2.0**-13
A_0, A_1, A_2 = 2.0**-17, 29 / 32, 1 / 16
FIRST_VARIANCE = A_0 + (A_1 + A_2) / 1024  # from a volatility of 1/32 and a shock of -1/32


def asian_step(xp, state, z_a, z_b):
    """Both prices and the sum of the larger one, after another step."""
    a, b, total = state
    a = a * xp.exp(MU_A + S_AA * z_a)
    b = b * xp.exp(MU_B + S_AB * z_a + S_BB * z_b)
    return a, b, total + xp.maximum(a, b)


def asian_payoff(xp, state):
    a, b, total = state
    return (total / ASIAN_STEPS - xp.maximum(a, b)).clip(0)


def asian(xp, normals):
    """The payoffs of paths; normals() makes an array of normals, one for each path."""
    state = (START, START, 0.0)
    for _ in range(ASIAN_STEPS):
        state = asian_step(xp, state, normals(), normals())
    return asian_payoff(xp, state)


def lookback_step(xp, price, variance, z):
    """The price and the variance of the next step, after another step."""
    shock = z * xp.sqrt(variance)
    return price * xp.exp(MU + shock), A_0 + A_1 * variance + A_2 * shock * shock


def lookback(xp, normals):
    """The payoffs of paths."""
    zero = 0 * normals()
    price, variance = START + zero, FIRST_VARIANCE + zero
    prices = []
    for _ in range(LOOKBACK_STEPS):
        prices.append(price)
        price, variance = lookback_step(xp, price, variance, normals())
    return sum((before - price).clip(0) for before in prices)


PAYOFFS = {"asian": asian, "lookback": lookback}
STEPS = {"asian": ASIAN_STEPS, "lookback": LOOKBACK_STEPS}
