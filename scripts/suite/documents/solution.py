"""What runs of random walks say that estimate the solution of a linear system."""


def seconds_to_1pct(run):
    """Time to a relative error of 1 %; None if the variance is infinite or not known."""
    merit = run["outcome"]["merit"]
    return merit["transitions_to_1pct"] / run["per_ns"]["median"] / 1e9 if merit else None


def measured_seconds_to_1pct(run):
    """The same, but not less than a launch of the run takes."""
    seconds = seconds_to_1pct(run)
    launch = run["problem"]["histories"] * run["outcome"]["length"]["mean"] / run["per_ns"]["median"] / 1e9
    return seconds and max(seconds, launch)


def is_judged_in_part(run):
    """Whether the verdict is on some entries only."""
    judged = run["outcome"]["judged_entries"]
    return judged is not None and judged < run["outcome"]["entries"]


def has_estimate(run):
    return run["outcome"]["no_estimate"] is None
