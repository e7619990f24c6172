"""The battery of tests of random numbers, quality.json, and what suite_quality prints."""

from suite.documents.kinds import Kind

DISPERSION_TESTS = {
    "p_mean": "mean of the hits",
    "p_variance": "variance of the hits",
    "p_histogram": "distribution of the hits",
    "p_neighbours": "neighbouring streams' hits",
}
SERIAL_TESTS = {"xy": "pairs x, y", "neighbours": "pairs of neighbours"}

# What suite_quality --words-only prints; what suite_quality prints, which tests samples, too; and what is stored.
OF_WORDS, MEASURED, DOCUMENT = (
    Kind("quality", definition, "rows", ("source",)) for definition in ("quality_words", "quality_measured", "quality")
)
