"""What the peers in CuPy share: the package on a GPU, its events, and what it is called."""

import report

cupy = report.require("cupy")
if not cupy.cuda.is_available():
    report.leave("cupy finds no GPU")
cupy.random.seed(1234)
FACTS = {"peer": "cupy", "package": f"cupy {cupy.__version__}", "generator": "XORWOW"}


def timed(launch, *values):
    return report.between_events(launch, cupy.cuda.Event, cupy.cuda.get_elapsed_time, *values)
