"""What the peers in PyTorch, Triton and CUDA Tile share: PyTorch on a GPU, its random numbers and events; --compile fuses its code."""

import sys
from functools import partial

import report

xp = torch = report.require("torch")
if not torch.cuda.is_available():
    report.leave("torch finds no GPU")
torch.manual_seed(1234)
IS_COMPILED = "--compile" in sys.argv
FACTS = {
    "peer": "pytorch_compiled" if IS_COMPILED else "pytorch_eager", "package": f"torch {torch.__version__}", "generator": "Philox4x32-10",
}  # fmt: skip
PROGRAMS = 64 * torch.cuda.get_device_properties("cuda").multi_processor_count  # several whole waves on any GPU

uniforms = lambda size: torch.rand(size, device="cuda")
normals = lambda size: torch.randn(size, device="cuda")
doubles = torch.Tensor.double
compiled = torch.compile if IS_COMPILED else lambda function: function
timed = partial(report.between_events, partial(torch.cuda.Event, enable_timing=True), torch.cuda.Event.elapsed_time)


def timed_sums(enqueue, size=1, dtype=torch.int64, *values):
    """A time_launch of enqueue(sums, number), which adds to sums on the GPU."""

    def launch(number):
        sums = torch.zeros(size, dtype=dtype, device="cuda")
        enqueue(sums, number)
        return sums

    return timed(launch, *values)
