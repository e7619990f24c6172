"""What results/ holds: the files of each device, and runs on several GPUs, read and checked."""

from typing import NamedTuple

from suite.documents import checks, convergence, merit, peers, profile, result, scaling, sweep
from suite.ladders import pi


class Device(NamedTuple):
    """The stored documents of a device; None for what was not measured."""

    slug: str
    result: dict
    ablations: dict | None
    profile: dict | None
    sweep: dict | None
    convergence: dict | None
    merit: dict | None
    peers: dict | None

    @property
    def name(self):
        return self.result["context"]["device"]["name"]

    @property
    def documents(self):
        """What was measured."""
        return [document for document in self[1:] if document]


def load_devices(folder, suite=pi.SUITE):
    """Every device with a result of a ladder, by the name of its folder."""
    return {path.parent.name: load_device(path.parent, suite) for path in sorted(folder.glob(f"*/{suite}.json"))}


def load_device(folder, suite=pi.SUITE):
    path = folder / f"{suite}.json"
    own = result.DOCUMENT.load(path)
    if own["context"]["device"] is None:
        raise checks.ResultError(f"{path}: not a GPU's result: context.device is null")
    return Device(
        folder.name,
        own,
        load_if_there(folder / "ablations.json", result.DOCUMENT),
        load_if_there(folder / "profile.json", profile.DOCUMENT),
        load_if_there(folder / "sweep.json", sweep.DOCUMENT),
        load_if_there(folder / "convergence.json", convergence.DOCUMENT),
        load_if_there(folder / "merit.json", merit.DOCUMENT),
        load_if_there(folder / "peers.json", peers.DOCUMENT),
    )


class Scaling(NamedTuple):
    """The stored runs on several GPUs of a kind."""

    slug: str
    document: dict

    @property
    def name(self):
        return f"{self.document['gpus']} × {self.document['context']['device']['name']}"


def load_scalings(folder):
    """Every result on several GPUs, by the name of its folder."""
    paths = sorted(folder.glob("*/scaling.json"))
    return {path.parent.name: Scaling(path.parent.name, scaling.DOCUMENT.load(path)) for path in paths}


def load_if_there(path, kind):
    return kind.load(path) if path.exists() else None
