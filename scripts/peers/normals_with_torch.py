"""PyTorch: torch.randn writes an array of normals."""

import normals_of
import report

torch = report.require("torch")


def sums(normals):
    squares = normals * normals
    return squares.sum(dtype=torch.float64), (squares * squares).sum(dtype=torch.float64)


def main():
    if not torch.cuda.is_available():
        report.leave("torch finds no GPU")
    torch.manual_seed(1234)
    normals_of.measure(
        lambda _: torch.randn(normals_of.NORMALS, device="cuda"),
        lambda: torch.cuda.Event(enable_timing=True),
        torch.cuda.Event.elapsed_time,
        sums,
        peer="pytorch_eager",
        package=f"torch {torch.__version__}",
        generator="Philox4x32-10",
    )


if __name__ == "__main__":
    main()
