"""Which versions of which ladders a command measures: those that its options name, or by default."""

from suite import ladders
from suite.command import DONE, UNTOUCHED, add_suite, fail_usage
from suite.tools.programs import programs_of, steps_in


def add_versions(parser, what, known, defaults=None):
    """The versions to measure, and the ladder that they belong to."""
    usual = ", ".join(version for ladder in known for version in defaults(ladder)) if defaults else "every step"
    parser.add_argument(
        "versions", nargs="*", metavar="VERSION", help=f"a version to {what}, such as v8 (default: {usual})"
    )
    add_suite(parser, known, "those that have the versions, or programs in the folder")


def one_named(name, known, what):
    """The one that a name means, of those known by version and program; ends the command if none is."""
    for names, one in known.items():
        if name in names:
            return one
    return fail_usage(f"{name}: no such {what}; there are {', '.join(version for version, _ in known)}")


def programs(options, known=None, defaults=None):
    """Each ladder that is measured, with the programs of its versions. Ends the command if there are none, or not all.

    options has the folder bin, suite and versions; known are the ladders that can be measured, if not all can; defaults gives
    the versions of a ladder to measure if none are named, by default the steps in the folder that need a GPU.
    """
    known = [ladder for ladder in known or ladders.every_ladder() if not options.suite or ladder.suite in options.suite]
    for version in options.versions:
        require_one_ladder(version, known, options.bin)
    found = [(ladder, programs_in(ladder, options, defaults)) for ladder in known]
    found = [(ladder, paths) for ladder, paths in found if paths]
    if not found:
        fail_usage(f"{options.bin} holds no {' or '.join(dict.fromkeys(ladder.prefix for ladder in known))}_<step>")
    return found


def require_one_ladder(version, known, folder):
    """End the command unless exactly one of the ladders has a program of a version."""
    owners = [ladder for ladder in known if ladder.has(version)]
    if not owners:
        fail_usage(f"{version}: not the name of a version")
    having = [ladder for ladder in owners if programs_of(ladder, folder, [version])]
    if not having:
        fail_usage(f"{folder} holds no {' or '.join(ladder.program(version) for ladder in owners)}")
    if len(having) > 1:
        fail_usage(f"{version} is a version of {' and '.join(own.suite for own in having)}: name one with --suite")


def programs_in(ladder, options, defaults):
    """The programs of a ladder to measure: of the versions that were given, or of those by default."""
    if options.versions:
        return programs_of(ladder, options.bin, filter(ladder.has, options.versions))
    if defaults:
        return programs_of(ladder, options.bin, defaults(ladder))
    return {version: path for version, path in steps_in(ladder, options.bin).items() if version not in ladder.cpu}


def of_ladders(found, command, measure):
    """Measure ladders, each given with its programs, one after another; returns the exit code."""
    codes = []
    for ladder, programs in found:
        outcome = f"no more results of {ladder.suite}" if codes else UNTOUCHED
        codes.append(command.attempt(lambda own=(ladder, programs): measure(*own), outcome))
    return next(filter(None, codes), DONE)
