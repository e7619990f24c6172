"""The ladder asian: the price of an Asian option on two assets."""

from suite.ladder import MEANS, Known, Ladder, Peer, Peers, Seeds

LADDER = Ladder(
    suite="asian",
    place=5,
    prefix="options",
    letter="a",
    unit="path-step",
    outcome=MEANS,
    cpu={
        "cpu_serial": ("options_cpu_asian", "--threads", "1"),
        "cpu_openmp": ("options_cpu_asian",),
        "cpu_vectors_serial": ("options_cpu_asian_vectors", "--threads", "1"),
        "cpu_vectors": ("options_cpu_asian_vectors",),
    },
    with_options={"a6_steps16": ("a6", "--steps", "16"), "a6_steps64": ("a6", "--steps", "64")},
    targets=(1e-3, 1e-4, 1e-5),
    scaling=("a8",),
    seeds={"a8": Seeds(50, ("--iters", 2, "--launches", 1000))},
    peers=Peers(
        versions=("a2", "a5"),
        packages={
            "asian_nvidia": Peer(("peer_asian_nvidia",), "NVIDIA's sample, on our path"),
            "pytorch_eager": Peer(("prices_with_arrays", "torch", "asian"), "PyTorch, eager"),
            "pytorch_compiled": Peer(("prices_with_arrays", "torch", "asian", "--compile"), "PyTorch, compiled"),
            "cupy": Peer(("prices_with_arrays", "cupy", "asian"), "CuPy"),
            "jax": Peer(("prices_with_jax",), "JAX"),
            "numba": Peer(("prices_with_numba",), "numba-cuda"),
            # The option on the first asset alone.
            "quantlib": Peer(("prices_with_quantlib",), "QuantLib, one core of the CPU", Known(4.79119, 0.00045)),
        },
    ),
    question="How fast can an option on an average price be simulated?",
    about="""Rates are in path-steps per nanosecond. One path-step moves both assets of one path by one of its 256 steps, which takes
two normals.""",
    first="a2",
    sections=("rates", "merit", "peers", "ablations", "dates", "profile", "seeds"),
    charts={
        "rates": "asian-rates.svg",
        "steps": "asian-staircase.svg",
        "profile": "asian-units.svg",
        "peers": "asian-peers.svg",
    },
    hues=("a2", "a5", "a3", "a6", "a7"),
    constant="a0",
    dates=("a6_steps16", "a6_steps64", "a6"),
)
