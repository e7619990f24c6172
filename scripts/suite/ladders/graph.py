"""The ladder graph: random walks on a graph that fits in no cache."""

from suite.ladder import MEANS, SOLUTION, Ladder

LADDER = Ladder(
    suite="graph",
    place=8,
    prefix="graph",
    letter="g",
    unit="step",
    outcome=MEANS,
    other_outcomes={"g2": SOLUTION},
    with_options={f"g2_walks{walks}": ("g2", "--walks", f"{walks}") for walks in (2**28, 2**31)},
    other_words={"g1_paths": 0.5, "g2": 0.25, "g2_walks268435456": 1},
    question="How fast can random walks go on a graph that fits in no cache?",
    about="""Rates are in steps per nanosecond. One step takes a walk from a vertex to the other end of one of its edges, drawn at random.
g2 moves 2³⁰ walks at once, 64 a vertex, and its ablations as many as their names say: the more, the faster.""",
    spread="10 %",
    scaling=("g2",),
    first="g1",
    sections=("steps", "ablations", "profile"),
)
