"""The section of docs/conformance.md that lists every recorded case in which pisces is stricter, by our rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"
BEGIN, END = "<!-- stricter cases: written by scripts/hook-cases --page -->", "<!-- end of stricter cases -->"
_ROW = re.compile(r"^\| (\d) \| ([\w-]+) \| (\d+) \| (.+) \|$", re.MULTILINE)
_RULE = re.compile(r"stricter by rule (\d)")


def listed_cases() -> dict[tuple[str, str], int]:
    """The rule of each case that the page lists, by dialect and id."""
    section = PAGE.read_text("utf-8").partition(BEGIN)[2].partition(END)[0]
    return {
        (dialect, name): int(rule)
        for rule, dialect, _count, names in _ROW.findall(section)
        for name in re.findall(r"`([^`]+)`", names)
    }


def write_page(results: Iterable[Mapping[str, Any]]) -> None:
    by_rule: dict[tuple[int, str], list[str]] = {}
    for result in results:
        found = _RULE.fullmatch(str(result["compared"]))
        if found:
            by_rule.setdefault((int(found[1]), str(result["dialect"])), []).append(str(result["id"]))
    rows = [
        f"| {rule} | {dialect} | {len(names)} | {', '.join(f'`{name}`' for name in sorted(names))} |"
        for (rule, dialect), names in sorted(by_rule.items())
    ]
    section = "\n".join(
        (BEGIN, "", "| rule | cases of | how many | which |", "| --- | --- | --- | --- |", *rows, "", END)
    )
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    PAGE.write_text(before + section + rest.partition(END)[2], "utf-8")
