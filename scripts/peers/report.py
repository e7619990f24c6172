"""What all peers do alike: find their package, warm up, time launches, print the result.

The result is one JSON object: peer, package, generator, samples_per_launch, ms
(of each timed launch), and hits and samples of all of these together. Without
the package, or a GPU that it can use, there is one line on stderr and exit code 3.
"""

import importlib
import json
import sys
import time

MISSING = 3
WARM_UP_S, WARM_UPS = 1, 3  # at least so long, and so many launches: code is compiled, clocks rise
TIMED = 25


def require(name):
    """The package of this name; leaves if it is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise  # it is there, and broken
        leave(f"{name} is not installed")


def leave(reason):
    """End, because there is nothing to be measured with."""
    print(reason, file=sys.stderr)
    sys.exit(MISSING)


def measure(time_launch, **facts):
    """Time launches and print what comes of it; time_launch(number) makes one, and returns its ms and its hits."""
    first = warm_up(time_launch)
    ms, hits = zip(*map(time_launch, range(first, first + TIMED)))
    samples = TIMED * facts["samples_per_launch"]
    print(json.dumps(facts | {"ms": ms, "hits": sum(hits), "samples": samples}))


def warm_up(time_launch):
    """Launch for a while; returns how many times."""
    end, launches = time.monotonic() + WARM_UP_S, 0
    while launches < WARM_UPS or time.monotonic() < end:
        time_launch(launches)
        launches += 1
    return launches


def between_events(launch, event, elapsed):
    """A time_launch by two events on the GPU; launch(number) enqueues everything and returns the hits, still there."""

    def time_launch(number):
        start, end = event(), event()
        start.record()
        hits = launch(number)
        end.record()
        end.synchronize()
        return elapsed(start, end), int(hits)

    return time_launch
