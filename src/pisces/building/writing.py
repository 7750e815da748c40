"""A build, put in place: each package in one step, then the files with a version, manifests of plugins first."""

from __future__ import annotations

import os

from pisces.atomic import write_atomically
from pisces.converting.file_changes import CHANGED_MEANWHILE
from pisces.converting.output import apply, mended, planned, refuse_output, written
from pisces.diagnostics import PiscesError
from pisces.disk import disk_faults
from pisces.files import Unreadable, read_bytes
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.building.build import Built, BuiltPackage
    from pisces.building.versions import VersionedFile
    from pisces.converting.output import PlannedFile


class PlannedPackage(Value):
    """What a package changes in its folder."""

    package: BuiltPackage
    files: tuple[PlannedFile, ...]

    @property
    def changes(self) -> list[PlannedFile]:
        return written(self.files)

    def count(self, state: str) -> int:
        return sum(each.state == state for each in self.files)


class PlannedBuild(Value):
    packages: tuple[PlannedPackage, ...]
    edits: tuple[VersionedFile, ...]

    @property
    def is_empty(self) -> bool:
        return not self.edits and not any(each.changes for each in self.packages)


def plan(built: Built) -> PlannedBuild:
    """What would change. Nothing is written; `PiscesError` where an output holds files of somebody else."""
    made = []
    for package in built.packages:
        files = planned(package.files, package.source, package.out)
        refuse_output(files, package.source, package.out)
        made.append(PlannedPackage(package, tuple(files)))
    return PlannedBuild(tuple(made), built.edits)


def mend_outputs(built: Built) -> None:
    """Takes back what a build that was killed has begun."""
    for package in built.packages:
        mended(package.out)


def write(planned_build: PlannedBuild) -> None:
    """Versions come first: a build that is cut short then differs from its source in what the next build makes."""
    for edit in planned_build.edits:
        _write_version(edit)
    for each in planned_build.packages:
        if each.changes:
            apply(each.files, each.package.out)


def _write_version(edit: VersionedFile) -> None:
    with disk_faults(os.path.dirname(edit.path)):
        try:
            now = read_bytes(edit.path)
        except Unreadable:
            now = b""
        if os.path.islink(edit.path) or now != edit.before:
            raise PiscesError(CHANGED_MEANWHILE.at(edit.path, "it changed since it was read", hint="build again"))
        write_atomically(edit.path, edit.after, os.stat(edit.path).st_mode & 0o777)
