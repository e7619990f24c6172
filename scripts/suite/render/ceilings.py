"""Lines of a chart of steps: the rates that a path of bytes allows."""

from suite import numerals


def of_bytes(device, ladder):
    """The rates that paths of bytes allow, by their texts; none where a path was not measured."""
    gbps = device.gbps
    return {text: gbps[name] / count for text, (name, count) in ladder.ceilings.items() if name in gbps}


def lines(ceilings):
    return [
        {"label": f"{text}: {numerals.three_digits(rate)}", "rate": numerals.six_digits(rate)}
        for text, rate in ceilings.items()
    ]
