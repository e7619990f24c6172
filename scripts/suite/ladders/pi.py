"""The ladder pi: hits of random points in a quarter circle."""

from suite.ladder import HITS, Called, Calls, Ladder, Peer, Peers, Seeds

LADDER = Ladder(
    suite="pi",
    place=1,
    prefix="pi",
    letter="v",
    unit="sample",
    outcome=HITS,
    cpu={
        "cpu_serial": ("pi_cpu", "--threads", "1"),
        "cpu_openmp": ("pi_cpu",),
        "cpu_bit_sliced_serial": ("pi_cpu_bit_sliced", "--threads", "1"),
        "cpu_bit_sliced": ("pi_cpu_bit_sliced",),
        "cpu_halving_serial": ("pi_cpu_halving", "--threads", "1"),
        "cpu_halving": ("pi_cpu_halving",),
    },
    words=2,
    # In bit planes a sample takes bits until it is decided: 9.81 on average, 8.33 of an octant, 8.08 with ten levels. One bit at a
    # time, and two words in a leaf, it takes 3.49 and 3.26.
    other_words={
        **dict.fromkeys(("v15", "v18"), 9.81 / 32),
        "v19": 8.33 / 32,
        **dict.fromkeys(("v20", "v21", "v22", "v23", "cpu_bit_sliced", "cpu_bit_sliced_serial"), 8.08 / 32),
        "v24": 5.58 / 32,
        "v25": 3.49 / 32,
        **dict.fromkeys(("v26", "v27", "cpu_halving", "cpu_halving_serial"), 3.26 / 32),
    },
    calls=Calls(
        programs=(
            Called("pi_cpu", "cpu_openmp", last_power=12),
            *(Called(f"pi_{version}", version, last_power=12) for version in ("v1", "v3", "v8", "v11")),
        )
    ),
    # v8, v11 and v6 make coordinates in different ways. v6_mantissa uses v11's way; v11_centred moves it by half a step.
    convergence=("v8", "v11", "v6", "v6_mantissa", "v11_centred"),
    scaling=("v27",),
    # Launches that the host replays in a moment, so that a run takes little more than its start.
    seeds={
        "v14": Seeds(200, ("--iters", 4000, "--launches", 1000)),
        "v23": Seeds(200, ("--iters", 200_000, "--launches", 100)),
        "v27": Seeds(200, ("--iters", 500_000, "--launches", 100)),
    },
    targets=(1e-6, 1e-7, 1e-8),
    peers=Peers(
        versions=("v11", "v27"),
        packages={
            "pytorch_eager": Peer(("with_arrays", "torch"), "PyTorch, eager"),
            "pytorch_compiled": Peer(("with_arrays", "torch", "--compile"), "PyTorch, compiled"),
            "cupy": Peer(("with_arrays", "cupy"), "CuPy"),
            "jax": Peer(("with_jax",), "JAX"),
            "triton": Peer(("with_triton",), "Triton"),
            "cuda_tile": Peer(("with_cuda_tile",), "CUDA Tile"),
            "thrust": Peer(("peer_thrust",), "Thrust"),
            "curanddx": Peer(("peer_curanddx",), "cuRANDDx"),
        },
        required="peer_thrust",
    ),
    question="How many random points can a GPU test in a nanosecond?",
    about="Rates are in samples per nanosecond. One sample is one random point (x, y), tested once against the quarter circle.",
    first="v1",
    sections=("rates", "merit", "peers", "ablations", "profile", "launches", "convergence", "seeds"),
    charts={
        "rates": "ladder.svg",
        "steps": "pi-staircase.svg",
        "profile": "pipes.svg",
        "peers": "pi-peers.svg",
        "launches": "time.svg",
        "convergence": "convergence.svg",
    },
    reasons={
        "v2": "every multiprocessor",
        "v3": "full warps",
        "v8": "one multiply-add a word",
        "v15": "32 samples a word",
    },
    hues=("v6", "v8", "v1 v14 v6_mantissa", "v11", "v23", "v3 v17 v11_centred"),
    same_words="""Versions that draw the same words (v8, v11 and v11_centred; v6 and v6_mantissa) coincide until their biases
separate them.""",
    known_limits="""A test that knows the recurrence of v14 finds a fault: in bit b, the parity of words n, n − 13 and n − 31 is
even by 2⁻ᵇ more often than odd. Bits 8 to 11 show it within 2²⁷ words. As whole words, those of v15 and v18 to v26 fail a test that
knows their multiplier; their steps use them in bit planes. v16 and v16t draw the words of v15, but make
coordinates of fields of 5 and 10 bits. No test covers that use.
[kernels/pi/](../kernels/pi/README.md#what-each-generator-costs-and-buys) explains what the tests found.""",
)
