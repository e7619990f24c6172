"""PyTorch: two arrays of random coordinates, a test and a sum; with --compile, fused by torch.compile."""

import sys

import report

torch = report.require("torch")

SAMPLES = 2**28  # of an array
ARRAYS = 16  # of a launch, so that the GPU never waits for Python


def hits_of_array():
    """Hits of one array of samples, on the GPU."""
    x = torch.rand(SAMPLES, device="cuda")
    y = torch.rand(SAMPLES, device="cuda")
    return (x * x + y * y <= 1).sum()


def main():
    if not torch.cuda.is_available():
        report.leave("torch finds no GPU")
    torch.manual_seed(1234)
    is_compiled = "--compile" in sys.argv[1:]
    count = torch.compile(hits_of_array) if is_compiled else hits_of_array
    report.measure(
        report.between_events(
            lambda _: sum(count() for _ in range(ARRAYS)),
            lambda: torch.cuda.Event(enable_timing=True),
            torch.cuda.Event.elapsed_time,
        ),
        peer="pytorch_compiled" if is_compiled else "pytorch_eager",
        package=f"torch {torch.__version__}",
        generator="Philox4x32-10",
        samples_per_launch=ARRAYS * SAMPLES,
    )


if __name__ == "__main__":
    main()
