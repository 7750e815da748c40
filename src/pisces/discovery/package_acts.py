"""Everything in a package that can run or reach out: the one inventory behind consent, `info`, the lock and a scan.

    for act in package_acts(inventory):
        act.argv    # words that are started; a line for a shell is ("sh", "-c", line)
        act.url     # or the address that is reached instead
        act.path    # the file that says so, and `act.keys` in it: `item_place` gives line and column

Whoever follows what runs begins here: `files_started` gives the files of the package that an act names, and what those
start is for the reader of their text. A harness adds what only its packages have in `harnesses/<id>/package_acts.py`,
which exports `PACKAGE_ACTS`, a function from a Package to acts.
"""

from __future__ import annotations

import os
import re
import shlex

from pisces.by_name import export_of, has_file
from pisces.discovery.acts import acts_of
from pisces.discovery.found import PROJECT, Found, Source
from pisces.discovery.harness import HARNESSES
from pisces.discovery.header_acts import requested_acts
from pisces.discovery.package_format import format_once
from pisces.places import Places
from pisces.shapes.act import EXECUTABLE, FILE, MODULE, Act
from pisces.shapes.binary_template import filled
from pisces.shapes.platform_names import ARCHES, PLATFORMS, Platform

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.discovery.harness import Run
    from pisces.discovery.inventory import Inventory
    from pisces.discovery.package_format import PackageFormat
    from pisces.shapes.package import Package

_VARIABLE = re.compile(r"\$\{?[A-Za-z_]\w{0,60}\}?[/\\]?")  # before a path it stands for the package, in most lines
_OPTION = re.compile(r"--?[\w-]{1,60}=")
_LONGEST = 20_000
PACKAGE = "<package>"  # stands for the folder that the package is installed in
NOWHERE = Places("$HOME", "<workspace>")  # without paths and variables of this machine: `$TOKEN` stays `$TOKEN`


def package_acts(inventory: Inventory) -> tuple[Act, ...]:
    """In the order of capabilities, each act once."""
    found = [(kind, each) for kind, items in inventory.found.items() for each in items]
    acts = [act for kind, each in found for act in (*acts_of(kind, each), *requested_acts(kind, each.item))]
    return tuple(
        dict.fromkeys((*acts, *(_of_harness(inventory.package, inventory.format) if inventory.package else ())))
    )


def own_acts(package: Package, run: Run) -> Iterator[Act]:
    """What a package does that no capability has: language servers, monitors, programs on the PATH."""
    try:
        yield from _of_harness(package, format_once(package.format, run))
    except StopIteration:  # no format that can be installed
        return


def _of_harness(package: Package, package_format: PackageFormat) -> Iterator[Act]:
    folder = f"{HARNESSES}.{package_format.harness.replace('-', '_')}"
    if has_file(folder, "package_acts"):
        yield from export_of(folder, "package_acts", "PACKAGE_ACTS")(package)


def files_started(act: Act, folder: str) -> tuple[str, ...]:
    """The files of the package that an act starts or names, as absolute paths; those that do not exist are left out."""
    if act.kind in (MODULE, FILE):
        return (act.path,)
    words = _programs(act, folder) if act.kind == EXECUTABLE else _words(act)
    plain = (_VARIABLE.sub("", _OPTION.sub("", word), count=1) for word in words)
    paths = (os.path.normpath(os.path.join(folder, word.replace("\\", "/"))) for word in plain if word)
    inside = os.path.join(os.path.abspath(folder), "")
    return tuple(path for path in dict.fromkeys(paths) if path.startswith(inside) and os.path.isfile(path))


def _programs(act: Act, folder: str) -> list[str]:
    """A program may have a file for each platform."""
    paths = (filled(act.argv[0], folder, Platform(platform, arch)) for platform in PLATFORMS for arch in ARCHES)
    return [each for path in dict.fromkeys(paths) for each in (path, f"{path}.exe")]


def _words(act: Act) -> list[str]:
    line = act.argv[2] if act.argv[:2] == ("sh", "-c") else ""
    if not line:
        return list(act.argv)
    try:
        return shlex.split(line[:_LONGEST], comments=False)
    except ValueError:  # an open quote
        return line[:_LONGEST].split()


def place_of(act: Act) -> Found[Act]:
    """An act as something found, so that `item_place` can say where it stands."""
    return Found(act, Source("", "", act.path, PROJECT))
