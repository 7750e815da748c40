"""Runs the literate cases in tests/cases: each `# Title` is a small tree of files and what pisces says about it.

A case is prose with two kinds of fenced blocks. `file path=...` writes a file: below a home of its own when the path
starts with `~/`, else below a project folder, which is a repository. Options: `encoding=latin-1`, `hex` (the content is
hexadecimal), `link=target` (a symbolic link), `folder` (an empty one), `run` (with its run bit). `console` holds
`$ pisces ...` lines, each with what it prints below: first what goes to stdout, then what goes to stderr. `(exit 1)` on
the last line is the exit code when it is not 0. Variables may stand before `pisces`; `console cwd=sub` starts in a
folder of the project.

`PISCES_UPDATE_CASES=1 scripts/test tests/test_cases.py` writes what is printed today into the cases: review the diff.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.warm_shell import pisces

CASES = Path(__file__).parent / "cases"
UPDATE = bool(os.environ.get("PISCES_UPDATE_CASES"))
PASSED_ON = ("PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "PYTHONPATH", "COVERAGE_PROCESS_START")
EXIT = re.compile(r"(?:\(exit (\d+)\)|\? (\d+))")
FENCE = re.compile(r"(`{3,}|~{3,})\s*(\w+)?\s*(.*)")


@dataclass
class Block:
    """A fenced block: `line` is that of its first line of content, counted from 1."""

    kind: str
    options: dict[str, str]
    line: int
    content: list[str]


@dataclass
class Case:
    file: Path
    title: str
    blocks: list[Block] = field(default_factory=list)


@dataclass
class Step:
    """One `$` line with what is expected below it."""

    command: str
    line: int
    expected: list[str]


def cases_in(file: Path) -> list[Case]:
    cases: list[Case] = []
    open_block: Block | None = None
    fence = ""
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        opening = FENCE.fullmatch(line)
        if open_block:
            if line.startswith(fence) and not line.strip(fence[0]):
                open_block = None
            else:
                open_block.content.append(line)
        elif line.startswith("# "):
            cases.append(Case(file, line[2:].strip()))
        elif opening:
            fence = opening[1]
            open_block = Block(opening[2] or "", _options(opening[3]), number + 1, [])
            if cases:
                cases[-1].blocks.append(open_block)
    return cases


def _options(text: str) -> dict[str, str]:
    return {key: value for key, _, value in (part.partition("=") for part in shlex.split(text))}


def steps_in(block: Block) -> list[Step]:
    steps: list[Step] = []
    for number, line in enumerate(block.content, block.line):
        if line.startswith("$ "):
            steps.append(Step(line[2:], number, []))
        elif steps:
            steps[-1].expected.append(line)
    return steps


class Workspace:
    """A home and a project in a temporary folder, and pisces run in them."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.cwd = folder / "project"
        self.home.mkdir()
        (self.cwd / ".git").mkdir(parents=True)

    def write(self, block: Block) -> None:
        name = block.options["path"]
        path = self.home / name[2:] if name.startswith("~/") else self.cwd / name
        text = "".join(f"{line}\n" for line in block.content)
        path.parent.mkdir(parents=True, exist_ok=True)
        if "folder" in block.options:
            path.mkdir()
        elif "link" in block.options:
            path.symlink_to(block.options["link"])
        elif "hex" in block.options:
            path.write_bytes(bytes.fromhex(text))
        else:
            path.write_bytes(text.encode(block.options.get("encoding", "utf-8")))
        if "run" in block.options:
            path.chmod(0o755)

    def printed(self, command: str, cwd: str) -> list[str]:
        """What a command line prints, and its exit code where that is not 0."""
        words = shlex.split(command)
        given = words.index("pisces")
        done = pisces(*words[given + 1 :], cwd=self.cwd / cwd, env=self._env(words[:given]))
        lines = (self._hidden(done.stdout) + self._hidden(done.stderr)).splitlines()
        return [*map(str.rstrip, lines), *([f"(exit {done.returncode})"] if done.returncode else [])]

    def _env(self, assignments: list[str]) -> dict[str, str]:
        env = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        env |= {"HOME": str(self.home), "USERPROFILE": str(self.home)}
        env |= {"COLUMNS": "200", "NO_COLOR": "1", "PYTHONUTF8": "1"}
        for assignment in assignments:
            name, _, value = assignment.partition("=")
            env[name] = str(self.home / value[2:]) if value.startswith("~/") else value
        return env

    def _hidden(self, text: str) -> str:
        for path, shown in ((self.home, "<HOME>"), (self.cwd, "<CWD>")):
            text = text.replace(str(path.resolve()), shown).replace(str(path), shown)
        return text


def _normal(expected: list[str]) -> list[str]:
    """The expectation as `printed` says it: no blank lines at the end, one spelling of the exit code."""
    lines = [line.rstrip() for line in expected]
    while lines and not lines[-1]:
        lines.pop()
    if lines and (code := EXIT.fullmatch(lines[-1])):
        lines[-1] = f"(exit {code[1] or code[2]})"
    return lines


def _all_cases() -> list[tuple[Path, str]]:
    return [(file, case.title) for file in sorted(CASES.glob("*.md")) for case in cases_in(file)]


@pytest.mark.parametrize(("file", "title"), _all_cases(), ids=[f"{file.stem}::{title}" for file, title in _all_cases()])
def test_case(file: Path, title: str, tmp_path: Path) -> None:
    found = [case for case in cases_in(file) if case.title == title]
    assert len(found) == 1, f"{file.name} has two cases called {title!r}"
    blocks = found[0].blocks
    assert any(block.kind == "console" for block in blocks), f"{file.name}: {title!r} runs nothing"
    workspace = Workspace(tmp_path)
    differences: list[str] = []
    rewritten: dict[int, list[str]] = {}
    for block in blocks:
        if block.kind == "file":
            workspace.write(block)
        elif block.kind == "console":
            rewritten[block.line] = _run(workspace, block, file, differences)
    if UPDATE:
        _rewrite(file, blocks, rewritten)
    elif differences:
        pytest.fail("\n".join(differences), pytrace=False)


def _run(workspace: Workspace, block: Block, file: Path, differences: list[str]) -> list[str]:
    content: list[str] = []
    for step in steps_in(block):
        printed = workspace.printed(step.command, block.options.get("cwd", ""))
        content += [f"$ {step.command}", *printed]
        if printed != _normal(step.expected):
            place = f"tests/cases/{file.name}:{step.line}"
            diff = difflib.unified_diff(_normal(step.expected), printed, place, "printed", lineterm="")
            differences += [f"{place}: $ {step.command}", *diff]
    return content


def _rewrite(file: Path, blocks: list[Block], rewritten: dict[int, list[str]]) -> None:
    lines = file.read_text("utf-8").splitlines()
    for block in reversed(blocks):  # from the bottom, so that the lines above keep their numbers
        if block.line in rewritten:
            start = block.line - 1
            lines[start : start + len(block.content)] = rewritten[block.line]
    file.write_text("\n".join(lines) + "\n", "utf-8")
