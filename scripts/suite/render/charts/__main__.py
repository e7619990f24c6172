"""Draw the charts of the suite: JSON descriptions on stdin, SVG texts as JSON on stdout.

The modules of sections/ say what a chart shows; this folder says how it looks. It is
a separate program, because it alone needs matplotlib and another interpreter may
have it. The same description gives the same SVG, byte for byte.
"""

import json
import sys

import bars
import curves
import rates
import scaling
import stairs
from card import to_svg

CHARTS = {
    "phases": bars.phases, "units": bars.units, "differences": bars.differences, "time": curves.time,
    "rates": rates.rates, "convergence": curves.convergence, "merit": curves.merit, "scaling": scaling.scaling, "stairs": stairs.stairs,
}  # fmt: skip


def main():
    charts = json.loads(
        sys.stdin.read().replace("$", r"\\$")
    )  # matplotlib takes text between dollar signs for a formula
    json.dump([to_svg(CHARTS[chart["chart"]](chart)) for chart in charts], sys.stdout)


if __name__ == "__main__":
    main()
