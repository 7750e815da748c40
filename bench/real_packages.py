"""`pisces list`, all kinds, of 100 real packages: against opening and reading the files that it opens."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from bench.corpus import extracted, why_missing
from bench.floors import bare_read
from bench.measure import PYTHON, Failed, Subject, environment_of, in_turns, pisces
from bench.result import Outcome, Skipped, at_most

PACKAGES = 100
LIMIT = 4
WHAT = f"list (full inventory), {PACKAGES} real packages"
ARCHIVE = "gemini-extensions.tar.gz"

# Writes down which files below home are opened, each once, in that order.
WATCHER = """
import os, sys
from pisces.__main__ import main
home, opened = os.path.expanduser("~") + os.sep, {}
def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], str) and arguments[0].startswith(home):
        opened[arguments[0]] = True
sys.addaudithook(watch)
status = main(["list"])
files = list(opened)
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write("\\0".join(files))
sys.exit(status)
"""


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    if missing := why_missing(ARCHIVE):
        yield Skipped(WHAT, missing)
        return
    cwd, home, files = folder / "project", folder / "home", folder / "opened.txt"
    cwd.mkdir()
    _install(extracted(ARCHIVE, folder / "corpus"), home / ".gemini" / "extensions")
    ours = Subject("list", pisces("list"), home, cwd)
    command = [PYTHON, "-c", WATCHER, str(files)]
    watched = subprocess.run(command, cwd=cwd, env=environment_of(ours), capture_output=True, check=False)
    if watched.returncode != 0:
        raise Failed(f"{WHAT}: {watched.stderr.decode('utf-8', 'replace').strip()[-200:]}")
    bare, listed = in_turns([bare_read(files, home, cwd), ours], rounds)
    names = WHAT, f"reading {files.read_text('utf-8').count(chr(0)) + 1} files"
    yield at_most(LIMIT, names, listed, bare)


def _install(corpus: Path, extensions: Path) -> None:
    """The first packages by path, each as a folder of its own."""
    manifests = sorted(corpus.rglob("gemini-extension.json"), key=lambda path: (len(path.parts), path))
    for number, manifest in enumerate(manifests[:PACKAGES]):
        shutil.copytree(manifest.parent, extensions / f"{number:03}-{manifest.parent.name}", symlinks=True)
