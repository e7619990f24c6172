"""How fast the machine moves bytes and executes instructions."""

from suite import markdown, numerals
from suite.markdown import escaped
from suite.render import sources

HEADING = "How fast bytes move"
TITLES = {
    "pcie_up_pinned": "PCIe to the GPU, pinned host memory",
    "pcie_up_pageable": "PCIe to the GPU, pageable host memory",
    "pcie_down_pinned": "PCIe from the GPU, pinned host memory",
    "pcie_down_pageable": "PCIe from the GPU, pageable host memory",
    "dram_copy": "memory of the GPU, copy (bytes read and written)",
    "dram_read": "memory of the GPU, read",
    "dram_write": "memory of the GPU, write",
    "ffma": "FFMA: float multiply-add",
    "imad": "IMAD: integer multiply-add",
    "imad_wide": "IMAD.WIDE: integer multiply, 64 bits of result",
    "dp4a": "DP4A: dot product of bytes",
    "lop3": "LOP3: Boolean function of three words",
    "popc": "POPC: population count",
    "imma": "IMMA: matrix product of bytes, 16 × 32 by 32 × 8",
    "ffma_beside_popc": "FFMA, eight beside a POPC",
    "ffma_beside_imma": "FFMA, eight beside an IMMA",
    "imad_beside_imma": "IMAD, four beside an IMMA",
    "lop3_beside_imad": "LOP3 of three registers, one beside an IMAD of two",
    "lop3_2_beside_imad": "LOP3 of two registers, one beside an IMAD of two",
}


def section(device, site):
    if device.limits is None:
        return []
    instructions = device.limits.get("instructions", [])
    return [
        f"Medians of large transfers, in 10⁹ bytes per second. {sources.data(device, 'limits')}",
        *table(["Path", "GB/s"], device.limits["limits"], "gbps"),
        *table(
            ["Instructions of threads, of the kind that is named first", "per clock and multiprocessor"],
            instructions,
            "per_clock",
        ),
    ]


def table(titles, rates, field):
    """A table of this field of rates, if there are any: of instructions they are alone or beside another kind."""
    rows = [[TITLES.get(row["name"], escaped(row["name"])), numerals.three_digits(row[field])] for row in rates]
    return [markdown.figures(titles, rows)] if rows else []
