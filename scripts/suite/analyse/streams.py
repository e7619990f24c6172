"""The streams of random words to test."""

from typing import NamedTuple

SEED = 1234
STREAM_COUNTS = (1, 1024)  # one thread alone, and threads that run together
START_UP = (2**24, 8)  # threads, and samples of each: the first draws after a lagged generator's hashed initial state
REFERENCE = "philox"  # must not fail any test with any seed
REFERENCE_SEEDS = range(1, 11)


class Stream(NamedTuple):
    """The interleaved words of streams threads. lanes: the words are the 32 lanes of bit planes.

    iters: thread by thread instead of interleaved, with this many samples of each.
    """

    source: str
    streams: int
    lanes: bool = False
    seed: int = SEED
    iters: int | None = None


def stream_of(record):
    """The stream of a record."""
    return Stream(*(record[field] for field in Stream._fields))


def streams_of_rows(rows):
    """The streams of every source, each set of words once."""
    return [stream for row in rows if row["words_of"] == row["source"] for stream in streams_of_words(row)]


def streams_of_words(row):
    """The streams of a source's words. For a lagged generator lanes test each bit alone."""
    by_bit = row["bit_planes"] or row["lagged"]
    in_turn = [Stream(row["source"], count, lanes) for lanes in (False, True)[: 1 + by_bit] for count in STREAM_COUNTS]
    threads, iters = START_UP
    return in_turn + ([Stream(row["source"], threads, iters=iters)] if row["lagged"] else [])


def reference_streams():
    """The reference with other seeds."""
    return [Stream(REFERENCE, STREAM_COUNTS[-1], seed=seed) for seed in REFERENCE_SEEDS]


def of_many_threads(source):
    """The stream whose hash identifies the words of a source."""
    return Stream(source, STREAM_COUNTS[-1])
