"""The ladder lookback: the price of a lookback option whose volatility changes from step to step."""

from suite.ladder import MEANS, Ladder, Peer, Peers, Seeds

LADDER = Ladder(
    suite="lookback",
    place=6,
    prefix="options",
    letter="l",
    unit="path-step",
    outcome=MEANS,
    cpu={
        "cpu_serial": ("options_cpu_lookback", "--threads", "1"),
        "cpu_openmp": ("options_cpu_lookback",),
        "cpu_vectors_serial": ("options_cpu_lookback_vectors", "--threads", "1"),
        "cpu_vectors": ("options_cpu_lookback_vectors",),
    },
    with_options={"l1_steps15": ("l1", "--steps", "15"), "l1_steps64": ("l1", "--steps", "64")},
    targets=(1e-3, 1e-4, 1e-5),
    seeds={"l7": Seeds(50, ("--iters", 64, "--launches", 1000))},
    peers=Peers(
        versions=("l1", "l3"),
        packages={
            "lookback_nvidia": Peer(("peer_lookback_nvidia",), "NVIDIA's sample, on our path"),
            "pytorch_eager": Peer(("prices_with_arrays", "torch", "lookback"), "PyTorch, eager"),
            "pytorch_compiled": Peer(("prices_with_arrays", "torch", "lookback", "--compile"), "PyTorch, compiled"),
            "cupy": Peer(("prices_with_arrays", "cupy", "lookback"), "CuPy"),
        },
    ),
    question="How fast can an option on a maximum price be simulated?",
    about="""Rates are in path-steps per nanosecond. One path-step moves the asset of one path by one step, which takes one normal. A
path has 8 steps, if its row names no other number; that of l6 has 256.""",
    first="l1",
    sections=("rates", "merit", "peers", "ablations", "profile", "seeds"),
    charts={
        "rates": "lookback-rates.svg",
        "steps": "lookback-staircase.svg",
        "profile": "lookback-units.svg",
        "peers": "lookback-peers.svg",
    },
    hues=("l1", "l3", "l2", "l4", "l5"),
    constant="l0",
)
