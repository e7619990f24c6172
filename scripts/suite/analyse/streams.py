"""Streams of random words: which are tested."""

from typing import NamedTuple

SEED = 1234
STREAM_COUNTS = (1, 1024)  # what one thread draws, and what threads draw that run together
START_UP = (2**24, 8)  # threads, and samples of each: the draws next to the hashed state that a lagged generator starts in
REFERENCE = "philox"  # must not fail anywhere, whatever the seed
REFERENCE_SEEDS = range(1, 11)


class Stream(NamedTuple):
    """The words of so many threads in turn; lanes: of the 32 lanes of their bit planes.

    iters: not in turn, but the first so many samples of each thread, then those of the next.
    """

    source: str
    streams: int
    lanes: bool = False
    seed: int = SEED
    iters: int | None = None


def stream_of(record):
    """The stream that a record is of."""
    return Stream(*(record[field] for field in Stream._fields))


def streams_of_rows(rows):
    """The streams of every source that has words of its own."""
    return [stream for row in rows if row["words_of"] == row["source"] for stream in streams_of_words(row)]


def streams_of_words(row):
    """The streams of the words of a source. Lanes tell bit by bit what the words of a lagged generator are."""
    by_bit = row["bit_planes"] or row["lagged"]
    in_turn = [Stream(row["source"], count, lanes) for lanes in (False, True)[: 1 + by_bit] for count in STREAM_COUNTS]
    threads, iters = START_UP
    return in_turn + ([Stream(row["source"], threads, iters=iters)] if row["lagged"] else [])


def reference_streams():
    """The reference with other seeds."""
    return [Stream(REFERENCE, STREAM_COUNTS[-1], seed=seed) for seed in REFERENCE_SEEDS]


def of_many_threads(source):
    """The stream by whose hash the words of a source are known, whoever tested them."""
    return Stream(source, STREAM_COUNTS[-1])
