"""What the peers in PyTorch share: the package on a GPU, its events, and what it is called; with --compile, that code is fused."""

import sys

import report

torch = report.require("torch")
if not torch.cuda.is_available():
    report.leave("torch finds no GPU")
torch.manual_seed(1234)
IS_COMPILED = "--compile" in sys.argv
FACTS = {
    "peer": "pytorch_compiled" if IS_COMPILED else "pytorch_eager", "package": f"torch {torch.__version__}", "generator": "Philox4x32-10",
}  # fmt: skip


def timed(launch, *values):
    return report.between_events(
        launch, lambda: torch.cuda.Event(enable_timing=True), torch.cuda.Event.elapsed_time, *values
    )
