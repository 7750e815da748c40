"""`pisces cost`: what every extension and every loose file costs in tokens, before and after it is used."""

from __future__ import annotations

from pisces.cli._shell_command import FINE, ShellCommand, add_output_format, add_switches
from pisces.cli._switches import switches_for
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.discovery.capabilities import PACKAGES, capability_named
from pisces.discovery.harness import Run
from pisces.discovery.inventory import inspect
from pisces.discovery.registry import discover
from pisces.discovery.state import ACTIVE
from pisces.instructions.cost import ItemCost, costs, package_costs, total
from pisces.ui.plain import counted, show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import path_rows
from pisces.ui.titles import title_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


_NARROW = 60  # columns of a screen that a table does not fit


class Brought(Value):
    """All items of one package in one harness, or one loose item."""

    name: str
    harness: str
    package: str
    path: str
    items: tuple[ItemCost, ...]

    @property
    def is_active(self) -> bool:
        return any(each.candidate.state == ACTIVE for each in self.items)


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="folders of packages; default: what is installed here")
    add_switches(parser)
    parser.add_argument("--all", action="store_true", help="also what does not load and so costs nothing")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    found = [_of_folder(each, places) for each in arguments.paths] or [_of_here(arguments, places, screen)]
    every = [each for brought, _ in found for each in brought if arguments.all or each.is_active]
    every.sort(key=lambda each: tuple(-number for number in total(each.items)))
    diagnostics = [each for _, problems in found for each in problems]
    if arguments.output_format == "json":
        screen.json({**_json(every), "diagnostics": [each.as_json() for each in diagnostics]})
        return FINE
    _show(every, [] if arguments.paths else _totals(every), places, screen)
    show_diagnostics(diagnostics, places, screen)
    return FINE


def _of_here(arguments: Namespace, places: Places, screen: Screen) -> tuple[list[Brought], Sequence[Diagnostic]]:
    switches, run = switches_for(arguments, places, screen), Run()
    found = costs(places, switches, run)
    folders = {
        (each.found.source.harness, str(each.found.item.name)): each.found.item.path
        for each in reversed(discover(PACKAGES, places, switches, run=run).all)
    }
    return _brought(found.items, folders), found.diagnostics


def _of_folder(path: str, places: Places) -> tuple[list[Brought], Sequence[Diagnostic]]:
    """A folder that several harnesses take for a package has a row for each."""
    folder = places.absolute(path)
    found = [package_costs(each, places) for each in inspect(folder, places)]
    if not found:
        message = f"{places.shown(folder)} is not a package: no manifest of any format is in it"
        raise PiscesError(Diagnostic("no-package", ERROR, message))
    brought = [made for each in found for made in _brought(each.items, {})]
    return [each.replace(path=folder) for each in brought], [each for one in found for each in one.diagnostics]


def _brought(items: Iterable[ItemCost], folders: dict[tuple[str, str], str]) -> list[Brought]:
    groups: dict[tuple[str, ...], list[ItemCost]] = {}
    for item in items:
        found = item.candidate.found
        loose = () if found.package else (item.kind, title_of(item.kind, found.item), found.source.path)
        groups.setdefault((found.source.harness, found.package, *loose), []).append(item)
    made = []
    for (harness, package, *_), group in groups.items():
        first = group[0].candidate.found
        name = package or f"{capability_named(group[0].kind).singular} {title_of(group[0].kind, first.item)}"
        path = folders.get((harness, package), first.source.path) if package else first.source.path
        made.append(Brought(name, harness, package, path, tuple(group)))
    return made


def _show(brought: list[Brought], totals: list[list[str]], places: Places, screen: Screen) -> None:
    if not brought:
        screen.note("nothing here is told to a model")
        return
    rows = [["name", "harness", "before", "after", "path"], *(_row(each, places) for each in brought), *totals]
    if 0 < screen.width < _NARROW:
        screen.lines(line for row in rows[1:] for line in _below_each_other(row))
    else:
        screen.lines(line for lines in path_rows(_aligned(rows), screen.width) for line in lines)
    screen.note("tokens are estimates, bytes / 4: `before` is in every prompt, `after` comes with the use")
    unknown = total(item for each in brought for item in each.items)[2]
    if unknown:
        what = counted(unknown, "server or module", "servers and modules")
        runs = "its tools are known when it runs" if unknown == 1 else "their tools are known when they run"
        screen.note(f"`+?` stands for {what}: {runs}")


def _totals(brought: list[Brought]) -> list[list[str]]:
    """By harness, where there are several, and of all of them."""
    harnesses = dict.fromkeys(each.harness for each in brought)
    each_one = [["all", harness, *_tokens(_of(harness, brought)), ""] for harness in harnesses]
    every = _tokens(item for each in brought for item in each.items)
    return [*(each_one if len(harnesses) > 1 else ()), ["all", "", *every, ""]]


def _row(each: Brought, places: Places) -> list[str]:
    state = "" if each.is_active else f" ({each.items[0].candidate.state})"
    return [visible(each.name) + state, each.harness, *_tokens(each.items), visible(places.shown(each.path))]


def _below_each_other(row: list[str]) -> list[str]:
    name, harness, before, after, path = row
    cells = [f"{name} ({harness})" if harness else name, f"  {before} before, {after} after", f"  {path}".rstrip()]
    return list(filter(None, cells))


def _tokens(items: Iterable[ItemCost]) -> list[str]:
    before, after, unknown = total(items)
    more = "+?" if unknown else ""
    return [f"~{before:,}{more}", f"~{after:,}{more}"]


def _aligned(rows: list[list[str]]) -> list[list[str]]:
    """Numbers end below each other."""
    widths = [max(len(row[column]) for row in rows) for column in (2, 3)]
    return [[*row[:2], row[2].rjust(widths[0]), row[3].rjust(widths[1]), row[4]] for row in rows]


def _of(harness: str, brought: Iterable[Brought]) -> list[ItemCost]:
    return [item for each in brought if each.harness == harness for item in each.items]


def _json(brought: list[Brought]) -> dict[str, Any]:
    harnesses = dict.fromkeys(each.harness for each in brought)
    return {
        "extensions": [_brought_json(each) for each in brought],
        "harnesses": [{"id": each, **_total_json(_of(each, brought))} for each in harnesses],
        "total": _total_json(item for each in brought for item in each.items),
    }


def _brought_json(each: Brought) -> dict[str, Any]:
    return {
        "name": each.name,
        "package": each.package or None,
        "harness": each.harness,
        "path": each.path,
        **_total_json(each.items),
        "items": [_item_json(item) for item in each.items],
    }


def _item_json(item: ItemCost) -> dict[str, Any]:
    found = item.candidate.found
    return {
        "kind": item.kind,
        "name": title_of(item.kind, found.item),
        "path": found.source.path,
        "level": found.source.level,
        "state": item.candidate.state,
        "before": item.before,
        "after": item.after,
    }


def _total_json(items: Iterable[ItemCost]) -> dict[str, int]:
    before, after, unknown = total(items)
    return {"before": before, "after": after, "unknown": unknown}


_EXAMPLES = (
    ("pisces cost", "what every prompt pays for, the dearest first"),
    ("pisces cost ./my-extension", "what a package would cost, before it is installed"),
    ("pisces cost --harness claude", "what Claude Code alone would pay"),
    ("pisces cost --disable skill:review", "the same without one skill"),
    ("pisces cost --output-format json", "every item with its tokens"),
)
COMMAND = ShellCommand(
    "cost", "the tokens that every extension costs, before and after it is used", _EXAMPLES, _arguments, _run
)
