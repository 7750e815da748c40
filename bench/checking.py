"""`pisces check` of the whole corpus of real and synthetic extensions: under two seconds of one core."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.corpus import extracted, why_missing
from bench.measure import Failed, Subject, in_turns, pisces, typical
from bench.result import Outcome, Result, Skipped

ARCHIVES = ("gemini-extensions.tar.gz", "synthetic.tar.gz")
WHAT = "check of the whole corpus"
LIMIT = 2000.0


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    if missing := why_missing(*ARCHIVES):
        yield Skipped(WHAT, missing)
        return
    for name in ARCHIVES:
        extracted(name, folder / name.split(".")[0])
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
