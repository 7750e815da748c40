"""What a pin starts is compared before each start, and read again only where something was touched."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pisces.discovery.pins import digest_of, pins_below
from pisces.gates.pinned_files import are_as_pinned
from pisces.places import Places


def linked(folder: Path) -> None:
    (folder / "a.js").unlink()
    (folder / "a.js").symlink_to("/etc/hostname")


def set_back(folder: Path) -> None:
    (folder / "a.js").write_text("eno\n")
    os.utime(folder / "a.js", (1, 1))


CHANGES: dict[str, Callable[[Path], object]] = {
    "other bytes": lambda folder: (folder / "a.js").write_text("evil"),
    "as many other bytes": lambda folder: (folder / "a.js").write_text("eno\n"),
    "a new file": lambda folder: (folder / "sub" / "b.js").write_text("evil"),
    "a file less": lambda folder: (folder / "a.js").unlink(),
    "a link instead": linked,
    "times set back": set_back,
    "another folder": lambda folder: (folder / "sub").rename(folder / "other"),
    "nothing left": shutil.rmtree,
}


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "pin" / "sub").mkdir(parents=True)
    (tmp_path / "pin" / "a.js").write_text("one\n")
    (tmp_path / "pin" / "sub" / "c.js").write_text("c\n")
    for each in (tmp_path / "pin" / "a.js", tmp_path / "pin"):
        os.utime(each, (1, 1))
    return Places(str(tmp_path), str(tmp_path))


@pytest.mark.parametrize("compared", [0, 1, 2])
@pytest.mark.parametrize("change", CHANGES)
def test_any_change_is_noticed_however_often_it_was_compared(places: Places, change: str, compared: int) -> None:
    folder = Path(places.home, "pin")
    tree = digest_of(pins_below(str(folder)))
    assert all(are_as_pinned(str(folder), tree, places) for _ in range(compared))
    CHANGES[change](folder)
    assert not are_as_pinned(str(folder), tree, places)


def test_a_broken_memory_only_costs_time(places: Places) -> None:
    folder = f"{places.home}/pin"
    Path(places.agent_dir).mkdir(parents=True)
    Path(places.agent_dir, "compared-pins.json").write_text("{")
    assert are_as_pinned(folder, digest_of(pins_below(folder)), places)
    assert not are_as_pinned(folder, "other", places)
