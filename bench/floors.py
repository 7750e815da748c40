"""The least that can be done in Python: programs that only start, or only find and read the files in question."""

from __future__ import annotations

from pathlib import Path

from bench.measure import PYTHON, Subject

MANIFESTS = """
import os
for entry in os.scandir(os.path.expanduser("~/.gemini/extensions")):
    with open(os.path.join(entry.path, "gemini-extension.json"), encoding="utf-8") as file:
        file.read()
"""

INSTALLED = MANIFESTS.replace(".gemini/extensions", ".pisces/agent/packages/trees")

# Every file that a full inventory reads: all but the context files.
EVERYTHING = """
import os
pending = [os.path.expanduser("~/.gemini/extensions")]
while pending:
    for entry in os.scandir(pending.pop()):
        if entry.is_dir():
            pending.append(entry.path)
        elif entry.name != "GEMINI.md":
            with open(entry.path, encoding="utf-8") as file:
                file.read()
"""

# The files whose paths are in a file, with NUL between them.
LISTED = """
import sys
with open(sys.argv[1], encoding="utf-8") as file:
    paths = file.read().split("\\0")
for path in paths:
    with open(path, encoding="utf-8", errors="replace") as file:
        file.read()
"""


def bare_start(home: Path, cwd: Path) -> Subject:
    return Subject("python -c pass", (PYTHON, "-c", "pass"), home, cwd)


def bare_scan(program: str, home: Path, cwd: Path) -> Subject:
    return Subject("bare scan", (PYTHON, "-c", program), home, cwd)


def bare_read(listed: Path, home: Path, cwd: Path) -> Subject:
    return Subject("bare read", (PYTHON, "-c", LISTED, str(listed)), home, cwd)
