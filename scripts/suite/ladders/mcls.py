"""The ladder mcls: random walks that solve a linear system."""

from suite.ladder import SOLUTION, Ladder, Peer, Peers, Seeds, Systems

# A run is a program on a system, with histories that end by themselves (weights fall below the cutoff, or absorption ends
# them) or have a fixed length, in long launches or in such that just come to an error of 1 %. Without options it is on the
# first system, and histories end by themselves, in long launches.
SYSTEMS = ("lap2d", "shift1d", "sp1", "ad3d")
OF_REPORT = SYSTEMS[:3]  # those of the report

REPORTED = tuple(f"v{number}" for number in range(1, 9))  # the steps that rebuild the report
# What the report compares.
ABLATIONS = ("v3_ldg1", "v3_ldg2", "v3_ldg3", "v3_plain", "v8_csr", "v8_csr_l2", "v8_l2", "v8_plain")
OF_ROWS = ("v19_equal_width", "v19_two_blocks", "v20_short_rows")  # of steps that sp1 gains from
BAD_SEEDS = ("v2_consecutive_seeds", "v2_random_seeds")  # whose verdicts find them
CUT_OFF = (*REPORTED, "v9", "v10", "v11", "v12")  # steps whose histories a cutoff ends
OTHERS = tuple(f"v{number}" for number in range(13, 25))
REFUSED = {  # systems that a step does not accept
    "v13": ("sp1",), "v14": ("sp1",), "v15": ("sp1",), "v16": ("shift1d", "sp1", "ad3d"), "v17": ("sp1",), "v18": ("sp1",),
    "v19": ("shift1d", "ad3d"), "v20": ("shift1d", "ad3d"), "v21": ("shift1d", "sp1", "ad3d"),
    "v22": ("shift1d", "sp1", "ad3d"), "v23": ("shift1d", "sp1", "ad3d"), "v24": ("sp1",),
}  # fmt: skip
NO_VARIANCE = {"sp1": ("v7", "v8")}  # forward steps, whose variance is infinite there

FIXED = {"steps": "10000"}
FEWER = {"histories": "1048576"}  # in a launch of a later step; those of the report have so many
SHORT = {"lap2d": {"histories": "200000"}, "sp1": {"histories": "1431808"}}  # in a launch that just comes to 1 %
SHORTENED = {
    "lap2d": (*(f"v{number}" for number in range(12, 19)), *OTHERS[8:]),
    "sp1": ("v20",),
}  # where a usual one takes longer


def command(program, system=SYSTEMS[0], is_fixed=False, is_short=False):
    """The program of a run with its options."""
    settings = _settings(program, system, is_fixed, is_short)
    options = [part for name, value in settings.items() for part in (f"--{name}", value)]
    is_infinite = program.partition("_")[0] in NO_VARIANCE.get(system, ())
    return (program, *options, *(["--infinite-variance"] if is_infinite else []))


def version(program, system=SYSTEMS[0], is_fixed=False, is_short=False):
    """The name of that run, which the program makes of its options: v8_sp1_steps10000."""
    settings = _settings(program, system, is_fixed, is_short)
    return "_".join([program, *(value if name == "system" else name + value for name, value in settings.items())])


def _settings(program, system, is_fixed, is_short):
    few = FIXED if program.partition("_")[0] in REPORTED else FIXED | FEWER
    return (
        ({} if system == SYSTEMS[0] else {"system": system})
        | (few if is_fixed else {})
        | (SHORT.get(system, {}) if is_short else {})
    )


def _runs():
    """What is measured besides the programs without options."""
    for step in (*CUT_OFF, *OTHERS):
        yield from ((step, system) for system in SYSTEMS if system not in REFUSED.get(step, ()))
    yield from ((step, system, True) for step in CUT_OFF for system in OF_REPORT)
    yield from ((ablation, system) for ablation in ABLATIONS for system in OF_REPORT)
    yield from ((ablation, system, True) for ablation in ABLATIONS for system in OF_REPORT)
    yield from ((ablation, "sp1") for ablation in OF_ROWS)
    yield from ((ablation, system, True) for ablation in BAD_SEEDS for system in OF_REPORT[:2])
    yield from ((step, system, False, True) for system, shortened in SHORTENED.items() for step in shortened)


KRYLOV = {"lap2d": "cg", "shift1d": "cg", "sp1": "bicgstab", "ad3d": "bicgstab"}  # the last two are not symmetric
DIRECT = (("lap2d", "ldlt"), ("shift1d", "ldlt"), ("sp1", "lu"))  # not ad3d: its factors fill gigabytes
SOLVERS = {
    **{f"cusparse_{method}_{system}": ("peer_mcls_cusparse", method, system) for system, method in KRYLOV.items()},
    **{f"cusparse_jacobi_{system}": ("peer_mcls_cusparse", "jacobi", system) for system in KRYLOV},
    "block_cg_lap2d": ("peer_mcls_block", "lap2d"),
    **{
        f"eigen_{method}_{system}": ("peer_mcls_eigen", method, system) for system, method in (*KRYLOV.items(), *DIRECT)
    },
    **{f"mcls_solve_{system}": ("mcls_solve", "--system", system, "--json", "-") for system in KRYLOV},
}

LADDER = Ladder(
    suite="mcls",
    place=7,
    prefix="mcls",
    letter="v",
    unit="transition",
    outcome=SOLUTION,
    cpu={
        "cpu_serial": ("mcls_cpu", "--threads", "1"),
        "cpu_openmp": ("mcls_cpu",),
        "cpu_counted_paths_serial": ("mcls_cpu_counted_paths", "--threads", "1"),
        "cpu_counted_paths": ("mcls_cpu_counted_paths",),
    },
    with_options={version(*run): command(*run) for run in _runs() if len(command(*run)) > 1}
    | {f"cpu_openmp_{system}": ("cpu", "--system", system) for system in SYSTEMS[1:]},
    faulty=BAD_SEEDS,
    renamed=("v10_graph", "v10_graph_hubs", "v10_graph_paths"),  # to g1 and its ablations, of the ladder graph
    scaling=("v23",),
    seeds={"v22": Seeds(50, ("--launches", 20))},
    peers=Peers(
        versions=("v18",), packages={name: Peer(solver) for name, solver in SOLVERS.items()}, required="peer_mcls_block"
    ),
    question="How fast can random walks solve a linear system (here of 900 equations), and when are they worth it?",
    about=f"""Rates are in transitions per nanosecond. One transition moves a walk from a state to the next one, with its weight and
its tally. v16, v18, v21 and v22 move a walk by several transitions at once, v23 and v24 count the walks that move alike. The
tables that walks draw from are built before, and are not timed. v1 to v7 wait for L2: their rates differ by up to 13 % between
commits with the same machine code. Without the name of a system, a rate is that on {SYSTEMS[0]}.""",
    first="v1",
    sections=("systems", "accuracy", "solvers", "claims", "ablations", "profile", "seeds"),
    charts={"systems": "mcls-staircase.svg", "accuracy": "mcls-error.svg", "profile": "mcls-units.svg"},
    hues=("block_cg_lap2d", "v16", "mcls_solve_lap2d", "v14", "cusparse_cg_lap2d", "v8"),
    systems=Systems(
        SYSTEMS,
        fixed_steps=int(FIXED["steps"]),
        short={system: int(options["histories"]) for system, options in SHORT.items()},
        version=version,
        error_lines=("v8", "v14", "v16"),
        error_curves={
            "block_cg_lap2d": "CG, one block",
            "cusparse_cg_lap2d": "CG, cuSPARSE",
            "mcls_solve_lap2d": "mcls_solve",
        },
    ),
)
