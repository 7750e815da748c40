"""The results of fetching, and the job that every kind of source gets."""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.packages.fetching.source import RELEASE, PackageSource
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.places import Places

FETCH_STOPPED = Rule("fetch-stopped", ERROR, "The disk did not take what was fetched")
SUBDIR_MISSING = Rule("source-subdir-missing", ERROR, "The folder asked for is not in the source")


class FetchJob(Value):
    """Where to put what is fetched, and where to report progress."""

    stage: str
    places: Places
    report: Callable[[str], None]

    @property
    def folder(self) -> str:
        """Where a kind puts the fetched tree."""
        return self.path("fetched")

    def path(self, name: str) -> str:
        return os.path.join(self.stage, name)


class Fetched(Value):
    """`folder` is the package inside the stage. `source` is what to fetch the next version from.

    `commit` pins the content: a commit for git, `sha256:...` of an archive's bytes, `MARKETPLACE:PLUGIN` for a plugin
    of a marketplace whose entry does not pin itself. `tag` is the release or git tag, for an archive from the web its
    ETag.
    """

    folder: str
    source: PackageSource
    commit: str = ""
    tag: str = ""


class Newest(Value):
    """`changed` is also true if only fetching can tell; then `sure` is false. `detail` says why, for people."""

    changed: bool
    commit: str = ""
    tag: str = ""
    detail: str = ""
    sure: bool = True


def pinned(fetched: Fetched) -> PackageSource:
    """The source of exactly this content, as long as its host has it."""
    return fetched.source.replace(ref=fetched.tag if fetched.source.kind == RELEASE else fetched.commit)


def refused(faults: list[Diagnostic]) -> PiscesError:
    """One error for a tree with many faults: the first fault, and the number of others."""
    first, others = faults[0], len(faults) - 1
    more = f" (and {others} more like it)" if others else ""
    return PiscesError(first.replace(message=f"refused, nothing was kept: {first.message}{more}"))
