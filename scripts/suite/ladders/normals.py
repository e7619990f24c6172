"""The ladder normals: Gaussian random numbers."""

from suite.ladder import MEANS, Known, Ladder, Peer, Peers, SecondRate, Seeds

STORED_BY_CURAND = "cuRAND, stored"

LADDER = Ladder(
    suite="normals",
    place=4,
    prefix="options",
    letter="n",
    unit="normal",
    outcome=MEANS,
    cpu={
        "cpu_serial": ("options_cpu_normals", "--threads", "1"),
        "cpu_openmp": ("options_cpu_normals",),
        "cpu_vectors_serial": ("options_cpu_normals_vectors", "--threads", "1"),
        "cpu_vectors": ("options_cpu_normals_vectors",),
    },
    with_options={f"n{number}_store": (f"n{number}", "--store") for number in range(1, 13)},
    scaling=("n12", "n9"),
    seeds={"n11": Seeds(50, ("--iters", 2, "--launches", 1000))},
    peers=Peers(
        versions=("n3", "n9"),
        packages={
            **{
                f"curand_{name}": Peer(("peer_normals_curand_host", name), STORED_BY_CURAND)
                for name in ("xorwow", "philox", "mrg32k3a", "mtgp32")
            },
            "curand_device": Peer(("peer_normals_curand_device",), "cuRAND, in registers"),
            "curanddx": Peer(("peer_normals_curanddx",), "cuRANDDx, in registers"),
            "pytorch_eager": Peer(("normals_with_arrays", "torch"), "PyTorch, eager"),
            "cupy": Peer(("normals_with_arrays", "cupy"), "CuPy"),
            "jax": Peer(("normals_with_jax",), "JAX"),
            "numba": Peer(("normals_with_numba",), "numba-cuda"),
            "cuda_tile": Peer(("with_cuda_tile", "normals"), "CUDA Tile"),
        },
        known=Known(1, variance=2),
    ),
    question="How fast can Gaussian numbers be made?",
    about="""Rates are in normals per nanosecond. One normal is one Gaussian random number, made and added up in registers; of a
step with --store, made and written to memory.""",
    first="n1",
    sections=("rates", "claims", "peers", "ablations", "profile", "limits", "seeds"),
    charts={
        "steps": "normals-staircase.svg",
        "rates": "normals.svg",
        "profile": "normals-units.svg",
        "peers": "normals-peers.svg",
    },
    second_rate=SecondRate("store", "stored", 4),
)
