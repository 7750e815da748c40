"""The sections of docs/conformance.md that list recorded cases: where pisces is stricter, what it tells otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.hook_cases.told_otherwise import REASONS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"
BEGIN, END = "<!-- stricter cases: written by scripts/hook-cases --page -->", "<!-- end of stricter cases -->"
TOLD_BEGIN = "<!-- cases told otherwise: written by scripts/hook-cases --page -->"
TOLD_END = "<!-- end of cases told otherwise -->"
_ROW = re.compile(r"^\| (\d) \| ([\w-]+) \| (\d+) \| (.+) \|$", re.MULTILINE)
_TOLD_ROW = re.compile(r"^\| ([\w-]+) \| `([^`]+)` \| (.+) \|$", re.MULTILINE)
_RULE = re.compile(r"stricter by rule (\d)")


def listed_cases() -> dict[tuple[str, str], int]:
    """The rule of each case that the page lists, by dialect and id."""
    return {
        (dialect, name): int(rule)
        for rule, dialect, _count, names in _ROW.findall(_section(BEGIN, END))
        for name in re.findall(r"`([^`]+)`", names)
    }


def told_otherwise() -> dict[tuple[str, str], str]:
    """Why the model is told something else in a case that ended in the same way, by dialect and id."""
    return {(dialect, name): why for dialect, name, why in _TOLD_ROW.findall(_section(TOLD_BEGIN, TOLD_END))}


def _section(begin: str, end: str) -> str:
    return PAGE.read_text("utf-8").partition(begin)[2].partition(end)[0]


def told_reason(result: Mapping[str, Any]) -> str:
    """Of a case that is told otherwise: our rule, or what makes it impossible; empty if nobody knows."""
    rule = result.get("told_by")
    return f"rule {rule}" if rule else REASONS.get((str(result["dialect"]), str(result["id"])), "")


def write_page(results: Sequence[Mapping[str, Any]]) -> None:
    _write(BEGIN, END, ("| rule | cases of | how many | which |", "| --- | --- | --- | --- |"), _stricter(results))
    told = [each for each in results if each.get("is_told_the_same") is False]
    rows = [f"| {each['dialect']} | `{each['id']}` | {told_reason(each)} |" for each in told]
    _write(TOLD_BEGIN, TOLD_END, ("| case of | which | why |", "| --- | --- | --- |"), rows)


def _stricter(results: Iterable[Mapping[str, Any]]) -> list[str]:
    by_rule: dict[tuple[int, str], list[str]] = {}
    for result in results:
        found = _RULE.fullmatch(str(result["compared"]))
        if found:
            by_rule.setdefault((int(found[1]), str(result["dialect"])), []).append(str(result["id"]))
    return [
        f"| {rule} | {dialect} | {len(names)} | {', '.join(f'`{name}`' for name in sorted(names))} |"
        for (rule, dialect), names in sorted(by_rule.items())
    ]


def _write(begin: str, end: str, header: Sequence[str], rows: Sequence[str]) -> None:
    section = "\n".join((begin, "", *header, *rows, "", end))
    before, _, rest = PAGE.read_text("utf-8").partition(begin)
    PAGE.write_text(before + section + rest.partition(end)[2], "utf-8")
