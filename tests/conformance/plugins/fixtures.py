"""Plugins in our own words, one for each entry of a list of sixteen real ones: small, with what is odd about it.

A file has a line about it, then what a judge must count, then the files of the plugin, each below `=== path`; a path
with a `!` behind it is a program. `root` names the folder that is converted where it is not the whole.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("fixtures")
NAMES = sorted(path.stem for path in FOLDER.glob("*.txt"))


@dataclass(frozen=True)
class Fixture:
    plugin: Path
    counts: Counter[str]


def built(name: str, folder: Path) -> Fixture:
    head, *parts = (FOLDER / f"{name}.txt").read_text("utf-8").split("\n=== ")
    for part in parts:
        first, _, text = part.partition("\n")
        path = folder / first.removesuffix(" !")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.rstrip("\n") + "\n", "utf-8")
        if first.endswith(" !"):
            path.chmod(0o755)
    lines = [line.rpartition(" ") for line in head.splitlines() if line and not line.startswith("#")]
    counts = Counter({label: int(value) for label, _, value in lines if label != "root"})
    root = next((value for label, _, value in lines if label == "root"), ".")
    return Fixture(folder / root, counts)
