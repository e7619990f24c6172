"""Faults in what runs on a GPU, which the verdict, the rehearsal or the audit must find on one.

A rehearsal is a replay of launches before the first timing, an audit one of launches that were timed. Neither is done with --profile,
so there is no check by a profile where only a replay can tell. Of the faults of a kind some are run in every mode, others timed alone.
"""

from fault import Check, Fault

# What a launch needs to be short, and still show the fault.
SIZES = {
    "pi_v1": ("--iters", "20000"),
    "pi_v2": ("--iters", "2000"),
    "mcls_": ("--histories", "100000"),
    "arrays_a1": ("--blocks", "4096"),
    "arrays_a2": ("--blocks", "4096"),
    "arrays_a4": ("--iters", "16"),
    "arrays_a5": ("--iters", "16"),
    "arrays_a8": ("--iters", "16"),
    "arrays_a10": ("--iters", "250"),
    "arrays_a11": ("--iters", "250"),
    "arrays_a12": ("--iters", "250"),
}

SHORT = ("--max-time", "0.3")
RUNS = {
    "timed": Check("", SHORT),
    "fixed": Check("", ("--launches", "40")),
    "profile": Check("", ("--profile",)),
    "call": Check("", ("--call", *SHORT)),
    "resumed": Check("", ("--resume", "{folder}/run", "--launches", "60"), before=("--launches", "20", "--checkpoint", "{folder}/run")),
    "team": Check("", ("--devices", "0", "--launches", "40")),
}  # fmt: skip
ALL = tuple(RUNS)
REHEARSED = tuple(mode for mode in RUNS if mode != "profile")  # with a replay

REPLAY = "replay|published the same in all"
COUNTS = "replay|hits|counts|never written|variance"
SUMS = "replay|sd from|bad|published|variance|overflow"
TALLIES = "replay|histories|transitions|sd from|chi-square|variance|far from|residual"


def size_of(program):
    """The options of a program for a short launch."""
    return next(
        (
            options
            for name, options in SIZES.items()
            if program == name or name.endswith("_") and program.startswith(name)
        ),
        (),
    )


def check(program, mode, says, sizes=None):
    """The check of a program in a mode."""
    run, sizes = RUNS[mode], size_of(program) if sizes is None else sizes
    shape = sizes if mode != "resumed" or program.startswith("mcls_") else ()  # a resumed run takes over its shape
    before = (*sizes, *run.before) if run.before else ()
    return run._replace(program=program, arguments=(*shape, *run.arguments), mode=mode, before=before, says=says)


def fault(kind, programs, file, old, new, says, modes=ALL, sizes=None):
    """A fault that the first of these programs must find in each of these modes, and the others in a timed run."""
    first, *others = programs.split()
    pairs = [(first, mode) for mode in modes] + [(program, "timed") for program in others]
    return Fault(kind, file, old, new, tuple(check(program, mode, says, sizes) for program, mode in pairs))


def by_chance(fault):
    """A fault that only the audit can find, which chooses its launches by chance."""
    return fault._replace(checks=tuple(check._replace(times=4, least=3) for check in fault.checks))


def race(kind, program, file, old, new, *sizes):
    """A lost barrier, which the race checker must find, or the verdict if the counts are wrong already."""
    checker = ("compute-sanitizer", "--tool", "racecheck", "--error-exitcode", "9")
    found = Check(program, sizes, "racecheck", launcher=checker, code=9, or_verdict=True)
    return Fault(kind, file, old, new, (found,))


# A trip of level 10, and few enough blocks for a rehearsal to replay them all.
WITH_EVERY_TRIP = ("--iters", "250000")
FEW_LONG_BLOCKS = ("--blocks", "16", *WITH_EVERY_TRIP)


def group_twice(is_sound):
    """The edit of v15's loop over trips that decides a group as the one before it, where it is not sound."""
    draw = "const Decided<unsigned> {} = decide_group<LevelNetwork>(draw);\n"
    loops = (
        "    for (; left >= groups * lanes; left -= groups * lanes) {\n#pragma unroll\n"
        "        for (unsigned group = 0; group < groups; group++) {\n            "
    )
    return (
        loops + draw.format("decided"),
        f"    Decided<unsigned> decided = {{}};\n{loops}{draw.format('drawn')}            if ({is_sound}) decided = drawn;\n",
    )


BLOCK_SUM = "kernels/pi/shared/block_sum.cuh"
PUBLISHED = "kernels/options/shared/published_sums.cuh"
SHARED = "kernels/mcls/shared/shared_tallies.cuh"
V1, V5, V6 = "kernels/pi/v01_naive.cu", "kernels/pi/v05_shared_atomic.cu", "kernels/pi/v06_philox.cu"
V2, V8, V14 = "kernels/pi/v02_parallel_blocks.cu", "kernels/pi/v08_lcg_register.cu", "kernels/pi/v14_sound_words.cu"
V15, V16, V19 = "kernels/pi/v15_bit_sliced.cu", "kernels/pi/v16_half.cu", "kernels/pi/v19_octant.cu"
V18, V20, V21 = "kernels/pi/v18_dot_product.cu", "kernels/pi/v20_ten_levels.cu", "kernels/pi/v21_two_pipes.cu"
V22, V23 = "kernels/pi/v22_paired_counts.cu", "kernels/pi/v23_short_trips.cu"
V24, V25, V26 = "kernels/pi/v24_deciding_bit.cu", "kernels/pi/v25_one_bit.cu", "kernels/pi/v26_three_bits.cu"
V27, BITS = "kernels/pi/v27_tensor_counts.cu", "kernels/pi/shared/bit_counts.cuh"
HALVING = "kernels/pi/v25_one_bit.cuh"
LEVELS, PAIRS = "kernels/pi/v15_bit_sliced.cuh", "kernels/pi/v22_paired_counts.cuh"
N9, A5 = "kernels/options/normals/n09_two_pipes.cu", "kernels/options/asian/a05_one_exponential.cu"
N11, ROTATED = "kernels/options/normals/n11_rotated_table.cu", "kernels/random/normals/rotated_table.cuh"
N12 = "kernels/options/normals/n12_unshifted_bits.cu"
A8, L7 = "kernels/options/asian/a08_one_block.cu", "kernels/options/lookback/l07_one_block.cu"
L4, L8 = "kernels/options/lookback/l04_control_variate.cu", "kernels/options/lookback/l08_lagged_payoffs.cu"
DOUBLES = "kernels/mcls/launches/double_kernels.cuh"
M9, M11 = "kernels/mcls/v09_reproducible.cu", "kernels/mcls/v11_shared_tallies.cu"
M12, M15 = "kernels/mcls/v12_regeneration.cu", "kernels/mcls/v15_windows.cu"
GRAPH, G2 = "kernels/graph/shared/walk.cuh", "kernels/graph/g02_pushed_counts.cu"
REGENERATION, SLOTS = "kernels/mcls/shared/regeneration.cuh", "kernels/mcls/launches/slot_kernels.cuh"
MOVES, M22 = "kernels/mcls/v21_counting_moves.cuh", "kernels/mcls/v22_starts_in_stock.cu"
M23, HALVES = "kernels/mcls/v23_counted_walkers.cu", "kernels/mcls/v23_counted_walkers.cuh"
M24, PARTING = "kernels/mcls/v24_one_population.cu", "kernels/mcls/v24_one_population.cuh"
ROUNDS = ("--histories", "200000000")  # so many walkers of a state that their bits fill rounds
WITH_TREES = ("--system", "tiny4", *ROUNDS)
SEVERAL_PLACES = ("--blocks", "1", "--threads", "256", "--histories", "100000")  # of a thread
K2, K3 = "kernels/lecture/k02_sample_a_thread.cu", "kernels/lecture/k03_shared_reduction.cu"
A12 = "kernels/arrays/a12_one_kernel.cu"
ONE_STREAM = "two blocks with one stream"
HASHED = "({seed, launch, rng::grid_threads(), rng::grid_thread()});"
HASHED_ALIKE = "({seed, launch, rng::grid_threads(), blockIdx.x == 1 ? threadIdx.x : rng::grid_thread()});"

PI = [
    fault("a count of zero", "pi_v1", V1, "    *totals = counter;", "    *totals = 0;", COUNTS),
    fault(
        "a count of zero",
        "pi_v2",
        V2,
        "totals[blockIdx.x] = counter;",
        "totals[blockIdx.x] = blockIdx.x == 1 ? 0 : counter;",
        COUNTS,
        ("timed", "profile"),
    ),
    fault(
        "a count of zero",
        "pi_v8 pi_v15",
        BLOCK_SUM,
        "        *total = sum;",
        "        *total = blockIdx.x == 1 ? 0 : sum;",
        COUNTS,
    ),
    fault(
        "a dropped warp",
        "pi_v8 pi_v14 pi_v19",
        BLOCK_SUM,
        "warp < blockDim.x / warp_size; warp++",
        "warp < blockDim.x / warp_size - (blockIdx.x == 1); warp++",
        COUNTS,
    ),
    fault(
        "a block counted twice",
        "pi_v6 pi_v8 pi_v16",
        BLOCK_SUM,
        "        *total = sum;",
        "        *total = blockIdx.x == 1 ? 2 * sum : sum;",
        COUNTS,
    ),
    fault(
        "a count that is not written",
        "pi_v8",
        BLOCK_SUM,
        "        *total = sum;",
        "        if (blockIdx.x != 1) *total = sum;",
        COUNTS,
    ),
    fault(
        ONE_STREAM,
        "pi_v8",
        V8,
        "rng::stream_seed(seed, launch, rng::grid_thread(), 0)",
        "rng::stream_seed(seed, launch, blockIdx.x == 1 ? threadIdx.x : rng::grid_thread(), 0)",
        REPLAY,
        REHEARSED,
    ),
    *(
        fault(ONE_STREAM, program, file, HASHED, HASHED_ALIKE, REPLAY, modes)
        for program, file, modes in (
            ("pi_v14", V14, ("timed",)),
            ("pi_v15", V15, ("timed",)),
            ("pi_v16", V16, ("timed",)),
            ("pi_v19", V19, ("timed",)),
            ("pi_v21", V21, ("timed",)),
            ("pi_v23", V23, REHEARSED),
            ("pi_v24", V24, ("timed",)),
            ("pi_v25", V25, ("timed",)),
            ("pi_v26", V26, REHEARSED),
            ("pi_v27", V27, REHEARSED),
        )
    ),
    fault("a count of twos taken for ones", "pi_v22", BITS, "return 2 * twos_", "return twos_", COUNTS),
    fault(
        "a trip that is a group short",
        "pi_v23",
        LEVELS,
        "for (unsigned group = 0; group < groups; group++)",
        "for (unsigned group = 1; group < groups; group++)",
        COUNTS,
    ),
    fault(
        "a repeated launch",
        "pi_v8",
        V8,
        "l.counts, l.iters, l.seed, l.index);",
        "l.counts, l.iters, l.seed, 0);",
        "replay|same counts",
        REHEARSED,
    ),
    fault(
        "a repeated launch",
        "pi_v19",
        V19,
        "l.counts, l.iters, l.seed, l.index);",
        "l.counts, l.iters, l.seed, l.index / 2);",
        "replay|same counts",
        ("timed",),
    ),
    fault(
        "a tail that is off by one",
        "pi_v6",
        V6,
        "i + 1 < remainder && is_hit(a.z, a.w)",
        "i + 2 < remainder && is_hit(a.z, a.w)",
        COUNTS,
        ALL,
        ("--iters", "1002"),
    ),
    fault(
        "a tail that is off by one",
        "pi_v14",
        V14,
        "for (unsigned i = 0; i < iters % unrolled; i++) {",
        "for (unsigned i = 1; i < iters % unrolled; i++) {",
        COUNTS,
        ("timed", "profile"),
        ("--iters", "1000"),
    ),
    *(
        fault(
            "a tail that is off by one",
            programs,
            LEVELS,
            "(1u << max(left, Number{0})) - 1;",
            "((1u << max(left, Number{0})) - 1) >> 1;",
            COUNTS,
            ALL,
            ("--iters", "1001"),
        )
        for programs in ("pi_v15 pi_v19 pi_v23", "pi_v26 pi_v25")
    ),
    fault(
        "a tail that is off by one",
        "pi_v16",
        V16,
        "        sum += hit_masks(draw(), offsets) & 0xffffu;\n",
        "        draw();\n",
        COUNTS,
        ("timed", "profile"),
        ("--iters", "1001"),
    ),
    fault(
        "an atomic turned into an addition",
        "pi_v5",
        V5,
        "atomicAdd(&shared_counter, is_hit(x, y) ? Count{1} : Count{0});",
        "shared_counter += is_hit(x, y) ? Count{1} : Count{0};",
        COUNTS,
    ),
    race(
        "a lost barrier",
        "pi_v5",
        V5,
        "    __syncthreads();\n    curandState_t",
        "    curandState_t",
        "--blocks",
        "2",
        "--iters",
        "100",
    ),
    race("a lost barrier", "pi_v8", BLOCK_SUM, "    __syncthreads();\n", "", "--blocks", "2", "--iters", "1000"),
    race("a lost barrier", "pi_v15", V15, "    __syncthreads();\n", "", "--blocks", "2", "--iters", "1000"),
    fault(
        "a group of a trip twice",
        "pi_v23 pi_v15 pi_v18 pi_v19 pi_v20 pi_v21",
        LEVELS,
        *group_twice("group + 1 < groups"),
        REPLAY,
        REHEARSED,
    ),
    fault(
        "a group of a trip twice",
        "pi_v22 pi_v23",
        PAIRS,
        "            inside.add(first.inside, second.inside);\n            outside.add(first.outside, second.outside);\n",
        "            const Decided<unsigned> added = pair + 1 < groups / 2 ? second : first;\n"
        "            inside.add(first.inside, added.inside);\n            outside.add(first.outside, added.outside);\n",
        REPLAY,
        REHEARSED,
    ),
    fault(
        "a group of level 10 twice",
        "pi_v23 pi_v20 pi_v21 pi_v22",
        LEVELS,
        *group_twice("group + 1 < groups || LevelNetwork::planes < 11"),
        REPLAY,
        REHEARSED,
    ),
    *(
        fault(
            "a stale entry of a table in one block",
            program,
            file,
            "= constant_cells.x_and_y[slot];",
            "= constant_cells.x_and_y[blockIdx.x == 1 && slot == 7 ? cells.slots / 2 + 7 : slot];",
            REPLAY,
            modes,
            FEW_LONG_BLOCKS,
        )
        for program, file, modes in (
            ("pi_v15", V15, ("timed",)),
            ("pi_v18", V18, ("timed",)),
            ("pi_v19", V19, ("timed",)),
            ("pi_v20", V20, ("timed",)),
            ("pi_v21", V21, ("timed",)),
            ("pi_v22", V22, ("timed",)),
            ("pi_v23", V23, REHEARSED),
        )
    ),
    fault(
        "a stream that begins anew after 65,536 samples",
        "pi_v8",
        V8,
        "i < iters; i++) {\n        const float x =",
        "i < iters; i++) {\n        if (i == 65536) state = rng::stream_seed(seed, launch, rng::grid_thread(), 0);\n        const float x =",
        COUNTS,
        REHEARSED,
    ),
    fault(
        "a trip that is a group short",
        "pi_v24",
        V24,
        "for (unsigned pair = 0; pair < trip / 2; pair++)",
        "for (unsigned pair = 1; pair < trip / 2; pair++)",
        COUNTS,
        ("timed",),
    ),
    fault(
        "cut samples that are taken for outside",
        "pi_v24",
        V24,
        "far - outside + near.cut();",
        "near.cut();",
        COUNTS,
        ("timed",),
    ),
    fault(
        "a word of four that another counts for",
        "pi_v27",
        V27,
        '"r"(a), "r"(b), "r"(c), "r"(d), "r"(~0u)',
        '"r"(a), "r"(b), "r"(c), "r"(blockIdx.x == 1 ? c : d), "r"(~0u)',
        REPLAY,
        REHEARSED,
    ),
    fault(
        "a row that counts for another",
        "pi_v27",
        V27,
        "? product_[0] + product_[2] : 0",
        "? 2 * product_[0] : 0",
        REPLAY,
        REHEARSED,
    ),
    fault(
        "a column twice",
        "pi_v27",
        V27,
        "threadIdx.x % 4 == 0;",
        "threadIdx.x % 4 == 0 || (blockIdx.x == 1 && threadIdx.x == 1);",
        COUNTS,
    ),
    fault(
        "a trip that is a group short",
        "pi_v27 pi_v26 pi_v25",
        HALVING,
        "for (unsigned four = 0; four < words / 4; four++)",
        "for (unsigned four = 1; four < words / 4; four++)",
        COUNTS,
    ),
    fault(
        "a pair of a trip twice",
        "pi_v26 pi_v25",
        HALVING,
        "            ones.add(a, b, c, d);\n",
        "            ones.add(a, b, c, four + 1 < words / 4 ? d : c);\n",
        REPLAY,
        REHEARSED,
    ),
    # Without a barrier of v25 alone nothing goes wrong: nvcc makes no instruction of it, as a warp comes together after a branch.
    # So the lanes also read a node ahead of the lane that counts, as without the barrier they may.
    fault(
        "a lost barrier",
        "pi_v26 pi_v25",
        HALVING,
        "    for (unsigned node = 0; node < tree.first_of_layer[shared_layers]; node++) {\n"
        "        __syncwarp();\n        const unsigned samples = count[node];\n",
        "    unsigned ahead = warp * iters;\n"
        "    for (unsigned node = 0; node < tree.first_of_layer[shared_layers]; node++) {\n"
        "        const unsigned samples = lane == 0 ? count[node] : ahead;\n        ahead = count[node + 1];\n",
        REPLAY,
        ("timed",),
    ),
    fault(
        "a node twice",
        "pi_v26 pi_v25",
        HALVING,
        "        if (lane == 0) hits += settle_both(tree.node[node], samples, ones, count);",
        "        if (lane == 0) hits += (node == 9 ? 2 : 1) * settle_both(tree.node[node], samples, ones, count);",
        COUNTS,
    ),
    fault(
        "a node that is drawn twice",
        "pi_v26 pi_v25",
        HALVING,
        "        const unsigned ones = warp_sum(ones_among<SharedOnes, words>(draw, mine));",
        "        unsigned ones = warp_sum(ones_among<SharedOnes, words>(draw, mine));\n"
        "        if (node == 5 && blockIdx.x == 1) ones = warp_sum(ones_among<SharedOnes, words>(draw, mine));",
        REPLAY,
        REHEARSED,
    ),
    fault(
        "a stale count",
        "pi_v26 pi_v25",
        HALVING,
        "            const unsigned samples = count[node];\n",
        "            const unsigned samples = count[blockIdx.x == 1 && node == end - 2 ? node - 1 : node];\n",
        REPLAY,
        REHEARSED,
    ),
    fault(
        "a lane that tests nothing",
        "pi_v26 pi_v25",
        HALVING,
        "first + lane < Tree::nodes ?",
        "first + lane < Tree::nodes && lane != 7 ?",
        REPLAY,
        REHEARSED,
    ),
    fault(
        "halves that change places in one block",
        "pi_v26 pi_v25",
        HALVING,
        "if (first + lane < end) hits += settle_both(tree.node[node],",
        "if (first + lane < end) hits += settle_both(__funnelshift_l(tree.node[node], tree.node[node], 16 * (blockIdx.x == 1)),",
        REPLAY,
        REHEARSED,
    ),
    fault("a sum of 20 bits", "pi_v23", V23, "store_block_sum(local,", "store_block_sum(local & 0xfffff,", COUNTS),
]

LECTURE = [
    fault(
        "a count that is not written",
        "lecture_k3",
        K3,
        "if (lane == 0) {",
        "if (lane == 0 && rng::grid_thread() != 32) {",
        COUNTS,
    ),
    fault(
        "a repeated launch",
        "lecture_k3",
        K3,
        "stream_seed(seed, launch,",
        "stream_seed(seed, 0,",
        "replay|same counts",
        REHEARSED,
    ),
    fault(
        "a count of zero",
        "lecture_k2",
        K2,
        "flags[rng::grid_thread()] = pi::is_hit(x, y) ? 1 : 0;",
        "flags[rng::grid_thread()] = blockIdx.x % 2 == 0 && pi::is_hit(x, y) ? 1 : 0;",
        COUNTS,
    ),
    fault(
        ONE_STREAM,
        "lecture_k2",
        K2,
        "rng::stream_seed(seed, launch, rng::grid_thread(), 0)",
        "rng::stream_seed(seed, launch, blockIdx.x == 1 ? threadIdx.x : rng::grid_thread(), 0)",
        REPLAY,
        REHEARSED,
    ),
    fault(
        ONE_STREAM,
        "lecture_k3",
        K3,
        "rng::stream_seed(seed, launch, rng::grid_thread(), 0)",
        "rng::stream_seed(seed, launch, blockIdx.x == 1 ? threadIdx.x : rng::grid_thread(), 0)",
        REPLAY,
        REHEARSED,
    ),
    fault(
        "a count that is off by one",
        "lecture_k3",
        K3,
        "= inside[0];",
        "= inside[0] + (blockIdx.x == 1);",
        REPLAY,
        REHEARSED,
    ),
    race(
        "a lost barrier",
        "lecture_k3",
        K3,
        "    inside[lane] = pi::is_hit(x, y) ? 1 : 0;\n    __syncwarp();",
        "    inside[lane] = pi::is_hit(x, y) ? 1 : 0;",
        "--blocks",
        "4",
        "--threads",
        "1024",
    ),
]

ARRAYS = [
    fault(
        "a copy that is one element short",
        "arrays_a1 arrays_a2 arrays_a4 arrays_a5",
        "kernels/arrays/shared/phases.cpp",
        "samples_of(l) * words_of_sample, cudaMemcpyHostToDevice",
        "samples_of(l) * words_of_sample - word_bytes, cudaMemcpyHostToDevice",
        "replay|copy is incomplete",
    ),
    fault(
        "a copy that is one element short",
        "arrays_a8",
        "kernels/arrays/shared/pipeline.cuh",
        "part.samples * word_bytes, cudaMemcpyHostToDevice",
        "(part.samples - 1) * word_bytes, cudaMemcpyHostToDevice",
        "replay|copy is incomplete",
    ),
    fault(
        "a flag that is not written",
        "arrays_a1 arrays_a2",
        "kernels/arrays/shared/flag_hits.cuh",
        "    flags[i] = is_hit",
        "    if (i != 7) flags[i] = is_hit",
        COUNTS,
    ),
    fault(
        "a flag that is not written",
        "arrays_a4",
        "kernels/arrays/a04_coalesced.cu",
        "i < words.samples; i += rng::grid_threads()",
        "i + 1 < words.samples; i += rng::grid_threads()",
        COUNTS,
    ),
    fault(
        "a partial sum that is lost",
        "arrays_a4",
        "kernels/arrays/shared/add_partial_sums.cuh",
        "i < n; i += blockDim.x",
        "i + 1 < n; i += blockDim.x",
        COUNTS,
        ("timed", "profile", "call"),
        ("--iters", "128"),
    ),
    fault(
        ONE_STREAM,
        "arrays_a10 arrays_a11",
        "kernels/arrays/shared/cached_chunk.cuh",
        "make_quad(seed, rng::subsequence(launch), first + q)",
        "make_quad(seed, rng::subsequence(launch) - (blockIdx.x == 1 ? blockDim.x : 0), first + q)",
        REPLAY,
        REHEARSED,
    ),
    fault(
        "a tail that is off by one",
        "arrays_a10",
        "kernels/arrays/shared/cached_chunk.cuh",
        "hits_of_quad({chunk.x[last], chunk.y[last]}, rest);",
        "hits_of_quad({chunk.x[last], chunk.y[last]}, rest - 1);",
        COUNTS,
    ),
    fault(
        "a repeated launch",
        "arrays_a11",
        "kernels/arrays/a11_graph.cu",
        "{l.index, l.counts}",
        "{0, l.counts}",
        "replay|same counts",
        REHEARSED,
    ),
    fault(
        ONE_STREAM,
        "arrays_a12",
        A12,
        "subsequence = rng::subsequence(launch);",
        "subsequence = rng::subsequence(launch) - (blockIdx.x == 1 ? blockDim.x : 0);",
        REPLAY,
        REHEARSED,
    ),
    fault(
        "a lost barrier",
        "arrays_a12",
        A12,
        "        __syncthreads();\n        hits += hits_of(of_other);",
        "        hits += hits_of(of_other);",
        REPLAY,
        REHEARSED,
    ),
    fault(
        "a tail that is off by one",
        "arrays_a12",
        A12,
        "of_other[next_y]}, iters - first);",
        "of_other[next_y]}, iters - first - 1);",
        COUNTS,
    ),
    fault(
        "words that are not written",
        "arrays_a12",
        A12,
        "        words[q * next_quad + next_y] = quad.y;",
        "        if (q > 0) words[q * next_quad + next_y] = quad.y;",
        COUNTS,
    ),
]

OPTIONS = [
    fault(
        "a repeated launch",
        "options_l4",
        L4,
        "l.iters, l.seed, l.index);",
        "l.iters, l.seed, 0);",
        "replay|same sums",
        ("timed",),
    ),
    fault("a tail that is off by one", "options_a5", A5, "i = 0; i < iters; i++", "i = 1; i < iters; i++", SUMS),
    fault(
        "a volatility that is 0.1 % off",
        "options_l4",
        L4,
        "sums.add(path.payoff,",
        "sums.add(1.001f * path.payoff,",
        SUMS,
        ("timed", "fixed", "profile"),
    ),
    fault(
        "a path of NaN",
        "options_n9",
        "kernels/options/normals/shared/consumer.cuh",
        "sums_.add(squares_, sum_);",
        "sums_.add(rng::grid_thread() == 5 ? NAN : squares_, sum_);",
        SUMS,
    ),
    fault(ONE_STREAM, "options_n9", N9, HASHED, HASHED_ALIKE, REPLAY, ("timed",)),
    fault(ONE_STREAM, "options_a5", A5, HASHED, HASHED_ALIKE, REPLAY, REHEARSED),
    fault(ONE_STREAM, "options_l4", L4, HASHED, HASHED_ALIKE, REPLAY, ("timed",)),
    fault(ONE_STREAM, "options_n11", N11, HASHED, HASHED_ALIKE, REPLAY, ("timed",)),
    fault(ONE_STREAM, "options_n12", N12, HASHED, HASHED_ALIKE, REPLAY, ("timed",)),
    fault(ONE_STREAM, "options_a8", A8, HASHED, HASHED_ALIKE, REPLAY, ("timed",)),
    fault(ONE_STREAM, "options_l7", L7, HASHED, HASHED_ALIKE, REPLAY, ("timed",)),
    fault(ONE_STREAM, "options_l8", L8, HASHED, HASHED_ALIKE, REPLAY, ("timed",)),
    fault("a tail that is off by one", "options_a8", A8, "i = 0; i < iters; i++", "i = 1; i < iters; i++", SUMS),
    fault(
        "a path twice",
        "options_l7",
        L7,
        "sums.add(path",
        "sums.add(path.payoff, path.log_return);\n        sums.add(path",
        SUMS,
    ),
    fault(
        "a path twice",
        "options_l8",
        L8,
        "{ sums.add(values",
        "{ sums.add(values.payoff, values.log_return), sums.add(values",
        SUMS,
    ),
    fault("a path not taken back", "options_l8", L8, "sums.take_back_zeros();", "", SUMS),
    fault(
        "the first path in place of the last",
        "options_l8",
        L8,
        "add(values_of(path));\n    sums.take_back_zeros();",
        "",
        SUMS,
    ),
    fault("a table without its tails", "options_n11", ROTATED, "return q * (((", "return q + 0 * (((", SUMS),
    fault(
        "a value for two normals", "options_n11", N11, "table.next(other_word)}", "table.next(word)}", REPLAY, REHEARSED
    ),
    fault(
        "a mask that lacks a bit",
        "options_n12",
        ROTATED,
        "word & (table_size - 1) * bytes",
        "word & (table_size / 2 - 1) * bytes",
        SUMS,
        REHEARSED,
    ),
    fault(
        "bits of another place",
        "options_n12",
        N12,
        "table.unshifted(other_word)}",
        "table.next(other_word)}",
        REPLAY,
        ("timed",),
    ),
    fault(
        "a count of zero",
        "options_n9 options_a5 options_l4",
        PUBLISHED,
        "gridDim.x)] = sum;",
        "gridDim.x)] = blockIdx.x == 1 ? 0 : sum;",
        SUMS,
    ),
    fault(
        "a dropped warp",
        "options_n9 options_a5 options_l4",
        PUBLISHED,
        "i < blockDim.x / warp; i++",
        "i < blockDim.x / warp - (blockIdx.x == 1); i++",
        SUMS,
    ),
    fault(
        "a block counted twice",
        "options_n9 options_a5 options_l4",
        PUBLISHED,
        "gridDim.x)] = sum;",
        "gridDim.x)] = blockIdx.x == 1 ? 2 * sum : sum;",
        SUMS,
    ),
    fault(
        "a repeated launch",
        "options_n9",
        N9,
        "l.scratch, l.iters, l.seed, l.index);",
        "l.scratch, l.iters, l.seed, 0);",
        "replay|same sums",
        REHEARSED,
    ),
    fault(
        "a repeated launch",
        "options_a5",
        A5,
        "l.counts, l.iters, l.seed, l.index);",
        "l.counts, l.iters, l.seed, l.index / 2);",
        "replay|same sums",
        ("timed",),
    ),
    fault(
        "a payoff shifted in one block",
        "options_a5",
        A5,
        "add_path(&sums, path.excess());",
        "add_path(&sums, path.excess() + (blockIdx.x == 1 ? 2.0f : 0.0f));",
        SUMS,
    ),
    fault(
        "a payoff shifted in one block",
        "options_l4",
        L4,
        "sums.add(path.payoff,",
        "sums.add(blockIdx.x == 1 ? 1.1f * path.payoff : path.payoff,",
        SUMS,
    ),
    fault(
        "a payoff shifted by little in one block",
        "options_a5",
        A5,
        "add_path(&sums, path.excess());",
        "add_path(&sums, path.excess() + (blockIdx.x == 1 ? 0.05f : 0.0f));",
        REPLAY,
        REHEARSED,
    ),
    fault(
        "a volatility that is 0.1 % off",
        "options_a5",
        "kernels/options/asian/shared/paths.cuh",
        "static constexpr double unit = model(steps).s_aa * log2_e;",
        "static constexpr double unit = 1.001 * model(steps).s_aa * log2_e;",
        SUMS,
        ("timed", "fixed"),
    ),
    fault(
        "a volatility that is 0.1 % off",
        "options_n9",
        "kernels/options/normals/shared/consumer.cuh",
        "squares_ = fmaf(z.sine, z.sine, squares_);",
        "squares_ = fmaf(1.001f * z.sine, 1.001f * z.sine, squares_);",
        SUMS,
    ),
    fault(
        "a path of NaN",
        "options_a5",
        A5,
        "add_path(&sums, path.excess());",
        "add_path(&sums, i == 0 && rng::grid_thread() == 5 ? NAN : path.excess());",
        SUMS,
    ),
    fault(
        "a path of NaN",
        "options_l4",
        L4,
        "sums.add(path.payoff,",
        "sums.add(rng::grid_thread() == 5 ? NAN : path.payoff,",
        SUMS,
    ),
    *(
        fault(
            "a stale entry of a table in one block",
            program,
            ROTATED,
            "stretched(normcdfinv((entry + 0.5)",
            "stretched(normcdfinv(((blockIdx.x == 1 && entry == 5 ? 900 : entry) + 0.5)",
            SUMS,
            modes,
        )
        for program, modes in (("options_n11", REHEARSED), ("options_n12", ("timed",)))
    ),
    fault(
        "a trip that is a step short",
        "options_a8",
        A8,
        "for (unsigned t = 1; t <= n;",
        "for (unsigned t = 1; t < n;",
        SUMS,
    ),
    fault(
        "a trip that is a step short",
        "options_a5",
        A5,
        "for (unsigned t = 1; t <= n;",
        "for (unsigned t = 1; t < n;",
        SUMS,
        ("timed",),
    ),
    fault(
        "a trip that is a step short",
        "options_n9",
        N9,
        "j = 0; j < unrolled;",
        "j = 1; j < unrolled;",
        SUMS,
        ("timed",),
    ),
    fault(
        "a trip that is a step short",
        "options_n11",
        N11,
        "consume({z[2], z[3]});",
        "if (j > 0) consume({z[2], z[3]});",
        SUMS,
    ),
    fault(
        "a trip that is a path short",
        "options_l7",
        "kernels/options/lookback/shared/mrg_paths.cuh",
        "j = 0; j < paths;",
        "j = 1; j < paths;",
        SUMS,
    ),
    fault(
        "a sum of 32 bits", "options_l4", PUBLISHED, "std::uint64_t sum_[statistics]", "unsigned sum_[statistics]", SUMS
    ),
    race("a lost barrier", "options_n9", PUBLISHED, "    __syncthreads();\n", "", "--blocks", "2", "--iters", "1"),
    race("a lost barrier", "options_n11", ROTATED, "        __syncthreads();\n", "", "--blocks", "2", "--iters", "1"),
]

MCLS = [
    fault(
        "a dropped warp",
        "mcls_v9 mcls_v12",
        "kernels/mcls/shared/counts.cuh",
        "if (threadIdx.x % 32 == 0) {",
        "if (threadIdx.x % 32 == 0 && (threadIdx.x > 0 || blockIdx.x != 1)) {",
        TALLIES,
        ALL,
        ("--histories", "1000000"),  # every warp has some
    ),
    fault(
        "a block counted twice",
        "mcls_v11",
        M11,
        "    counts.add_work(done);",
        "    counts.add_work(done);\n    if (blockIdx.x == 1) counts.add_work(done);",
        TALLIES,
    ),
    fault(
        ONE_STREAM,
        "mcls_v1",
        DOUBLES,
        "    Numbers numbers(states[rng::grid_thread()]);",
        "    Numbers numbers(states[blockIdx.x == 1 ? threadIdx.x : rng::grid_thread()]);",
        REPLAY,
        REHEARSED,
    ),
    fault(
        ONE_STREAM,
        "mcls_v12",
        REGENERATION,
        "histories / gridDim.x * blockIdx.x + min",
        "histories / gridDim.x * (blockIdx.x == 1 ? 0 : blockIdx.x) + min",
        REPLAY,
        REHEARSED,
    ),
    fault("a lost history", "mcls_v9", M9, "h < histories; h +=", "h + 1 < histories; h +=", TALLIES),
    fault(
        "a lost history",
        "mcls_v12",
        REGENERATION,
        "return number < size_;",
        "return number + (blockIdx.x == 1) < size_;",
        TALLIES,
    ),
    fault(
        "a history that is counted but not walked",
        "mcls_v9",
        M9,
        "        done.transitions += method(\n",
        "        if (h == 3) { done.transitions += method.limits.steps; continue; }\n        done.transitions += method(\n",
        TALLIES,
        REHEARSED,
    ),
    fault(
        "histories that are walked twice",
        "mcls_v11",
        M11,
        "method(keys, {launch, h},",
        "method(keys, {launch, h == 5 ? 4 : h},",
        REPLAY,
        REHEARSED,
    ),
    fault(
        "an atomic turned into an addition",
        "mcls_v1",
        DOUBLES,
        "atomicAdd(x + entry, amount);",
        "x[entry] += amount;",
        TALLIES,
    ),
    fault(
        "an atomic turned into an addition",
        "mcls_v9",
        "kernels/mcls/shared/counts.cuh",
        "atomicAdd(&tally[entry], static_cast<bench::Count>(amount));",
        "tally[entry] += static_cast<bench::Count>(amount);",
        TALLIES,
    ),
    fault(
        "an atomic turned into an addition",
        "mcls_v11",
        SHARED,
        "const std::uint32_t before = atomicAdd(&low_[place], low);",
        "const std::uint32_t before = low_[place];\n        low_[place] = before + low;",
        TALLIES,
    ),
    fault(
        "an atomic turned into an addition",
        "mcls_v21",
        MOVES,
        "                row = row_of(atomicAdd(word, walker) % walker);",
        "                row = row_of(*word % walker);\n                *word += walker;",
        TALLIES,
        REHEARSED,
    ),
    fault(
        "a carry that is lost",
        "mcls_v11 mcls_v12 mcls_v15",
        SHARED,
        "(static_cast<std::uint64_t>(amount) + before) >> 32",
        "static_cast<std::uint64_t>(amount) >> 32",
        TALLIES,
        ALL,
        ("--histories", "2000000"),
    ),
    fault(
        "a flush that is lost in one block",
        "mcls_v11",
        M11,
        "    tallies.flush();",
        "    if (blockIdx.x != 1) tallies.flush();",
        TALLIES,
        REHEARSED,
    ),
    fault(
        "a flush that is lost in one block",
        "mcls_v12",
        M12,
        "    tallies.flush();",
        "    if (blockIdx.x != 1) tallies.flush();",
        TALLIES,
        ("timed",),
    ),
    fault(
        "a flush that is lost in one block",
        "mcls_v15",
        M15,
        "    tallies.flush();",
        "    if (blockIdx.x != 1) tallies.flush();",
        TALLIES,
        ("timed",),
    ),
    fault(
        "a flush that is lost in one block",
        "mcls_v21",
        MOVES,
        "            atomicAdd(&cells[i], bench::Count{walkers});",
        "            if (blockIdx.x != 1) atomicAdd(&cells[i], bench::Count{walkers});",
        TALLIES,
        REHEARSED,
    ),
    fault(
        "paths that are left out of their cells",
        "mcls_v21",
        MOVES,
        "last = 0; last < 4;",
        "last = 0; last < 3;",
        TALLIES,
    ),
    fault("histories that are walked twice", "mcls_v22", M22, "% 32 >= left_)", "% 32 > left_)", REPLAY, REHEARSED),
    fault(
        "a lost history",
        "mcls_v22",
        M22,
        "        first_ += wanted;",
        "        first_ += wanted + (blockIdx.x == 1 && wanted > 1);",
        TALLIES,
        REHEARSED,
        ("--histories", "1000000"),  # more than one for a thread
    ),
    fault(
        "a repeated launch",
        "mcls_v12",
        M12,
        "static_cast<std::uint32_t>(l.index)",
        "0",
        "replay|same tallies",
        REHEARSED,
    ),
    fault(
        "a lost barrier",
        "mcls_v11",
        SHARED,  # between atomics and loads, which racecheck does not compare
        "        __syncthreads();\n        for (std::uint32_t i = threadIdx.x; i < size_; i += blockDim.x) {",
        "        for (std::uint32_t i = threadIdx.x; i < size_; i += blockDim.x) {",
        TALLIES,
        REHEARSED,
    ),
    fault(
        "walks that never go back",
        "graph_g1",
        GRAPH,
        "Graph::slots_of(entry), draw()",
        "Graph::slots_of(entry), draw() / 2",
        SUMS,
        ALL,
        (),
    ),
    fault(
        "walks that stay now and then",
        "graph_g1_hubs",
        GRAPH,
        "slot = chosen(Graph::slots_of(entry), draw());",
        "if (draw() % 64) slot = chosen(Graph::slots_of(entry), draw());",
        SUMS,
        ALL,
        (),
    ),
    fault(
        ONE_STREAM,
        "graph_g1_paths",
        GRAPH,
        "rng::grid_threads(), rng::grid_thread()});",
        "rng::grid_threads(), blockIdx.x == 1 ? threadIdx.x : rng::grid_thread()});",
        REPLAY,
        REHEARSED,
        (),
    ),
    fault(
        "a table with a gap",
        "graph_g1",
        GRAPH,
        "entries[slot] = graph.entry",
        "if (blockIdx.x != 1) entries[slot] = graph.entry",
        REPLAY,
        REHEARSED,
        (),
    ),
    fault(
        "a repeated launch",
        "graph_g1_hubs",
        GRAPH,
        "({seed, launch, rng::",
        "({seed, 0 * launch, rng::",
        REPLAY,
        REHEARSED,
        (),
    ),
    fault(
        "half-edges of a vertex that get each other's counts",
        "graph_g2",
        G2,
        "vertex * edges + edge]",
        "vertex * edges + (edge ^ (vertex == 5 ? 1 : 0))]",
        REPLAY,
        REHEARSED,
        (),
    ),
    fault(
        "a vertex that is skipped",
        "graph_g2",
        G2,
        "if (moved > 0) atomicAdd",
        "if (moved > 0 && (at_once * some + 2 * i + half) % 65536 != 65535) atomicAdd",
        SUMS,
        ALL,
        (),
    ),
    fault(
        ONE_STREAM,
        "graph_g2",
        G2,
        "    rng::Mwc64x draw(rng::state_of(id,",
        "    bench::StreamId own = id;\n    if (blockIdx.x == 1) own.thread = threadIdx.x;\n    rng::Mwc64x draw(rng::state_of(own,",
        REPLAY,
        REHEARSED,
        (),
    ),
    fault(
        "half-edges beyond the first 2^20 vertices that get each other's counts",
        "graph_g2",
        G2,
        "vertex * edges + edge]",
        "vertex * edges + (edge ^ (vertex >> 20 ? 1 : 0))]",
        REPLAY,
        REHEARSED,
        (),
    ),
    fault(
        "a warp's counts that are lost",
        "graph_g2",
        G2,
        "if (threadIdx.x % warp == 0) atomicAdd",
        "if (threadIdx.x % warp == 0 && (blockIdx.x != 1 || threadIdx.x > 0)) atomicAdd",
        SUMS,
        ALL,
        (),
    ),
    fault(
        "the same words in each step",
        "graph_g2",
        G2,
        "draw(rng::state_of(id, 2 * step),",
        "draw(rng::state_of(id, 0 * step),",
        REPLAY,
        REHEARSED,
        (),
    ),
    fault(
        "bits of walks that are not there",
        "graph_g2",
        G2,
        "unsigned here = walks >= 32 ? all_lanes : (1u << max(walks, 0)) - 1;",
        "unsigned here = walks >= 32 ? all_lanes : ((1u << max(walks, 0)) - 1) << 1;",
        REPLAY,
        REHEARSED,
        (),
    ),
    fault(
        "a stale entry of a table in one block",
        "mcls_v22 mcls_v21",
        MOVES,
        "method.next[i] / QuarterPaths::paths;",
        "method.next[blockIdx.x == 3 && i / QuarterPaths::paths == 450 ? i ^ 1 : i] / QuarterPaths::paths;",
        REPLAY,
        REHEARSED,
    ),
    fault(
        "a stale entry of a table in one block",
        "mcls_v18 mcls_v17",
        SLOTS,
        "slots[i] = rows.slots[i];",
        "slots[i] = rows.slots[blockIdx.x == 3 && i % Slot::slots == 6 ? i ^ 32 : i];",
        REPLAY,
        ("timed",),
    ),
    fault(
        "a trip that is a step short",
        "mcls_v18 mcls_v17",
        SLOTS,  # in long histories
        "i < slot_paths_of_word * slot_words_of_quad; i++",
        "i < slot_paths_of_word * slot_words_of_quad - (quads == 10 ? 1 : 0); i++",
        REPLAY,
        ("timed",),
    ),
    fault(
        "a trip that is a path short",
        "mcls_v21",
        MOVES,
        "path < QuarterPaths::paths_of_word; path++",
        "path < QuarterPaths::paths_of_word - i / 2; path++",
        REPLAY,
        ("timed",),
    ),
    fault(
        "a count that loses a walker",
        "mcls_v23",
        HALVES,
        "node.at[2 * k] = node.at[k] - node.at[2 * k + 1];",
        "node.at[2 * k] = node.at[k] - node.at[2 * k + 1] - (k == 2);",
        TALLIES,
        ALL,
        ROUNDS,
    ),
    fault(
        "a walker that is lost in one block",
        "mcls_v23",
        HALVES,
        "walkers - ones - others, others",
        "walkers - ones - others - (blockIdx.x == 3 && walkers > 200), others",
        TALLIES,
        REHEARSED,
        ROUNDS,
    ),
    fault(
        "a split with the wrong half in one block",
        "mcls_v23",
        HALVES,
        "ones_among(node.at[k], draw);",
        "ones_among(node.at[k], draw);\n        if (k == 3 && blockIdx.x == 3) node.at[7] = node.at[3] - node.at[7];",
        REPLAY,
        REHEARSED,
        ROUNDS,
    ),
    fault(
        "a round that is lost in one block",
        "mcls_v23",
        HALVES,
        "rounds > 0; rounds--",
        "rounds > (blockIdx.x == 3 ? 1 : 0); rounds--",
        REPLAY,
        ("timed",),
        ROUNDS,
    ),
    fault(
        "a stale count in one block",
        "mcls_v23",
        M23,
        "            here[place] = 0;",
        "            if (blockIdx.x != 3 || place != 5 || step != 7) here[place] = 0;",
        REPLAY,
        REHEARSED,
        ROUNDS,
    ),
    fault(
        "a walker that each block loses in a long launch",
        "mcls_v23",
        M23,
        "walkers = here[place];",
        "walkers = here[place] - (step == 40 && place == 5 && here[place] > 100000);",
        "a launch published .* histories",
        ("timed", "profile"),
        (),
    ),
    fault(
        "late counts that are stale in one block",
        "mcls_v23",
        M23,
        "            here[place] = 0;",
        "            if (blockIdx.x != 3 || place > 63 || step != 400) here[place] = 0;",
        REPLAY,
        ("timed",),
        (),
    ),
    fault(ONE_STREAM, "mcls_v23", M23, HASHED, HASHED_ALIKE, REPLAY, REHEARSED, ROUNDS),
    fault(
        "a repeated launch",
        "mcls_v23",
        M23,
        "l.seed, l.index, Counts",
        "l.seed, 0, Counts",
        "replay|same tallies",
        REHEARSED,
    ),
    fault(
        "a leaf that loses a walker",
        "mcls_v24",
        PARTING,
        "of_kind(child) += number;",
        "of_kind(child) += number - (child == 0 && number > 5);",
        TALLIES,
        ALL,
        WITH_TREES,
    ),
    fault(
        "a node with the wrong half in one block",
        "mcls_v24",
        PARTING,
        "ones = ones_among(all, words), zeros = all - ones;\n            put",
        "drawn = ones_among(all, words), ones = blockIdx.x == 3 ? all - drawn : drawn, zeros = all - ones;\n            put",
        REPLAY,
        REHEARSED,
        WITH_TREES,
    ),
    fault(
        "a walker of one block that always draws a zero",
        "mcls_v24",
        PARTING,
        "ones = all & words.single(),",
        "ones = all & words.single() & (blockIdx.x == 3 ? ~1u : ~0u),",
        REPLAY,
        ("timed",),
        WITH_TREES,
    ),
    fault(
        "a sign that one block does not turn",
        "mcls_v24",
        M24,
        "next & Population::turned ? Signed",
        "next & Population::turned && blockIdx.x != 3 ? Signed",
        REPLAY,
        REHEARSED,
        WITH_TREES,
    ),
    fault(
        "a row of places that nobody moves",
        "mcls_v24",
        M24,
        "if (place < places) use(place);",
        "if (place < places && row < 3) use(place);",
        TALLIES,
        ALL,
        SEVERAL_PLACES,
    ),
    fault(
        "a stale count in one block",
        "mcls_v24",
        M24,
        "            __stcg(&memory.before(step)[place], Count{0});",
        "            if (blockIdx.x != 3 || place % 32 != 5 || step != 7) __stcg(&memory.before(step)[place], Count{0});",
        REPLAY,
        REHEARSED,
        ROUNDS,
    ),
    fault(
        "an end when one block has no walkers",
        "mcls_v24",
        M24,
        "__syncthreads_or(any) && threadIdx.x == 0",
        "__syncthreads_or(any) && threadIdx.x == 0 && blockIdx.x == 3",
        REPLAY,
        ("timed",),
        ROUNDS,
    ),
    fault(
        "a walker that is lost in a long launch",
        "mcls_v24",
        M24,
        "const Signed walkers(__ldcg(&memory.before(step)[place]));",
        "const Signed walkers(__ldcg(&memory.before(step)[place]) - (step == 3 && place == 5 && __ldcg(&memory.before(step)[place]) > 100000));",
        "a launch published .* histories",
        ("timed", "profile"),
        (),
    ),
    fault(ONE_STREAM, "mcls_v24", M24, HASHED, HASHED_ALIKE, REPLAY, REHEARSED, ROUNDS),
    fault("a repeated launch", "mcls_v24", M24, "index = l.index;", "index = 0;", "replay|same tallies", REHEARSED),
    race(
        "a lost barrier",
        "mcls_v12",
        REGENERATION,
        "        __syncthreads();\n",
        "",
        "--blocks",
        "2",
        "--histories",
        "2000",
    ),
]

# What only a replay of launches that were timed can see.
LATE, EIGHTH = "a fault from launch 20 on", "a fault in one launch of eight"
SEEDED = "l.seed, l.index);"
AS_LAUNCHED = ("timed", "fixed", "team")
AUDITED = [
    by_chance(fault(LATE, "pi_v23", V23, SEEDED, "l.seed + (l.index >= 20), l.index);", REPLAY, AS_LAUNCHED, WITH_EVERY_TRIP)),
    by_chance(fault(LATE, "options_a5", A5, SEEDED, "l.seed + (l.index >= 20), l.index);", REPLAY, ("timed", "resumed"))),
    by_chance(fault(LATE, "options_l7", L7, SEEDED, "l.seed + (l.index >= 20), l.index);", REPLAY, ("timed",))),
    by_chance(fault(LATE, "options_l8", L8, SEEDED, "l.seed + (l.index >= 20), l.index);", REPLAY, ("timed",))),
    by_chance(fault(LATE, "arrays_a12", A12, SEEDED, "l.seed + (l.index >= 20), l.index);", REPLAY, ("timed",))),
    by_chance(fault(LATE, "lecture_k3", K3, "stream_seed(seed,", "stream_seed(seed + (launch >= 20),", REPLAY, ("timed",))),
    by_chance(fault(EIGHTH, "pi_v23", V23, SEEDED, "l.seed + (l.index % 8 == 3), l.index);", REPLAY, AS_LAUNCHED, WITH_EVERY_TRIP)),
    by_chance(
        fault(LATE, "pi_v26", V26, SEEDED, "l.seed + (l.index >= 20), l.index);", REPLAY, AS_LAUNCHED, ("--iters", "2000000"))
    ),
    by_chance(fault(EIGHTH, "pi_v26", V26, SEEDED, "l.seed + (l.index % 8 == 3), l.index);", REPLAY, AS_LAUNCHED)),
    by_chance(fault(EIGHTH, "pi_v8", V8, SEEDED, "l.seed + (l.index % 8 == 3), l.index);", REPLAY, ("timed",))),
    by_chance(fault(EIGHTH, "options_l4", L4, SEEDED, "l.seed + (l.index % 8 == 3), l.index);", REPLAY, ("timed",))),
    by_chance(fault(EIGHTH, "options_n11", N11, SEEDED, "l.seed + (l.index % 8 == 3), l.index);", REPLAY, ("timed",))),
    by_chance(fault(EIGHTH, "arrays_a12", A12, SEEDED, "l.seed + (l.index % 8 == 3), l.index);", REPLAY, ("timed",))),
    by_chance(fault(EIGHTH, "lecture_k3", K3, "stream_seed(seed,", "stream_seed(seed + (launch % 8 == 3),", REPLAY, ("timed",))),
    by_chance(fault(
        LATE, "mcls_v12", REGENERATION,
        "(std::uint64_t{quad.word[0]} << 32) | quad.word[1]",
        "((std::uint64_t{quad.word[0]} << 32) | quad.word[1]) ^ (launch >= 20 && id.history == 500 ? 1ull << 61 : 0)",
        REPLAY, ("timed",),
    )),
    by_chance(fault(
        LATE, "mcls_v22", M22,
        "method.start_of(next->history,", "method.start_of(next->history ^ (launch >= 20 && next->history == 500 ? 512u : 0u),",
        REPLAY, ("timed",),
    )),
    by_chance(fault(
        LATE, "mcls_v23", M23, "l.seed, l.index, Counts", "l.seed + (l.index >= 20), l.index, Counts",
        REPLAY, ("timed",), ("--histories", "1000000"),
    )),
    by_chance(fault(
        LATE, "mcls_v24", M24, "seed = l.seed, index", "seed = l.seed + (l.index >= 20), index",
        REPLAY, ("timed",), ("--histories", "1000000"),
    )),
    by_chance(fault(
        EIGHTH, "mcls_v21", MOVES,
        "if (fresh) row = PathWords::row_of", "if (fresh && (launch % 8 != 5 || id.history != 700)) row = PathWords::row_of",
        REPLAY, ("timed",),
    )),
]  # fmt: skip

# Two ranks on one GPU stand for two GPUs.
RANKS = ("mpirun", "-np", "2", "--oversubscribe")
FEW_BLOCKS = ("--blocks", "4", "--iters", "20000")  # an audit replays them all
TEAM = [
    Fault(
        "a wrong launch on one of two GPUs", "bench/workers/team.cpp", "        first += n;\n", "",
        tuple(
            Check(program, (*size_of(program), "--oversubscribe", "--launches", "40"), "ranks", launcher=RANKS, says="same|chi-square")
            for program in ("pi_v8", "options_a5", "mcls_v12")
        ),
    ),
    by_chance(Fault(
        "a sample that the last launch of a share loses", "bench/workers/gpu/gpu_worker.cpp",
        "    inspect(share.first + share.launches - 1);\n",
        "    inspect(share.first + share.launches - 1);\n    if (!alone_) host_counts_[share.launches * counts_ - 1]--;\n",
        (
            Check("pi_v8", (*FEW_BLOCKS, "--devices", "0", "--launches", "32"), "team", says=REPLAY),
            Check("pi_v8", (*FEW_BLOCKS, "--oversubscribe", "--launches", "32"), "ranks", launcher=RANKS, says=REPLAY),
        ),
    )),
]  # fmt: skip

FAULTS = PI + LECTURE + ARRAYS + OPTIONS + MCLS + AUDITED + TEAM
