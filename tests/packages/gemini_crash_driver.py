"""As `crash_driver`, for Gemini CLI's store: the extensions there, the rules beside them, and what we know of them.

`python -m tests.packages.gemini_crash_driver FOLDER ACT STRIDE [plain]`; `plain` is for a system that cannot let two
folders change places in one step.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from pisces.diagnostics import PiscesError
from pisces.discovery.capabilities import PACKAGES
from pisces.discovery.registry import discover
from pisces.harnesses.gemini.store import swap
from pisces.harnesses.gemini.store.act import disable, enable, install, link, rollback, uninstall
from pisces.harnesses.gemini.store.enablement import read_enablement
from pisces.harnesses.gemini.store.layout import content_of, gemini_store
from pisces.harnesses.gemini.store.stored import stored_extensions
from pisces.harnesses.gemini.store.updates import update
from pisces.packages.fetching.source import parse_source
from pisces.packages.install import Installer
from pisces.places import Places
from tests.packages.crash_driver import killed_at, shop_of

Act = Callable[[Installer], object]
State = tuple[list[list[str]], list[object]]


def package(folder: Path, version: str, name: str = "review") -> None:
    """Small, because the steps that differ are those after copying."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "commands").mkdir(parents=True)
    (folder / "gemini-extension.json").write_text(json.dumps({"name": name, "version": version}))
    (folder / "commands" / "look.toml").write_text(f'prompt = "{version}"')


def acts(source: Path) -> dict[str, tuple[Act, Act]]:
    """For each act: how the world is made ready, and the act itself."""

    def put_in(shop: Installer) -> object:
        return install(parse_source(str(source), shop.places), shop)

    def nothing(_shop: Installer) -> None:
        package(source, "1.0.0")

    def first(shop: Installer) -> None:
        package(source, "1.0.0")
        put_in(shop)

    def newer(shop: Installer) -> None:
        first(shop)
        package(source, "2.0.0")

    def both(shop: Installer) -> None:
        newer(shop)
        renew(shop)

    def third(shop: Installer) -> None:
        both(shop)
        package(source, "3.0.0")

    def renamed(shop: Installer) -> None:
        both(shop)
        package(source, "3.0.0", "inspect")

    def off(shop: Installer) -> None:
        first(shop)
        disable("review", "user", shop)

    def renew(shop: Installer) -> None:
        update(stored_extensions(shop.places)["review"].package, shop)

    return {
        "install": (nothing, put_in),
        "link": (nothing, lambda shop: link(str(source), shop)),
        "update": (newer, renew),
        "update-again": (third, renew),
        "update-renames": (renamed, renew),
        "uninstall": (both, lambda shop: uninstall("review", shop)),
        "enable": (off, lambda shop: enable("review", "user", shop)),
        "disable": (first, lambda shop: disable("review", "user", shop)),
        "rollback": (both, lambda shop: rollback("review", shop)),
    }


def observed(places: Places) -> list[object]:
    """The files of every extension, its rules and what is known of it."""
    seen: list[object] = []
    rules = read_enablement(gemini_store(places))
    for name, each in sorted(stored_extensions(places).items()):
        known = None if each.record is None else [each.record.content, each.record.previous]
        kept = os.path.isdir(gemini_store(places).previous(name))
        folder = os.path.join(gemini_store(places).extensions, each.folder)
        seen.append([name, content_of(folder).hash, each.metadata, list(rules.get(name, ())), known, kept])
    return seen


def on_the_shelf(places: Places) -> list[list[str]]:
    """What listing shows while nothing is repaired yet: every extension with its content, whole."""
    return [[name, content_of(each.package.folder).hash] for name, each in sorted(stored_extensions(places).items())]


def left_over(own: str) -> list[str]:
    """What lies on the way between two states: files half written, folders half moved."""
    ways = ("incoming", "outgoing", "trash", "staging/.staging")
    found = [name for way in ways if os.path.isdir(f"{own}/{way}") for name in os.listdir(f"{own}/{way}")]
    known = (".lock", "records", "previous", "incoming", "outgoing", "trash", "staging")
    halves = [name for name in os.listdir(f"{own}/records") if name.endswith(".new")]
    return found + halves + [name for name in os.listdir(own) if name not in known]


def problems(places: Places, old: State, new: State, again: Act) -> Iterator[str]:
    seen = on_the_shelf(places)
    if seen not in (old[0], new[0]):
        yield f"neither old nor new: {seen}"
    if swap._system_call() and os.path.isdir(gemini_store(places).outgoing("")):
        yield "there are moments when Gemini CLI would miss one"
    listed = discover(PACKAGES, places)
    if [each for each in listed.diagnostics if each.severity != "note"]:
        yield f"list complains: {listed.diagnostics}"
    shop = shop_of(places)
    enable("other", "user", shop)  # any command that writes
    if observed(places) not in (old[1], new[1]):
        yield f"the repair leaves neither old nor new: {observed(places)}"
    left = left_over(gemini_store(places).own)
    if left:
        yield f"the repair left something: {left}"
    if observed(places) == old[1]:
        again(shop)
    if observed(places) != new[1]:
        yield f"the act cannot be repeated: {observed(places)}"


def main(root: Path, name: str, stride: int) -> dict[str, object]:
    source, ready, home = root / "review", root / "ready", root / "home"
    prepare, act = acts(source)[name]
    places = Places(str(home), str(root), {})

    def fresh() -> Installer:
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(ready, home, symlinks=True)
        return shop_of(places)

    home.mkdir()
    other = root / "other"
    other.mkdir()
    (other / "gemini-extension.json").write_text('{"name": "other", "version": "1.0.0"}')
    install(parse_source(str(other), places), shop_of(places))
    prepare(shop_of(places))
    old = (on_the_shelf(places), observed(places))
    home.rename(ready)
    act(fresh())
    new = (on_the_shelf(places), observed(places))
    step, found = 1, []
    while killed_at(step, act, fresh()):
        try:
            found += [f"step {step}: {problem}" for problem in problems(places, old, new, act)]
        except PiscesError as error:
            found.append(f"step {step}: {error.diagnostic}")
        step += stride
    return {"act": name, "points": (step - 1) // stride, "problems": found, "changes": old != new}


if __name__ == "__main__":
    if sys.argv[4:] == ["plain"]:
        swap._system_call = lambda: None
    print(json.dumps(main(Path(sys.argv[1]).resolve(), sys.argv[2], int(sys.argv[3]))))
