"""What the peers in CuPy share: the package on a GPU, its random numbers and events, and what it is called."""

from functools import partial

import report

xp = report.require("cupy")
if not xp.cuda.is_available():
    report.leave("cupy finds no GPU")
xp.random.seed(1234)
FACTS = {"peer": "cupy", "package": f"cupy {xp.__version__}", "generator": "XORWOW"}

uniforms = lambda size: xp.random.random(size, dtype=xp.float32)
normals = lambda size: xp.random.standard_normal(size, dtype=xp.float32)
doubles = lambda array: array.astype(xp.float64)
compiled = lambda function: function
timed = partial(report.between_events, xp.cuda.Event, xp.cuda.get_elapsed_time)
