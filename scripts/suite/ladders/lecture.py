"""The ladder lecture: the kernels of a lecture, and the time of whole calls."""

from suite.ladder import HITS, Called, Calls, Ladder

LADDER = Ladder(
    suite="lecture",
    place=2,
    prefix="lecture",
    letter="k",
    unit="sample",
    words=2,
    outcome=HITS,
    calls=Calls(
        programs=(
            Called("pi_cpu", "cpu_serial", ("--threads", 1)),
            Called("pi_cpu", "cpu_openmp"),
            Called("lecture_k1", "k1", samples_per_block=1, last_power=8),
            Called("lecture_k2", "k2", ("--threads", 32), samples_per_block=32, last_power=8),
            Called("lecture_k3", "k3", ("--threads", 32), samples_per_block=32),
            Called("pi_v8_shared", "v8_shared", ("--threads", 32)),
        ),
        overtakes="v8_shared",
        marks=(
            (65_535, "65,535: most of kernel 1"),
            (2_097_120, "2,097,120: most of kernels 2 and 3"),
            (10**7, "10⁷: overheads dominated up to here"),
        ),
    ),
    question="What does it cost to start a block of threads, and to call a GPU at all?",
    about="""Rates are in samples per nanosecond. One sample is one random point (x, y), tested once against the quarter circle.""",
    first="k1",
    sections=("steps", "calls", "ablations", "peers", "profile"),
    charts={"calls": "lecture.svg", "profile": "lecture-units.svg"},
    hues=("k2", "v8_shared", "k1", "k3"),
)
