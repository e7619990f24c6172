"""The battery of tests of random numbers, quality.json, and what pi_quality prints."""

from suite.documents.checks import COUNT, FLAG, LIST, NUMBER, RECORD, TEXT, Maybe
from suite.documents.document import Document

DISPERSION_TESTS = {
    "p_mean": "mean of the hits",
    "p_variance": "variance of the hits",
    "p_histogram": "distribution of the hits",
    "p_neighbours": "neighbouring streams' hits",
}
SERIAL_TESTS = {"xy": "pairs x, y", "neighbours": "pairs of neighbours"}


P = Maybe(NUMBER)  # of a test that may have found nothing to test

# A row of pi_quality --words-only; what pi_quality adds, which tests samples, too; and a row as it is stored.
WORDS = {
    "source": TEXT, "generator": TEXT, "versions": LIST, "soundness": Maybe(TEXT), "words_of": TEXT,
    "bit_planes": FLAG, "lagged": FLAG, "bias": NUMBER, "bias_samples": Maybe(NUMBER), "cycle_samples": NUMBER,
    "linear": Maybe({"linear_bits": LIST, "complexity": LIST}), "differences": Maybe([{"p": P}]),
    "parities": Maybe([{"first": COUNT, "bits": COUNT, "p": P, "p_largest": P}]),
}  # fmt: skip
SAMPLES = {
    "dispersion": dict.fromkeys(DISPERSION_TESTS, P) | {"variance_ratio": NUMBER, "variance_sd": NUMBER},
    "serial": dict.fromkeys(SERIAL_TESTS, {"p": P}),
}
DIEHARDER = {
    "test": TEXT, "ntuple": COUNT, "tsamples": COUNT, "psamples": COUNT, "p": P, "assessment": TEXT,
}  # fmt: skip
STREAM = {
    "source": TEXT, "streams": COUNT, "lanes": FLAG, "seed": COUNT, "iters": Maybe(COUNT), "words_sha256": TEXT,
    "dieharder": [DIEHARDER],
}  # fmt: skip
# A run of another battery on the words of a source. PractRand lists only results that it finds notable.
BATTERY = {
    "battery": TEXT, "source": TEXT, "form": TEXT, "streams": COUNT, "words_sha256": TEXT, "version": Maybe(TEXT),
    "bytes": COUNT, "count": COUNT, "results": [{"test": TEXT, "p": P, "assessment": TEXT}],
}  # fmt: skip
ON_GPU = {"context": RECORD, "sizes": RECORD, "rows": [{"source": TEXT, "words_sha256": TEXT} | SAMPLES]}

OF_WORDS = Document("rows", WORDS, key=("source",), fields={"sizes": RECORD})
MEASURED = OF_WORDS._replace(row=WORDS | SAMPLES)
DOCUMENT = MEASURED._replace(
    row=WORDS | SAMPLES | {"streams": [STREAM], "verdict": Maybe(TEXT)},
    fields={
        "sizes": RECORD, "tools": RECORD, "thresholds": RECORD, "philox_seeds": [STREAM], "batteries": [BATTERY],
        "gpu": Maybe(ON_GPU), "full": Maybe({"streams": [STREAM]}),
    },
)  # fmt: skip
