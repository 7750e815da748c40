"""What `grep` returns: the lines that fit a pattern, under the file that they are in."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import pisces
from pisces.discovery.withheld import holds_secrets
from pisces.processes.ended import TIMEOUT
from pisces.processes.environment import passed_on
from pisces.processes.launch import Launch, Limits
from pisces.processes.process import captured
from pisces.shapes.tool import ToolFailed
from pisces.tools.finding import shown_path
from pisces.tools.named_path import failed, path_of
from pisces.tools.workbench import text_result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.tools.workbench import Workbench

_MOST_MATCHES = 200
_SECONDS = 20.0
_OUTPUT = 1 << 20
_START = (
    "import json, sys; sys.path.insert(0, sys.argv[1]);"
    "from pisces.tools.search_worker import main; main(json.load(sys.stdin))"
)


async def search(bench: Workbench, given: Mapping[str, Any]) -> dict[str, Any]:
    named = given.get("path") or "."
    start = path_of(bench, named)
    if "\0" in start or not os.path.exists(start):
        raise failed(named, FileNotFoundError(2, "does not exist"), start)
    if not os.path.isdir(start) and not os.path.isfile(start):
        raise ToolFailed(f"`{named}` is neither a folder nor a file")
    asked = {
        "pattern": given["pattern"],
        "glob": given.get("glob", ""),
        "start": start,
        "most": _MOST_MATCHES,
        "seconds": _SECONDS - 2,
    }
    out, err, ended = await captured(_launch(bench, json.dumps(asked).encode()))
    rows = [json.loads(line) for line in out.decode().split("\n")[:-1]]
    left_out = rows.pop() if rows and isinstance(rows[-1], dict) else {}
    if left_out.get("error"):
        raise ToolFailed(f"`pattern` or `glob` is not valid: {left_out['error']}")
    if not rows and ended.reason != TIMEOUT and ended.code != 0:
        raise ToolFailed(f"the search failed: {ended.failure or err.decode('utf-8', 'replace')[-200:] or ended.reason}")
    allowed = [row for row, may in zip(rows, _may_read(bench, rows, start), strict=True) if may]
    if len(allowed) < len(rows):
        left_out["rules"] = len({tuple(row[0]) for row in rows} - {tuple(row[0]) for row in allowed})
    return _result(allowed, _cut(left_out, ended.reason), named, start)


def _may_read(bench: Workbench, rows: list[Any], start: str) -> list[bool]:
    """Of each match, whether no rule is against reading its file and it holds no secrets: gates have judged the folder
    alone. A file that was named itself has been judged.
    """
    is_folder = os.path.isdir(start)
    files = {tuple(names): os.path.join(start, *names) for names, _, _ in rows}
    paths = {
        names: bench.may_read(path) and not (is_folder and holds_secrets(os.path.realpath(path)))
        for names, path in files.items()
    }
    return [paths[tuple(names)] for names, _, _ in rows]


def _launch(bench: Workbench, asked: bytes) -> Launch:
    home = os.path.dirname(os.path.dirname(os.path.abspath(pisces.__file__)))
    argv = (sys.executable, "-I", "-S", "-c", _START, home)
    limits = Limits(seconds=_SECONDS, output=_OUTPUT, grace=0.2)
    return Launch(argv, bench.folder(), passed_on(bench.places.env), limits, stdin=asked, is_brief=True)


def _cut(left_out: Mapping[str, Any], reason: str) -> str:
    if reason == TIMEOUT or left_out.get("time"):
        return f"[ended after {_SECONDS:.0f} s: use a simpler pattern or a narrower `path`]"
    if reason or left_out.get("cut"):
        return f"[more than {_MOST_MATCHES} matches: use a narrower pattern, `path` or `glob`]"
    if left_out.get("rules"):
        return f"[{left_out['rules']} files are left out: rules are against reading them, or they hold secrets]"
    large = left_out.get("large")
    return f"[{large} large files were not searched]" if large else ""


def _result(rows: list[Any], cut: str, named: str, start: str) -> dict[str, Any]:
    lines: list[str] = []
    files = set()
    for names, number, text in rows:
        path = shown_path(named, [os.fsencode(each) for each in names])
        if path not in files:
            lines.append(path)
        files.add(path)
        lines.append(f"{number}: {text}")
    text = "\n".join((*lines, *filter(None, (cut,)))) if rows or cut else "no match"
    return text_result(text, path=start, matches=len(rows), files=len(files), cut=cut)
