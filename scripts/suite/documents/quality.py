"""The battery of tests of random numbers, quality.json, and what pi_quality prints."""

from suite.documents import checks, files

DISPERSION_TESTS = {
    "p_mean": "mean of the hits",
    "p_variance": "variance of the hits",
    "p_histogram": "distribution of the hits",
    "p_neighbours": "neighbouring streams' hits",
}
SERIAL_TESTS = {"xy": "pairs x, y", "neighbours": "pairs of neighbours"}


def load(path):
    """The stored battery at path, checked."""
    return files.load(path, check)


def check(document):
    """Refuse what is no stored battery."""
    check_measured(document)
    parts = {"tools": (dict,), "thresholds": (dict,), "philox_seeds": (list,)}
    checks.check_fields(document, parts | {"gpu": (dict, type(None)), "full": (dict, type(None))}, "the document")
    for row in document["rows"]:
        checks.check_fields(row, {"streams": (list,), "verdict": (str, type(None))}, row["source"])
        check_streams(row["streams"], row["source"])
    check_streams(document["philox_seeds"], "philox_seeds")
    if document["gpu"] is not None:
        check_gpu(document["gpu"])
    if document["full"] is not None:
        check_full(document["full"])


def check_measured(document):
    """Refuse what is not a document of pi_quality."""
    check_words_measured(document)
    for row in document["rows"]:
        check_suite(row)


def check_words_measured(document):
    """Refuse what is not a document of pi_quality --words-only."""
    checks.check_head(document, "rows")
    checks.check_fields(document, {"sizes": (dict,)}, "the document")
    for row in document["rows"]:
        check_row(row)


def check_row(row):
    checks.check_fields(row, {"source": (str,)}, "a row")
    number, count = (int, float), (int,)
    fields = {
        "generator": (str,), "versions": (list,), "soundness": (str, type(None)), "words_of": (str,),
        "bit_planes": (bool,), "lagged": (bool,), "bias": number, "bias_samples": (*number, type(None)),
        "cycle_samples": number, "linear": (dict, type(None)), "differences": (list, type(None)),
        "parities": (list, type(None)),
    }  # fmt: skip
    checks.check_fields(row, fields, row["source"])
    p = (*number, type(None))
    for found in row["differences"] or []:
        checks.check_fields(found, {"p": p}, f"{row['source']}.differences")
    for found in row["parities"] or []:
        window = {"first": count, "bits": count, "p": p, "p_largest": p}
        checks.check_fields(found, window, f"{row['source']}.parities")
    if row["linear"] is not None:
        checks.check_fields(row["linear"], {"linear_bits": (list,), "complexity": (list,)}, f"{row['source']}.linear")


def check_suite(row):
    """Check what the suite's own tests say in a row."""
    where = row["source"]
    checks.check_fields(row, {"dispersion": (dict,), "serial": (dict,)}, where)
    number = (int, float)
    p_values = dict.fromkeys(DISPERSION_TESTS, (*number, type(None)))
    fields = p_values | {"variance_ratio": number, "variance_sd": number}
    checks.check_fields(row["dispersion"], fields, f"{where}.dispersion")
    checks.check_fields(row["serial"], dict.fromkeys(SERIAL_TESTS, (dict,)), f"{where}.serial")
    for name in SERIAL_TESTS:
        checks.check_fields(row["serial"][name], {"p": (*number, type(None))}, f"{where}.serial.{name}")


def check_streams(streams, where):
    fields = {
        "source": (str,), "streams": (int,), "lanes": (bool,), "seed": (int,), "iters": (int, type(None)),
        "words_sha256": (str,), "dieharder": (list,),
    }  # fmt: skip
    for stream in streams:
        checks.check_fields(stream, fields, f"a stream of {where}")
        for record in stream["dieharder"]:
            check_record(record, f"a test of {where}")


def check_record(record, where):
    fields = {"test": (str,), "ntuple": (int,), "tsamples": (int,), "psamples": (int,), "p": (int, float, type(None)), "assessment": (str,)}
    checks.check_fields(record, fields, where)


def check_gpu(gpu):
    checks.check_fields(gpu, {"context": (dict,), "sizes": (dict,), "rows": (list,)}, "gpu")
    for row in gpu["rows"]:
        checks.check_fields(row, {"source": (str,), "words_sha256": (str,)}, "a row of gpu")
        check_suite(row)


def check_full(full):
    checks.check_fields(full, {"streams": (list,)}, "full")
    check_streams(full["streams"], "full")
