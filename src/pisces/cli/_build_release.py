"""`pisces build --archive` and `--branch`: what is released, and nothing else on the disk."""

from __future__ import annotations

from pisces.building.archive import TAR, ZIP, archives_of, write_archives
from pisces.building.branch import branch_names, commit_branch
from pisces.building.repository import Repository
from pisces.cli._shell_command import FINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.building.build import Built
    from pisces.cli._build_report import BuildReport
    from pisces.cli._shell_command import Namespace


def release(arguments: Namespace, built: Built, report: BuildReport) -> int:
    if arguments.branch is not None:
        repository = Repository(built.config.folder, report.places)
        for name, package in branch_names(arguments.branch, list(built.packages)).items():
            report.committed(commit_branch(repository, name, package))
    if arguments.archive is not None:
        folder = report.places.absolute(arguments.archive)
        archives = archives_of(built.packages, ZIP if arguments.zip else TAR)
        report.archived(archives, write_archives(archives, folder), folder)
    return report.end(FINE)
