"""`pisces scan` of samples and of real extensions, beside Cisco's skill scanner (offline) where it is installed.

`PISCES_SKILL_SCANNER` names its Python: one in an environment with `cisco-ai-skill-scanner`. The samples are those of
`tests/scanning/samples`. The peer reads skills: a package without a `SKILL.md` gets an empty one for it. Noticed means
an error or a warning; for the peer, high and critical findings are errors, and medium ones warnings. Each scanner has
one process for all packages of a set.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.checking.planting import plant
from tests.scanning.sample_trees import samples

from bench.corpus import extracted, why_missing
from bench.measure import PYTHON, Failed
from bench.result import Outcome, Result, Skipped

ARCHIVE = "gemini-extensions.tar.gz"
SETS = {
    "the first samples": (
        *("shells_and_downloads.txt", "harvest_and_exfil.txt", "staying_and_orders.txt", "built_and_named.txt"),
    ),
    "the second samples": ("second.txt",),
    "the third samples": ("third.txt",),
    "the fourth samples": ("fourth.txt",),
    "the fifth samples": ("fifth.txt",),
    "the sixth samples": ("sixth.txt",),
    "the seventh samples": ("seventh.txt",),
    "the eighth samples": ("eighth.txt",),
    "the ninth samples": ("ninth.txt",),
    "the tenth samples": ("tenth.txt",),
    "the eleventh samples": ("eleventh.txt",),
    "the twelfth samples": ("twelfth.txt",),
    "the thirteenth samples": ("thirteenth.txt",),
    "the fourteenth samples": ("fourteenth.txt",),
    "the fifteenth samples": ("fifteenth.txt",),
}
LIMIT = 4000.0
SKILL = "---\nname: package\ndescription: A package.\n---\nUse it.\n"

# One process; prints errors, noticed packages and milliseconds of CPU.
OURS = """
import json, sys, time
from pisces.places import Places
from pisces.scanning.scan import scan
start, errors, noticed = time.process_time(), 0, 0
for folder in sys.argv[2:]:
    found = {each.severity for each in scan(folder, Places(sys.argv[1], sys.argv[1])).diagnostics}
    errors += "error" in found
    noticed += bool(found & {"error", "warning"})
print(json.dumps([errors, noticed, (time.process_time() - start) * 1000]))
"""
THEIRS = """
import json, logging, sys, time
logging.disable(logging.CRITICAL)
from skill_scanner.core.scanner import SkillScanner
start, errors, noticed, scanner = time.process_time(), 0, 0, SkillScanner()
for folder in sys.argv[2:]:
    try:
        found = {each.severity.value.upper() for each in scanner.scan_skill(folder, lenient=True).findings}
    except Exception:
        found = set()
    errors += bool(found & {"HIGH", "CRITICAL"})
    noticed += bool(found & {"HIGH", "CRITICAL", "MEDIUM"})
print(json.dumps([errors, noticed, (time.process_time() - start) * 1000]))
"""


def compare(folder: Path, _rounds: int) -> Iterator[Outcome]:
    for name, files in SETS.items():
        packages = [_planted(folder / name, sample, tree) for sample, tree in samples(*files)]
        yield from _compared(name, packages, folder)
    if missing := why_missing(ARCHIVE):
        yield Skipped("real extensions", missing)
        return
    real = sorted(path.parent for path in extracted(ARCHIVE, folder / "real").rglob("gemini-extension.json"))
    yield from _compared("real extensions", real, folder)


def _planted(folder: Path, name: str, tree: dict[str, str | bytes]) -> Path:
    plant(folder / name, tree)
    return folder / name


def _compared(name: str, packages: Sequence[Path], folder: Path) -> Iterator[Outcome]:
    errors, noticed, used = _counted([PYTHON, "-c", OURS], packages, folder)
    what = f"scan of {name}, {len(packages)}: {errors:.0f} errors, {noticed:.0f} noticed"
    yield Result(what, f"{LIMIT / 1000:g} s of one core", LIMIT, used, "cpu", used / LIMIT, at_most=1)
    peer = os.environ.get("PISCES_SKILL_SCANNER")
    if not peer:
        yield Skipped(f"Cisco's scanner, {name}", "needs PISCES_SKILL_SCANNER")
        return
    for package in packages:
        if not (package / "SKILL.md").exists():
            (package / "SKILL.md").write_text(SKILL, "utf-8")
    their_errors, their_noticed, theirs = _counted([peer, "-c", THEIRS], packages, folder)
    against = f"Cisco's: {their_errors:.0f} errors, {their_noticed:.0f} noticed"
    yield Result(what, against, theirs, used, "cpu", theirs / used, at_least=1)


def _counted(command: list[str], packages: Sequence[Path], folder: Path) -> list[float]:
    words = [*command, str(folder), *map(str, packages)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
    try:
        found: list[float] = json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        raise Failed(f"{command[0]}: {done.stderr.strip()[-200:]}") from None
    return found
