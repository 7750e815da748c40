"""What a build says: a table of packages, versions that changed, losses that matter; the same as one JSON object."""

from __future__ import annotations

import os

from pisces.atomic import write_atomically
from pisces.cli._convert_report import write_report
from pisces.cli._shell_command import FINE, PROBLEMS
from pisces.converting.output import CHANGED, NEW, SAME, STALE
from pisces.converting.report import ConversionReport
from pisces.diagnostics import ERROR, NOTE
from pisces.disk import disk_faults
from pisces.ui.conversion import report_lines, summary_line
from pisces.ui.json_screen import JsonScreen
from pisces.ui.json_text import json_text
from pisces.ui.plain import counted, show_diagnostics, summary_of
from pisces.ui.screen import visible
from pisces.ui.table import path_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from pisces.building.archive import Archive
    from pisces.building.branch import CommittedBranch
    from pisces.building.build import Built, BuiltPackage
    from pisces.building.writing import PlannedBuild, PlannedPackage
    from pisces.cli._shell_command import Namespace, Places, Screen
    from pisces.diagnostics import Diagnostic

_MOST_LINES = 40  # of one package
_STATES = ((NEW, "new"), (CHANGED, "changed"), (STALE, "removed"))


class BuildReport:
    """Gathers what was done and shows it: rows as they come for people, all at the end for programs."""

    def __init__(self, built: Built, arguments: Namespace, places: Places, screen: Screen) -> None:
        self._built, self._arguments, self.places, self._screen = built, arguments, places, screen
        self._json: dict[str, Any] = {
            "versions": {self._relative(folder): text for folder, text in built.versions.items() if folder},
            "packages": [_package_json(each) for each in built.packages],
        }
        self._is_json = isinstance(screen, JsonScreen)

    def planned(self, made: PlannedBuild) -> None:
        """What is or would be different on the disk."""
        edits = [place for edit in made.edits for place in edit.places]
        for values, each in zip(self._json["packages"], made.packages, strict=True):
            states = (*_STATES, (SAME, "same"))
            values["files"] = {word: [one.path for one in each.files if one.state == state] for state, word in states}
        self._json["edits"] = [
            {
                "path": self._relative(each.path),
                "line": each.line,
                "pointer": each.pointer,
                "before": each.version,
                "after": self._wanted(each.folder),
            }
            for each in edits
        ]

    def table(self, made: PlannedBuild) -> None:
        """A row for each package, a line for each version that changes."""
        if self._is_json:
            return
        for lines in path_rows([self._row(each) for each in made.packages], self._screen.width):
            self._screen.lines(lines)
        for place in (place for edit in made.edits for place in edit.places):
            where = visible(f"{self.places.shown(place.path)}:{place.line}")
            self._screen.line(f"{where}: {visible(place.version)} -> {visible(self._wanted(place.folder))}")

    def diff(self, lines: Iterable[str]) -> None:
        found = list(lines)
        self._json["diff"] = "\n".join(found)
        if not self._is_json:
            self._screen.lines(self._coloured(line) for line in found)

    def committed(self, branch: CommittedBranch) -> None:
        self._json.setdefault("branches", []).append(
            {key: getattr(branch, key) for key in ("branch", "plugin", "target", "commit")} | {"new": branch.is_new}
        )
        did = "committed to" if branch.is_new else "nothing to commit to"
        if not self._is_json:
            self._screen.line(visible(f"{did} {branch.branch}: {branch.commit[:12]}"))

    def archived(self, archives: Iterable[Archive], written: list[str], folder: str) -> None:
        found = [(each, os.path.join(folder, each.name)) for each in archives]
        self._json["archives"] = [
            {"path": path, "plugin": each.plugin, "target": each.target, "sha256": each.digest, "new": path in written}
            for each, path in found
        ]
        if not self._is_json:
            rows = [
                (
                    "new" if path in written else "same",
                    each.target,
                    f"{len(each.data):,} bytes",
                    self.places.shown(path),
                )
                for each, path in found
            ]
            for lines in path_rows(rows, self._screen.width):
                self._screen.lines(lines)

    def end(self, status: int) -> int:
        """The last words. Losses make a build fail from a limit on, unless the configuration accepts them."""
        open_reports = [_unaccepted(each) for each in self._built.packages]
        fatal = [each for each in open_reports if each.fails(self._arguments.fail_on)]
        found = self._built.diagnostics
        if fatal or any(each.severity == ERROR for each in found):
            status = PROBLEMS
        problems = [*found, *(each for package in self._built.packages for each in _diagnostics(package))]
        self._json = {"ok": status == FINE, **self._json, "diagnostics": [each.as_json() for each in problems]}
        self._write_file()
        if self._is_json:
            self._screen.json(self._json)
            return status
        show_diagnostics((each for each in found if each.severity != NOTE), self.places, self._screen)
        for each in open_reports:
            self._show_losses(each)
        if fatal:
            self._screen.note("  hint: change the source, keep an overlay, or add `accept = [CODE]` to the target")
        self._screen.note(f"{counted(len(self._built.packages), 'package')}, {summary_of(problems)}")
        return status

    def _write_file(self) -> None:
        """What `--report` asks for. As JSON it is the object of `--output-format json`, for any number of plugins."""
        path = self.places.absolute(self._arguments.report or "")
        if self._arguments.report and path.endswith(".json"):
            with disk_faults(os.path.dirname(path)):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                write_atomically(path, f"{json_text(self._json)}\n".encode("utf-8", "backslashreplace"))
        elif self._arguments.report:
            reports = [ConversionReport(each.converted, each.out) for each in self._built.packages]
            write_report(reports, path, self.places)

    def _show_losses(self, report: ConversionReport) -> None:
        """Down to the severity that is asked for; the worst are first."""
        lines = list(report_lines(report, self._arguments.severity, self.places, self._screen))
        if not lines:
            return
        self._screen.note(summary_line(report, self._arguments.severity))
        for line in lines[:_MOST_LINES]:
            self._screen.note(f"  {line}")
        if len(lines) > _MOST_LINES:
            self._screen.note(f"  ... {len(lines) - _MOST_LINES:,} more lines: `--report FILE` writes all of them")

    def _row(self, planned: PlannedPackage) -> tuple[str, ...]:
        package = planned.package
        counts = [f"{planned.count(state)} {word}" for state, word in _STATES if planned.count(state)]
        losses = sum(each.is_loss for each in package.converted.fates)
        return (
            visible(f"{package.plugin} {package.version}".strip()),
            package.target,
            ", ".join(counts) or "up to date",
            counted(losses, "loss", "losses") if losses else "",
            visible(self.places.shown(package.out)),
        )

    def _wanted(self, folder: str) -> str:
        return self._built.versions.get(folder, "")

    def _relative(self, path: str) -> str:
        return os.path.relpath(path, self._built.config.folder).replace(os.sep, "/")

    def _coloured(self, line: str) -> str:
        style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
        return self._screen.styled(visible(line), style) if style else visible(line)


def _unaccepted(package: BuiltPackage) -> ConversionReport:
    """Without the losses that the author knows of."""
    fates = tuple(each for each in package.converted.fates if each.code not in package.accepted)
    return ConversionReport(package.converted.replace(fates=fates), package.out)


def _diagnostics(package: BuiltPackage) -> list[Diagnostic]:
    """Losses, each with the target that it is about."""
    found = ConversionReport(package.converted).diagnostics
    return [each.replace(message=f"{package.target}: {each.about}: {each.message}") for each in found]


def _package_json(package: BuiltPackage) -> dict[str, Any]:
    return {
        "plugin": package.plugin,
        "version": package.version,
        "target": package.target,
        "out": package.out,
        "fates": [each.as_json() for each in package.converted.fates],
    }
