"""The ladder arrays: random numbers in arrays, from the host to the GPU."""

from suite.ladder import HITS, Ladder, Peer, Peers, Phases

LADDER = Ladder(
    suite="arrays",
    place=3,
    prefix="arrays",
    letter="a",
    unit="sample",
    words=2,
    outcome=HITS,
    cpu={"a0": ("arrays_a0",)},
    full_seconds=5,
    peers=Peers(
        versions=("a5", "a9"),
        packages={
            "arrays_thrust": Peer(("peer_arrays_thrust",), "Thrust"),
            "arrays_openmp": Peer(("peer_arrays_openmp",), "OpenMP"),
            "arrays_openacc": Peer(("peer_arrays_openacc",), "OpenACC"),
            "arrays_nvidia": Peer(("peer_arrays_nvidia",), "NVIDIA's sample"),
        },
        required="peer_arrays_thrust",
    ),
    question="What do arrays cost, and copies to the GPU?",
    about="""Rates are in samples per nanosecond. One sample is one random point (x, y), tested once against the quarter circle.
The clock of a step is the wall's or the GPU's. On the wall clock a launch is timed from its first action until its counts are
in host memory; on the GPU's, until they are in the GPU's memory, over launches that were enqueued before.""",
    first="a0",
    sections=("phases", "ablations", "peers", "profile", "limits"),
    charts={"steps": "arrays-staircase.svg", "phases": "arrays.svg", "peers": "arrays-peers.svg"},
    reasons={"a10": "words by Philox"},  # the cache, in its title, gains little: a9_philox
    phases=Phases(
        order=("seed", "rng", "transfer", "compute", "reduce"),
        fused=("pi", "v6", "fused, pi v6"),
        article="The article of 2010, on a Tesla C1060",
    ),
)
