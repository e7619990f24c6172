"""Code that all peers share: find the package, warm up, time launches, print the result.

The result is one JSON object: peer, package, generator, samples_per_launch, ms
(of each timed launch), and the total hits and samples of these launches. Without
the package, or without a GPU that it can use, a peer prints one line on stderr
and exits with code 3.
"""

import importlib
import json
import sys
import time

MISSING = 3
WARM_UP_S, WARM_UPS = 1, 3  # least seconds and launches of the warm-up: code is compiled, clocks rise
TIMED = 25


def require(name):
    """The package of this name; leaves if it is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise  # the package is installed but broken
        leave(f"{name} is not installed")


def leave(reason):
    """Exit, because this machine cannot run the peer."""
    print(reason, file=sys.stderr)
    sys.exit(MISSING)


def measure(time_launch, **facts):
    """Time launches and print the result; time_launch(number) runs one launch and returns its ms and hits."""
    first = warm_up(time_launch)
    ms, hits = zip(*map(time_launch, range(first, first + TIMED)))
    samples = TIMED * facts["samples_per_launch"]
    print(json.dumps(facts | {"ms": ms, "hits": sum(hits), "samples": samples}))


def warm_up(time_launch):
    """Launch for a while; returns the number of launches."""
    end, launches = time.monotonic() + WARM_UP_S, 0
    while launches < WARM_UPS or time.monotonic() < end:
        time_launch(launches)
        launches += 1
    return launches


def between_events(launch, event, elapsed):
    """A time_launch that uses two events on the GPU; launch(number) enqueues the work and returns the hits on the GPU."""

    def time_launch(number):
        start, end = event(), event()
        start.record()
        hits = launch(number)
        end.record()
        end.synchronize()
        return elapsed(start, end), int(hits)

    return time_launch
