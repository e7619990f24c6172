"""What the peers that store normals in arrays share: 2^28 normals a launch, whose squares are added up untimed."""

import report

NORMALS = 2**28


def measure(launch, event, elapsed, sums, **facts):
    """Print the mean square of the normals; sums(array) gives the sums of squares and of fourth powers."""
    report.measure_mean(
        report.between_events(launch, event, elapsed, lambda array: map(float, sums(array))),
        NORMALS,
        samples_per_launch=NORMALS,
        **facts,
    )
