"""Code that all peers share: find the package, warm up, time launches, print the result.

The result is one JSON object: peer, package, generator, samples_per_launch (units of
work), ms (of each timed launch), and of these launches the total hits and samples; or,
of a mean, its estimate with its standard deviation and how many numbers it is of.
Without the package, or without a GPU that it can use, a peer prints one line on
stderr and exits with code 3.
"""

import importlib
import json
import math
import sys
import time

MISSING = 3
WARM_UP_S, WARM_UPS = 1, 3  # least seconds and launches of the warm-up: code is compiled, clocks rise
TIMED = 25
NORMALS = 2**28  # of a launch of a peer that makes normals


def require(name):
    """The package of this name; leaves if it is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not f"{name}.".startswith(f"{error.name}."):
            raise  # the package is installed but broken
        leave(f"{name} is not installed")


def package_of_arrays():
    """What the peers in the package share that the first argument names: cupy or torch."""
    return importlib.import_module(f"on_{sys.argv[1]}")


def leave(reason):
    """Exit, because this machine cannot run the peer."""
    print(reason, file=sys.stderr)
    sys.exit(MISSING)


def measure(time_launch, **facts):
    """Time launches and print the result; time_launch(number) runs one launch and returns its ms and hits."""
    ms, hits = timed(time_launch)
    samples = TIMED * facts["samples_per_launch"]
    print(json.dumps(facts | {"ms": ms, "hits": sum(hits), "samples": samples}))


def measure_mean(time_launch, numbers_per_launch, **facts):
    """The same for a mean; time_launch returns ms, the sum of the launch's numbers, and the sum of their squares."""
    ms, sums, squares = timed(time_launch)
    numbers = TIMED * numbers_per_launch
    mean = math.fsum(sums) / numbers
    variance = math.fsum(squares) / numbers - mean**2
    print(json.dumps(facts | {"ms": ms, "estimate": mean, "sd": math.sqrt(variance / numbers), "numbers": numbers}))


def timed(time_launch):
    """What the launches after the warm-up gave, a list for each value."""
    first = warm_up(time_launch)
    return [list(values) for values in zip(*map(time_launch, range(first, first + TIMED)))]


def warm_up(time_launch):
    """Launch for a while; returns the number of launches."""
    end, launches = time.monotonic() + WARM_UP_S, 0
    while launches < WARM_UPS or time.monotonic() < end:
        time_launch(launches)
        launches += 1
    return launches


def between_events(event, elapsed, launch, values=lambda hits: (int(hits),)):
    """A time_launch that uses two events on the GPU; launch(number) enqueues the work and returns a result on the GPU.

    values makes of the result what time_launch returns beside the ms; it is not timed.
    """

    def time_launch(number):
        start, end = event(), event()
        start.record()
        result = launch(number)
        end.record()
        end.synchronize()
        return elapsed(start, end), *values(result)

    return time_launch
