"""What a ladder is. A module of ladders/ makes one, and says only what is its own."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from suite import naming

HITS, MEANS, SOLUTION = "hits", "means", "solution"  # what runs estimate
HUES = 6  # colours of curves


class SecondRate(NamedTuple):
    """The option of steps whose rate with it stands beside their own, and what tables call that rate."""

    option: str
    title: str
    bytes: int  # of a unit in memory


class Phases(NamedTuple):
    """The phases of a step's time, in order, and in their chart: the fused kernel (a ladder, a step, a text), an article's title."""

    order: tuple
    fused: tuple
    article: str


class Called(NamedTuple):
    """A program whose launches or calls are timed, up to a power of ten of samples.

    Its grid grows with the samples if a block has a fixed number of them; otherwise a full grid has more samples per
    thread.
    """

    program: str
    version: str
    options: tuple = ()
    samples_per_block: int | None = None
    last_power: int = 9


class Seeds(NamedTuple):
    """How many seeds a version runs with, and its options, which fix the work of each run."""

    count: int
    options: tuple


class Calls(NamedTuple):
    """Times against samples: the programs, the one whose overtaking of the CPU the chart marks, and its lines (samples, text).

    Where none is named, launches alone are timed, and the chart marks where each program overtakes the CPU.
    """

    programs: tuple
    overtakes: str | None = None
    marks: tuple = ()

    @property
    def whole(self):
        """Whether whole calls are timed."""
        return self.overtakes is not None


class Systems(NamedTuple):
    """The linear systems that steps solve, and what runs on them are called."""

    names: tuple  # the first is that of a run without options
    fixed_steps: int  # of a history, where all have as many
    short: dict  # histories of a launch that just comes to an error of 1 %, by system
    version: Callable  # of a program, a system, is_fixed, is_short: the name of the run
    error_lines: tuple  # steps in the chart of errors: more would overlap
    error_curves: dict  # solvers beside them, on the same system, and their names there


class Known(NamedTuple):
    """What the estimate of another package must fit: its value with the error of that, and the variance of a number if it is known."""

    value: float
    sd: float = 0.0
    variance: float | None = None


class Peer(NamedTuple):
    """Another package: its command, its title in tables (its name, if None), and what it estimates if not what the ladder does.

    The command is a script in scripts/peers/, by its name without .py, or a program peer_<…> or of the ladder, with arguments.
    """

    command: tuple
    title: str | None = None
    known: Known | None = None


class Peers(NamedTuple):
    """The versions that are compared with other packages, the packages by name, and the program that is always built."""

    versions: tuple
    packages: dict
    required: str | None = None
    known: Known | None = None  # None: what the first version says


@dataclass(frozen=True, kw_only=True, eq=False)
class Ladder:
    """A ladder: its names and units, its programs, what is measured, and what its pages show."""

    suite: str  # its name
    place: int  # among the ladders
    prefix: str  # of its programs: pi_v8
    letter: str  # of its steps; ladders with one prefix have different letters
    unit: str  # of work, that rates count
    outcome: str  # what its runs estimate
    other_outcomes: dict = field(default_factory=dict)  # the same of programs that estimate something else

    # Programs
    cpu: dict = field(default_factory=dict)  # those that need no GPU, with their options, by version
    with_options: dict = field(default_factory=dict)  # versions of a step's program with options: the step, the options
    faulty: tuple = ()  # ablations with a fault, whose verdicts must find it
    renamed: tuple = ()  # versions of before, whose programs only say their new names
    full_seconds: float | None = None  # the least that a full measurement times; None: the programs' own
    words: float = 1  # random words of 32 bits that a unit of work takes
    other_words: dict = field(default_factory=dict)  # the same of versions that take others, on average

    # Studies: the versions of each by default, and what else they need
    convergence: tuple = ()
    scaling: tuple = ()
    targets: tuple = ()  # standard deviations of the estimate, to which times are measured
    seeds: dict = field(default_factory=dict)  # Seeds by version
    calls: Calls | None = None
    peers: Peers | None = None

    # Pages
    question: str  # that it answers, in README.md
    about: str
    spread: str = "2.5 %"  # by which another GPU of the same kind may differ
    first: str  # the step with which tables compare all others
    sections: tuple  # in order
    charts: dict = field(default_factory=dict)  # files by section
    reasons: dict = field(default_factory=dict)  # why a step is faster, by version, where its title does not say it
    hues: tuple = ()  # the versions that have each colour of curves
    second_rate: SecondRate | None = None
    constant: str | None = None  # the step with constant numbers in place of random ones
    same_words: str = ""  # which versions draw the same words
    known_limits: str = ""  # of the verdicts on its generators
    dates: tuple = ()  # versions of one step by the number of their steps, whose prices are compared
    phases: Phases | None = None
    systems: Systems | None = None

    @property
    def folder(self):
        """Where its steps and its story are, in kernels/: ladders of one prefix each have a folder in that of the prefix."""
        return self.prefix if self.suite == self.prefix else f"{self.prefix}/{self.suite}"

    @property
    def rate(self):
        """What tables call a rate: Samples/ns."""
        return f"{self.unit.capitalize()}s/ns"

    def hue(self, version):
        """The colour of a version in every chart, by its place among those of curves."""
        named = (place for place, versions in enumerate(self.hues) if version in versions.split())
        return next(named, sum(version.encode()) % HUES)

    def program(self, version):
        """The name of the program that runs a version: pi_v8; options_n3 for n3_store, which is its option --store."""
        return f"{self.prefix}_{self.base(version)}"

    def base(self, version):
        """The version that is the same program without options: n3 of n3_store."""
        return self.with_options.get(version, (version,))[0]

    def options(self, version):
        """The options with which its program runs a version: none for most."""
        return self.with_options.get(version, (version,))[1:]

    def has(self, version):
        """Whether it may have a step or ablation of this name."""
        return naming.is_version(version) and version.startswith(self.letter) and version not in self.renamed

    def second(self, step):
        """The version whose rate stands beside that of a step, if there is such."""
        return f"{step}_{self.second_rate.option}"

    def is_second(self, version):
        """Whether a version is a step with the option whose rate stands beside the step's: n3_store."""
        return self.second_rate is not None and version == self.second(version.partition("_")[0])

    def is_beside(self, version):
        """Whether a version is no ablation, but a program with options whose rate stands beside that of the program: n3_store, v8_sp1."""
        return self.is_second(version) or self.systems is not None and version in self.with_options

    def words_of(self, version):
        """How many words a unit of a version's work takes on average; an ablation as many as its step."""
        return self.other_words.get(version, self.other_words.get(version.partition("_")[0], self.words))

    def is_faulty(self, version):
        """Whether the verdict on a version must fail."""
        return self.base(version) in self.faulty
