"""What mypy says of a small program that uses pisces, line by line."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"
_OPTIONS = ("--strict", "--no-error-summary", "--follow-imports=silent", "--config-file=", "--cache-dir=cache")


def errors_in(right: str, wrong: Iterable[str], folder: Path) -> dict[int, str]:
    """The first message for each line of a program: lines that are right, then one for each mistake."""
    (folder / "program.py").write_text("\n".join((right.rstrip(), *wrong)) + "\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *_OPTIONS, "program.py"],
        cwd=folder,
        env={"MYPYPATH": str(SOURCE), "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert not done.stderr
    found: dict[int, str] = {}
    for line, message in re.findall(r"^program\.py:(\d+): error: (.*)$", done.stdout, re.MULTILINE):
        found.setdefault(int(line), message)
    return found
