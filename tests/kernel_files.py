"""The kernel files and the programs that they become, by the rule of kernels/steps.cmake."""

import os
import re
from pathlib import Path
from typing import NamedTuple

REPOSITORY = Path(__file__).resolve().parents[1]
BIN = Path(os.environ.get("SUITE_BIN", REPOSITORY / "build")).resolve()
KERNELS = REPOSITORY / "kernels"


class Kernel(NamedTuple):
    """A kernel file, ablations/v08_shared.cu of the ladder pi, say."""

    file: Path
    program: str  # pi_v8_shared
    step: str  # v8
    is_ablation: bool

    @property
    def name(self):
        """v8_shared."""
        return self.program.partition("_")[2]

    @property
    def ladder(self):
        """The ladder's folder."""
        return self.file.parents[self.is_ablation]


def kernels():
    """Every kernel file, sorted by path."""
    found = []
    for file in sorted(KERNELS.rglob("*.cu")):
        if match := re.fullmatch(r"([a-z])0?(\d+[a-z]?)(_\w+)", file.stem):
            step, is_ablation = match[1] + match[2], file.parent.name == "ablations"
            word = file.relative_to(KERNELS).parts[0]
            found.append(Kernel(file, f"{word}_{step}{match[3] * is_ablation}", step, is_ablation))
    return found
