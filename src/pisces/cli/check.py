"""`pisces check`: every problem in packages, skills, single files or this workspace, and what loads where."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.checking.acceptance import acceptances
from pisces.checking.check import Scope, check
from pisces.checking.checked import FILE, MARKETPLACE, PACKAGE, WORKSPACE, Checked, CheckedTarget, Component
from pisces.checking.spelling import did_you_mean
from pisces.cli._shell_command import COULD_NOT_RUN, FINE, NOT_IN_HELP, PROBLEMS, ShellCommand, add_output_format
from pisces.diagnostics import ERROR, SEVERITIES, WARNING, Diagnostic
from pisces.discovery.package_roots import EVERYWHERE, NEAR
from pisces.ui.plain import counted, diagnostic_lines, summary_of
from pisces.ui.progress import with_progress
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="packages, folders of packages, skills or single files"
    )
    parser.add_argument(
        "--harness", action="append", metavar="NAME", help="only what this harness refuses or loses (repeatable)"
    )
    parser.add_argument("--harnesses", action="store_true", help="show which harness loads which component")
    parser.add_argument("--hosts", action="store_true", dest="harnesses", help=NOT_IN_HELP)
    parser.add_argument("--recursive", action="store_true", help="packages at any depth, and packages in packages")
    parser.add_argument("--severity", choices=SEVERITIES, default=WARNING, help="the least that is shown (warning)")
    parser.add_argument("--select", action="append", metavar="CODE", help="only this code (repeatable)")
    parser.add_argument("--ignore", action="append", metavar="CODE", help="all but this code (repeatable)")
    parser.add_argument("--strict", action="store_true", help="warnings fail too")
    add_output_format(parser, "sarif")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    missing = [path for path in arguments.paths if not os.path.lexists(places.absolute(path))]
    if missing:
        for path in missing:
            screen.note(f"{visible(path)} does not exist")
        return COULD_NOT_RUN
    unknown = [name for name in arguments.harness or () if name not in acceptances()]
    if unknown:
        hint = did_you_mean(unknown[0], acceptances()) or f"one of {', '.join(acceptances())}"
        screen.note(f"there is no harness `{visible(unknown[0])}` to check for")
        screen.note(f"  hint: {hint}")
        return COULD_NOT_RUN
    checked = check(arguments.paths, places, _scope(arguments), lambda work: with_progress(work, "checked", screen))
    wanted = [each for each in checked.diagnostics if _is_wanted(each, arguments)]
    if arguments.output_format == "json":
        _show_json(checked, wanted, screen)
    elif arguments.output_format == "sarif":
        screen.json(export_of("pisces.ui", "sarif", "sarif")(wanted, places))
    else:
        _show(checked, wanted, arguments, places, screen)
    fatal = (ERROR, WARNING) if arguments.strict else (ERROR,)
    return PROBLEMS if any(each.severity in fatal for each in wanted) else FINE


def _scope(arguments: Namespace) -> Scope:
    """Verdicts are costly, so they are given only where they are shown."""
    reach, wanted = EVERYWHERE if arguments.recursive else NEAR, arguments.harness or ()
    known = acceptances()
    if wanted:
        return Scope({name: known[name] for name in known if name in wanted}, only=True, reach=reach)
    shown = arguments.harnesses or arguments.output_format == "json"
    return Scope(known if shown else {}, reach=reach)


def _is_wanted(diagnostic: Diagnostic, arguments: Namespace) -> bool:
    selected = not arguments.select or diagnostic.code in _codes(arguments.select)
    return selected and diagnostic.code not in _codes(arguments.ignore or ())


def _codes(given: list[str] | tuple[str, ...]) -> list[str]:
    """Repeated options, or several codes with commas."""
    return [code.strip() for each in given for code in each.split(",")]


def _show(checked: Checked, wanted: list[Diagnostic], arguments: Namespace, places: Places, screen: Screen) -> None:
    shown = SEVERITIES[: SEVERITIES.index(arguments.severity) + 1]
    listed = [each for each in wanted if each.severity in shown]
    screen.lines(line for each in listed for line in diagnostic_lines(each, places, screen))
    if arguments.harnesses:
        names = arguments.harness or list(acceptances())
        screen.lines(line for target in checked.targets for line in _verdict_lines(target, names, places, screen))
        screen.note(_versions(names))
    screen.note(_summary(checked, wanted, shown))


def _versions(names: list[str]) -> str:
    """Whose verdicts were compared with the program itself, and with which version."""
    known = acceptances()
    compared = [known[name].program for name in names if known[name].version]
    return f"verdicts of {', '.join(compared) or 'no program'}; the others are as documented"


def _summary(checked: Checked, wanted: list[Diagnostic], shown: tuple[str, ...]) -> str:
    packages = sum(target.kind == PACKAGE for target in checked.targets)
    files = sum(target.kind == FILE for target in checked.targets)
    marketplaces = sum(target.kind == MARKETPLACE for target in checked.targets)
    counts = [counted(marketplaces, "marketplace")] if marketplaces else []
    counts += [counted(packages, "package")] if packages else []
    counts += [counted(files, "file")] if files else []
    counts += ["this workspace"] if any(target.kind == WORKSPACE for target in checked.targets) else []
    hidden = sorted({each.severity for each in wanted if each.severity not in shown})
    advice = f" (--severity {hidden[0]} shows the rest)" if hidden else ""
    what = f"checked {', '.join(counts)}" if counts else "nothing to check: no harness loads files from this folder"
    return f"{what}: {summary_of(wanted)}{advice}"


def _verdict_lines(target: CheckedTarget, names: list[str], places: Places, screen: Screen) -> Iterator[str]:
    """A table of the harnesses that load this kind of target, and each reason for a `no` once."""
    if not target.components:
        return
    accepting = [harness for harness, acceptance in acceptances().items() if acceptance.accepts(target.formats)]
    columns = [harness for harness in accepting if harness in names]
    formats = f" ({', '.join(target.formats)})" if target.formats else ""
    yield ""
    yield screen.styled(f"{visible(places.shown(target.path))}{formats}", "bold")
    rows = [["", "", *columns]]
    for component in target.components:
        verdicts = {verdict.harness: verdict for verdict in component.verdicts}
        marks = ["yes" if verdicts[column].loads else "no" for column in columns]
        rows.append([f"  {component.kind}", visible(component.name), *marks])
    yield from table(rows)
    yield from _reasons(target.components, columns)


def _reasons(components: tuple[Component, ...], columns: list[str]) -> Iterator[str]:
    grouped: dict[tuple[str, str, str], list[str]] = {}
    for component in components:
        for verdict in component.verdicts:
            if verdict.harness in columns and not verdict.loads:
                key = (verdict.harness, component.kind, verdict.reason)
                grouped.setdefault(key, []).append(component.name)
    for (harness, kind, reason), names in sorted(grouped.items(), key=lambda each: columns.index(each[0][0])):
        which = visible(names[0]) if len(names) == 1 else f"{len(names)} {kind}"
        yield f"  {harness}: {which}: {visible(reason)}"


def _show_json(checked: Checked, wanted: list[Diagnostic], screen: Screen) -> None:
    targets = [_target_json(target) for target in checked.targets]
    versions = {name: acceptance.version or None for name, acceptance in acceptances().items()}
    screen.json({"targets": targets, "diagnostics": [each.as_json() for each in wanted], "versions": versions})


def _target_json(target: CheckedTarget) -> dict[str, Any]:
    return {
        "kind": target.kind,
        "path": target.path,
        "formats": list(target.formats),
        "components": [
            {
                "kind": each.kind,
                "name": each.name,
                "path": each.path,
                "hosts": {
                    verdict.harness: {"loads": verdict.loads, "reason": verdict.reason or None}
                    for verdict in each.verdicts
                },
            }
            for each in target.components
        ],
    }


_EXAMPLES = (
    ("pisces check", "the package here, else this workspace"),
    ("pisces check ./my-extension --harnesses", "with a table of harnesses"),
    ("pisces check ./my-plugin --harness claude", "fails where Claude Code refuses or loses something"),
    ("pisces check --recursive", "every package of a monorepo"),
    ("pisces check extensions/ --strict", "a folder of packages; warnings fail too"),
    ("pisces check --output-format sarif > check.sarif", "for code hosts and editors"),
)
_SUMMARY = "every problem in a package, a skill, a file or this workspace, and which harness loads what"
COMMAND = ShellCommand("check", _SUMMARY, _EXAMPLES, _arguments, _run)
