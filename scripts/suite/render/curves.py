"""Curves of a chart that lie on each other: they are drawn once, with the names of all."""

NEAR = 1.1  # the ratio of two figures that are one point on a logarithmic axis


def near(a, b):
    """Whether two positive figures are drawn at the same place."""
    return max(a, b) <= NEAR * min(a, b)


def together(curves, alike):
    """Groups of curves, in order. Those of a group are like its first one."""
    groups = []
    for curve in curves:
        group = next((group for group in groups if alike(group[0], curve)), None)
        if group is None:
            groups.append(group := [])
        group.append(curve)
    return groups
