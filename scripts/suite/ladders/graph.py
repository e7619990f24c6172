"""The ladder graph: random walks on a graph that fits in no cache."""

from suite.ladder import MEANS, Ladder

LADDER = Ladder(
    suite="graph",
    place=8,
    prefix="graph",
    letter="g",
    unit="step",
    outcome=MEANS,
    other_words={"g1_paths": 0.5},
    question="How fast can random walks go on a graph that fits in no cache?",
    about="""Rates are in steps per nanosecond. One step takes a walk from a vertex to the other end of one of its edges, drawn at random.""",
    first="g1",
    sections=("steps", "ablations", "profile"),
    charts={},
)
