"""What results/ holds: the files of each device, and runs on several GPUs, read and checked."""

from typing import NamedTuple

from suite.documents import kinds, records
from suite.documents.schema import ResultError

BASE = "nvidia-h200"  # the folder of the device that comes first, and with which others are compared
LIKE_BASE = "nvidia-h100-80gb-hbm3"  # of a device with nearly the same rates: a column, where only its rates are stored, of this commit
COMMIT_OF_COLUMN = "58648f3c78b6b76ae4777958971c3526319aae67"


class Device(NamedTuple):
    """The stored documents of a ladder on a device; None for what was not measured."""

    slug: str
    result: dict
    ablations: dict | None = None
    profile: dict | None = None
    convergence: dict | None = None
    merit: dict | None = None
    peers: dict | None = None
    calls: dict | None = None
    seeds: dict | None = None
    limits: dict | None = None  # of the machine, for every ladder
    is_column: bool = False  # on the pages of all devices alone

    @property
    def name(self):
        return self.result["context"]["device"]["name"]

    @property
    def page(self):
        """The path from results/ to the page that has its rates."""
        return f"{self.result['suite']}.md" if self.is_column else f"{self.slug}/{self.result['suite']}.md"

    @property
    def runs(self):
        """Those of the ladder and of its ablations."""
        return [*self.result["runs"], *(self.ablations["runs"] if self.ablations else [])]

    @property
    def gbps(self):
        """The rates at which the machine moves bytes, in 10^9 a second, by name; none where nothing was measured."""
        return {row["name"]: row["gbps"] for row in self.limits["limits"]} if self.limits else {}

    @property
    def documents(self):
        """What was measured."""
        return [document for document in self if isinstance(document, dict)]


def load_devices(folder, ladder):
    """Every device with a result of a ladder, by the name of its folder."""
    paths = sorted(folder.glob(f"*/{ladder.suite}.json"), key=lambda path: (path.parent.name != BASE, path.parent.name))
    return {path.parent.name: load_device(path.parent, ladder) for path in paths}


def load_device(folder, ladder):
    own = kinds.RESULT.of(ladder)
    result = own.load(own.path_in(folder))
    if result["context"]["device"] is None:
        raise ResultError(f"{own.path_in(folder)}: not a GPU's result: context.device is null")
    others = {name: kind.of(ladder).stored_in(folder) for name, kind in kinds.OTHERS.items()}
    is_column = (folder.name, result["context"]["commit"]) == (LIKE_BASE, COMMIT_OF_COLUMN) and not any(others.values())
    return Device(folder.name, result, **others, limits=kinds.LIMITS.stored_in(folder), is_column=is_column)


class Scaling(NamedTuple):
    """The stored runs on several GPUs of a kind."""

    slug: str
    document: dict

    @property
    def name(self):
        return f"{self.gpus} × {self.document['context']['device']['name']}"

    @property
    def gpus(self):
        """The most GPUs of any run."""
        return max(run["team"]["size"] for run in records.succeeded(self.document["runs"]))


def load_scalings(folder, ladder):
    """Every result of a ladder on several GPUs, by the name of its folder."""
    kind = kinds.SCALING.of(ladder)
    paths = sorted(kind.path_in(own) for own in folder.glob("*-x*/") if kind.path_in(own).exists())
    return {path.parent.name: Scaling(path.parent.name, kind.load(path)) for path in paths}
