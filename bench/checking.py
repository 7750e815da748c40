"""`pisces check` of the whole corpus of real and synthetic extensions: under two seconds of one core."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Failed, Subject, in_turns, pisces, typical
from bench.result import Outcome, Result, Skipped

ARCHIVES = ("gemini-extensions.tar.gz", "synthetic.tar.gz")
WHAT = "check of the whole corpus"
LIMIT = 2000.0


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    source = Path(os.environ.get("PISCES_CORPUS") or Path(__file__).resolve().parents[2] / "shared" / "corpus")
    missing = [name for name in ARCHIVES if not (source / name).is_file()]
    if missing:
        yield Skipped(WHAT, f"needs {' and '.join(missing)} in PISCES_CORPUS")
        return
    for name in ARCHIVES:
        with tarfile.open(source / name) as archive:
            archive.extractall(folder / name.split(".")[0], filter="data")
    packages = sorted(str(path.parent) for path in folder.rglob("gemini-extension.json"))
    checks = Subject("check", pisces("check", *packages), folder, folder, exit_codes=(0, 1))
    try:
        costs = in_turns([checks], max(3, rounds // 3))[0]
    except Failed as error:
        yield Skipped(WHAT, str(error))
        return
    used = typical(costs, "cpu")
    what = f"{WHAT}, {len(packages)}"
    yield Result(what, f"{LIMIT / 1000:g} s of one core", LIMIT, used, "cpu", used / LIMIT, at_most=1)
