"""`pisces scan`: tricks in a package, found offline and without running anything. Silence is no proof of safety."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.cli._shell_command import COULD_NOT_RUN, FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.diagnostics import ERROR, SEVERITIES, WARNING, PiscesError
from pisces.files import MISSING, Unreadable, read_text
from pisces.scanning.scan import scan
from pisces.scanning.scanned import NOTHING_FOUND, Scanned
from pisces.scanning.waivers import waivers_text
from pisces.ui.plain import counted, diagnostic_lines, show_diagnostics, summary_of
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a package, any folder, or a single file")
    parser.add_argument("--severity", choices=SEVERITIES, default=WARNING, help="the least that is shown (warning)")
    parser.add_argument(
        "--fail-on", choices=SEVERITIES, default=ERROR, help="the least that makes the exit code 1 (error)"
    )
    parser.add_argument("--waivers", action="append", metavar="FILE", help="findings that you accept (repeatable)")
    parser.add_argument("--write-waivers", metavar="FILE", help="add the findings to FILE, for you to give reasons")
    add_output_format(parser, "sarif")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    path = places.absolute(arguments.path)
    if not os.path.lexists(path):
        screen.note(f"{visible(arguments.path)} does not exist")
        return COULD_NOT_RUN
    try:
        scanned = scan(path, places, tuple(arguments.waivers or ()))
    except PiscesError as error:
        show_diagnostics([error.diagnostic], places, screen)
        return COULD_NOT_RUN
    if arguments.write_waivers:
        return _write_waivers(scanned, path, places.absolute(arguments.write_waivers), screen)
    if arguments.output_format == "json":
        _show_json(scanned, screen)
    elif arguments.output_format == "sarif":
        screen.json(export_of("pisces.ui", "sarif", "sarif")(scanned.diagnostics, places))
    else:
        _show(scanned, arguments.severity, places, screen)
    fatal = SEVERITIES[: SEVERITIES.index(arguments.fail_on) + 1]
    return PROBLEMS if any(each.severity in fatal for each in scanned.diagnostics) else FINE


def _show(scanned: Scanned, least: str, places: Places, screen: Screen) -> None:
    shown = SEVERITIES[: SEVERITIES.index(least) + 1]
    listed = [each for each in scanned.diagnostics if each.severity in shown]
    screen.lines(line for each in listed for line in diagnostic_lines(each, places, screen))
    screen.note(_summary(scanned, shown))


def _summary(scanned: Scanned, shown: tuple[str, ...]) -> str:
    hidden = {each.severity for each in scanned.diagnostics if each.severity not in shown}
    found = summary_of(scanned.diagnostics) if scanned.diagnostics else NOTHING_FOUND
    waived = f", {len(scanned.waived):,} waived" if scanned.waived else ""
    advice = " (--severity note shows the rest)" if hidden else ""
    return f"scanned {counted(scanned.files, 'file')}: {found}{waived}{advice}"


def _show_json(scanned: Scanned, screen: Screen) -> None:
    found = [
        {**finding.as_json(), "sha256": line_hash or None}
        for finding, line_hash in zip(scanned.diagnostics, scanned.hashes, strict=True)
    ]
    waived = [finding.as_json() for finding in scanned.waived]
    remark = None if found else NOTHING_FOUND
    screen.json({"files": scanned.files, "diagnostics": found, "waived": waived, "remark": remark})


def _write_waivers(scanned: Scanned, root: str, file: str, screen: Screen) -> int:
    text = waivers_text(scanned, root)
    try:
        before = read_text(file)
    except Unreadable as error:
        before = ""
        if error.kind != MISSING:
            screen.note(f"{visible(file)} {error.message}")
            return COULD_NOT_RUN
    try:
        with open(file, "w", encoding="utf-8", newline="\n") as output:
            output.write(f"{before.rstrip()}\n\n{text}" if before.strip() else text)
    except OSError as error:
        screen.note(f"{visible(file)} cannot be written: {(error.strerror or str(error)).lower()}")
        return COULD_NOT_RUN
    screen.note(f"wrote {counted(text.count('[[waiver]]'), 'waiver')} to {visible(file)}; each needs a reason")
    return FINE


_EXAMPLES = (
    ("pisces scan ./some-extension", "before it is installed"),
    ("pisces scan . --fail-on warning", "in continuous integration"),
    ("pisces scan . --write-waivers waivers.toml", "to accept findings, each with a reason"),
    ("pisces scan . --waivers waivers.toml", "with findings that were accepted"),
    ("pisces scan . --output-format sarif > scan.sarif", "for code hosts and editors"),
)
_SUMMARY = "tricks in a package: hidden text, code from the network, stolen keys; nothing found is no proof of safety"
COMMAND = ShellCommand("scan", _SUMMARY, _EXAMPLES, _arguments, _run)
