"""PyTorch: arrays of paths, a step at a time; with --compile, each step fused by torch.compile."""

import sys

import prices
import report

torch = report.require("torch")

PATHS = {"asian": 2**20, "lookback": 2**24}


def main():
    if not torch.cuda.is_available():
        report.leave("torch finds no GPU")
    torch.manual_seed(1234)
    option, is_compiled = sys.argv[1], "--compile" in sys.argv
    payoffs = (compiled if is_compiled else prices.PAYOFFS)[option]

    def launch(_):
        found = payoffs(torch, lambda: torch.randn(PATHS[option], device="cuda")).double()
        return found.sum(), (found * found).sum()

    report.measure_mean(
        report.between_events(
            launch,
            lambda: torch.cuda.Event(enable_timing=True),
            torch.cuda.Event.elapsed_time,
            lambda sums: map(float, sums),
        ),
        PATHS[option],
        peer="pytorch_compiled" if is_compiled else "pytorch_eager",
        package=f"torch {torch.__version__}",
        generator="Philox4x32-10",
        samples_per_launch=PATHS[option] * prices.STEPS[option],
    )


def compiled_asian(xp, normals):
    """A step draws its normals within the compiled code."""

    @torch.compile
    def step(a, b, total):
        return prices.asian_step(xp, (a, b, total), normals(), normals())

    state = (prices.START + 0 * normals(),) * 2 + (0 * normals(),)
    for _ in range(prices.ASIAN_STEPS):
        state = step(*state)
    return prices.asian_payoff(xp, state)


compiled = {
    "asian": compiled_asian,
    "lookback": torch.compile(prices.lookback),
}


if __name__ == "__main__":
    main()
