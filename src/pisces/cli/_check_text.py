"""What `pisces check` shows to people: diagnostics, which harness loads what, and a summary."""

from __future__ import annotations

from pisces.checking.acceptance import acceptances
from pisces.checking.checked import FILE, MARKETPLACE, PACKAGE, WORKSPACE, Checked, CheckedTarget, Component
from pisces.diagnostics import SEVERITIES, Diagnostic
from pisces.ui.plain import counted, diagnostic_lines, summary_of
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.cli._check_run import CheckRun
    from pisces.cli._shell_command import Namespace, Places, Screen


_BY_NAME = "gallery-"


def show_text(run: CheckRun, arguments: Namespace, places: Places, screen: Screen) -> None:
    listed = listed_of(run, arguments)
    screen.lines(line for each in listed for line in diagnostic_lines(each, places, screen))
    if arguments.harnesses:
        names = arguments.harness or list(acceptances())
        screen.lines(line for target in run.checked.targets for line in _verdict_lines(target, names, places, screen))
        screen.note(_versions(names))
    show_summary(run, arguments, screen)


def listed_of(run: CheckRun, arguments: Namespace) -> list[Diagnostic]:
    """The diagnostics that are severe enough to be shown. What was asked for by name is shown in any case."""
    shown = SEVERITIES[: SEVERITIES.index(arguments.severity) + 1]
    return [each for each in run.sifted.diagnostics if each.severity in shown or each.code.startswith(_BY_NAME)]


def show_summary(run: CheckRun, arguments: Namespace, screen: Screen) -> None:
    shown = SEVERITIES[: SEVERITIES.index(arguments.severity) + 1]
    suppressed = f", {len(run.sifted.suppressed):,} suppressed" if run.sifted.suppressed else ""
    screen.note(_summary(run.checked, run.sifted.diagnostics, shown, suppressed))
    if fixable := _fixable(run, arguments):
        screen.note(fixable)


def _fixable(run: CheckRun, arguments: Namespace) -> str:
    fixes = run.sifted.fixes.values()
    safe = sum(fix.safe for fix in fixes)
    unsafe = len(fixes) - safe
    if arguments.unsafe_fixes:
        safe, unsafe = safe + unsafe, 0
    flags = "--fix --unsafe-fixes" if arguments.unsafe_fixes else "--fix"
    if safe and unsafe:
        return f"{safe:,} can be fixed with {flags}, {unsafe:,} more with --unsafe-fixes"
    if safe:
        return f"{safe:,} can be fixed with {flags}"
    return f"{unsafe:,} can be fixed with --fix --unsafe-fixes" if unsafe else ""


def _versions(names: list[str]) -> str:
    """Whose verdicts were compared with the program itself, and with which version."""
    known = acceptances()
    compared = [known[name].program for name in names if known[name].version]
    return f"verdicts of {', '.join(compared) or 'no program'}; the others are as documented"


def _summary(checked: Checked, wanted: tuple[Diagnostic, ...], shown: tuple[str, ...], suppressed: str) -> str:
    packages = sum(target.kind == PACKAGE for target in checked.targets)
    files = sum(target.kind == FILE for target in checked.targets)
    marketplaces = sum(target.kind == MARKETPLACE for target in checked.targets)
    counts = [counted(marketplaces, "marketplace")] if marketplaces else []
    counts += [counted(packages, "package")] if packages else []
    counts += [counted(files, "file")] if files else []
    counts += ["this workspace"] if any(target.kind == WORKSPACE for target in checked.targets) else []
    hidden = sorted(
        {each.severity for each in wanted if not (each.severity in shown or each.code.startswith(_BY_NAME))}
    )
    advice = f" (--severity {hidden[0]} shows the rest)" if hidden else ""
    what = f"checked {', '.join(counts)}" if counts else "nothing to check: no harness loads files from this folder"
    return f"{what}: {summary_of(wanted)}{suppressed}{advice}"


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
