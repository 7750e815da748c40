"""Fetches a source into a folder of a stage. Each kind has a file in `kinds`, found by name, with `fetch` and `newest`.

Nothing is written outside the stage, nothing fetched is run, and every tree is validated before it is returned.
After a refusal the stage is empty.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import PiscesError
from pisces.disk import disk_fault
from pisces.packages.fetching.fetched import FETCH_STOPPED, SUBDIR_MISSING, Fetched, FetchJob, Newest, pinned, refused
from pisces.packages.fetching.source import PackageSource, checked, name_of
from pisces.packages.store.store import remove
from pisces.packages.store.validate_tree import validate_tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pisces.places import Places

__all__ = ["Fetched", "Newest", "fetch", "newest", "pinned"]

_KINDS = "pisces.packages.fetching.kinds"


def fetch(source: PackageSource, stage: str, places: Places, report: Callable[[str], None]) -> Fetched:
    """Fetches a source into an existing empty folder. Raises if it cannot be fetched or is refused."""
    source = checked(source)
    try:
        fetched: Fetched = _of_kind(source, "fetch")(source, FetchJob(stage, places, report))
        if not os.path.isdir(fetched.folder):
            raise PiscesError(SUBDIR_MISSING.at(source.location, f"there is no folder `{source.subdir}`"))
        if faults := validate_tree(fetched.folder):
            raise refused(faults)
        return fetched.replace(folder=_named(fetched.folder, name_of(source), stage))
    except OSError as error:
        _empty(stage)
        if isinstance(error, BrokenPipeError):  # nobody reads the progress any more
            raise
        raise PiscesError(disk_fault(error, stage, FETCH_STOPPED)) from None
    except BaseException:  # never leave half a package
        _empty(stage)
        raise


def newest(source: PackageSource, commit: str, tag: str, places: Places) -> Newest:
    """Whether the source has changed since it was fetched. At most one network round trip."""
    source = checked(source)
    found: Newest = _of_kind(source, "newest")(source, Fetched("", source, commit, tag), places)
    return found


def _of_kind(source: PackageSource, act: str) -> Callable[..., Any]:
    found: Callable[..., Any] = export_of(_KINDS, source.kind.replace("-", "_"), act)
    return found


def _named(folder: str, name: str, stage: str) -> str:
    """Moves the package to a folder with its name, for formats without a manifest. Removes the rest of the stage."""
    package = os.path.join(stage, "package")
    os.mkdir(package)
    os.rename(folder, os.path.join(package, name))
    for other in os.listdir(stage):
        if other != "package":
            remove(os.path.join(stage, other))
    return os.path.join(package, name)


def _empty(stage: str) -> None:
    for name in os.listdir(stage) if os.path.isdir(stage) else ():
        remove(os.path.join(stage, name))
