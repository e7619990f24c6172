"""Numbers as text for people, and their rounding."""

import math

YEAR_S = 365.25 * 86400
# Units, largest first: name, seconds, and the shortest time shown in it.
UNITS = (
    ("years", YEAR_S, YEAR_S), ("d", 86400, 86400), ("h", 3600, 3600), ("min", 60, 60), ("s", 1, 0.1),
    ("ms", 1e-3, 1e-3), ("µs", 1e-6, 0),
)  # fmt: skip
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def power_of_ten(value):
    """The power of ten nearest to a value: 10⁶."""
    return f"10{str(round(math.log10(value))).translate(SUPERSCRIPTS)}"


def rate_text(rate):
    """A rate with its interval, such as '1,206.3 [1,205.9, 1,206.8]'."""
    median, low, high = rate_parts(rate)
    return f"{median} [{low}, {high}]"


def rate_parts(rate):
    """The median of a rate and the ends of its interval, as rate_text has them."""
    return [with_decimals_of(rate, rate[name]) for name in ("median", "low", "high")]


def with_decimals_of(rate, value):
    """A value with as many decimals as rate_text gives to a rate."""
    return f"{value:,.{_decimals(rate)}f}"


def median_text(rate):
    """The median of a rate, for where no interval stands beside it: no decimals after the third digit."""
    return f"{rate['median']:,.{max(0, 2 - magnitude(rate['median']))}f}"


def _decimals(rate):
    """Decimals down to the first digit of the interval's half width, but 3 to 5 significant digits."""
    half_width = (rate["high"] - rate["low"]) / 2
    digits = 5
    if half_width > 0:
        digits = magnitude(rate["median"]) - magnitude(half_width) + 1
    return max(0, min(max(digits, 3), 5) - 1 - magnitude(rate["median"]))


def magnitude(value):
    """The power of ten of the first digit of a positive number: 3 for 1206.3."""
    return math.floor(math.log10(value))


def three_digits(value):
    return _to_digits(value, 3) if value > 0 else f"{value:g}"


def four_digits(value):
    """Four significant digits, including trailing zeros."""
    return _to_digits(value, 4)


def _to_digits(value, count):
    """A positive number to so many significant digits."""
    rounded = float(f"{value:.{count - 1}e}")  # 0.09999 is 0.100, with a digit more before its decimals
    return f"{rounded:,.{max(0, count - 1 - magnitude(rounded))}f}"


def percent_text(value):
    """A percentage without the % sign, to about two digits."""
    if 0 < value < 0.1:
        return "< 0.1"
    return f"{value:.0f}" if value >= 10 or value == 0 else f"{value:.1f}"


def bytes_text(count):
    """A size in bytes: 512 MiB, 16 GiB."""
    unit, name = next(
        (pair for pair in ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB")) if count >= pair[0]), (2**10, "KiB")
    )
    return f"{count / unit:.3g} {name}"


def ratio_text(value):
    """A ratio of variances: 1.00, 0.198, 0.0129, 2.0 × 10⁻⁵."""
    return scientific(value) if 0 < value < 1e-3 else three_digits(value)


def scientific(value, digits=2):
    """A number in scientific notation: 4.1 × 10⁴."""
    return with_power(f"{value:.{digits - 1}e}")


def with_power(text):
    """A number as Python writes it, an exponent as a power of ten: 4.1 × 10⁴ for 4.1e+04."""
    factor, exponent, power = text.partition("e")
    return f"{factor} × 10{str(int(power)).translate(SUPERSCRIPTS)}" if exponent else text


def with_sd(value, sd, digits):
    """A value and its standard deviation, both to so many digits of that: 1.003 ± 0.004 to one."""
    decimals = max(0, digits - 1 - magnitude(sd)) if sd > 0 else 4
    return f"{value:,.{decimals}f} ± {sd:.{decimals}f}"


def six_digits(value):
    """A number rounded to six significant digits. They are the same on every machine, even after a logarithm."""
    return float(f"{value:.6g}")


def duration(seconds):
    """A time with two digits and a unit: 17 µs, 0.19 s, 1.5 h."""
    unit, size = next((unit, size) for unit, size, first in UNITS if float(f"{seconds / size:.1e}") >= first / size)
    return f"{_to_digits(seconds / size, 2)} {unit}"
