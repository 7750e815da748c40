"""Runs one act again and again, killing it before its first, second ... file-system step, and looks what is left.

A program of its own, because it forks: `crash_driver.py FOLDER ACT STRIDE` prints one line of JSON. Every STRIDE-th
step is tried; 1 tries all.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from pisces.discovery.capabilities import PACKAGES
from pisces.discovery.registry import discover
from pisces.packages.enable import disable
from pisces.packages.fetching.source import parse_source
from pisces.packages.install import Installer, install
from pisces.packages.store.store import own_store, read_index, writing
from pisces.packages.store.tree import tree_of
from pisces.packages.uninstall import rollback, uninstall
from pisces.packages.update import update
from pisces.places import Places
from pisces.shapes.verdict import ALLOW, Judged, Verdict

STEPS = (
    "os.rename",
    "os.mkdir",
    "os.remove",
    "os.rmdir",
    "os.chmod",
    "os.link",
    "os.symlink",
    "os.truncate",
    "shutil.",
)
FILES = 40


def package(folder: Path, version: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "gemini-extension.json").write_text(json.dumps({"name": "review", "version": version}))
    for number in range(FILES):
        command = folder / "commands" / f"c{number}.toml"
        command.parent.mkdir(exist_ok=True)
        command.write_text(f'prompt = "{version} {number}"')


def shop_of(places: Places) -> Installer:
    return Installer(own_store(places), places, lambda asked: Judged(asked, Verdict(ALLOW)), lambda _text: None)


def acts(source: Path) -> dict[str, tuple[Callable[[Installer], object], Callable[[Installer], object]]]:
    """For each act: how the world is made ready, and the act itself."""

    def nothing(_shop: Installer) -> None: ...

    def first(shop: Installer) -> None:
        package(source, "1.0.0")
        install(parse_source(str(source), shop.places), shop)

    def newer(shop: Installer) -> None:
        first(shop)
        package(source, "2.0.0")

    def both(shop: Installer) -> None:
        newer(shop)
        renew(shop)

    def renew(shop: Installer) -> None:
        update(read_index(shop.store)["review"], shop)

    package(source, "1.0.0")
    return {
        "install": (nothing, lambda shop: install(parse_source(str(source), shop.places), shop)),
        "update": (newer, renew),
        "uninstall": (both, lambda shop: uninstall("review", shop)),
        "disable": (first, lambda shop: disable("review", "user", shop)),
        "rollback": (both, lambda shop: rollback("review", shop)),
    }


def observed(places: Places) -> list[object]:
    """The state that anybody sees: from the index, with every byte of every tree checked against its hash."""
    seen: list[object] = []
    for name, each in sorted(read_index(own_store(places)).items()):
        whole = tree_of(each.folder).hash == each.tree
        before = each.previous is None or os.path.isdir(str(each.previous["folder"]))
        seen.append([name, each.version, list(each.overrides), whole, before])
    return seen


def killed_at(step: int, act: Callable[[Installer], object], shop: Installer) -> bool:
    """Runs the act in a child that dies before its step-th step; False where it had fewer steps than that."""
    if sys.platform == "win32":
        raise NotImplementedError("cannot fork")
    child = os.fork()
    if not child:
        count = 0

        def watch(event: str, args: tuple[object, ...]) -> None:
            nonlocal count
            writes = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if writes or event.startswith(STEPS):
                count += 1
                if count == step:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(watch)
        act(shop)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def problems(places: Places, old: list[object], new: list[object]) -> Iterator[str]:
    seen = observed(places)
    if seen not in (old, new):
        yield f"neither old nor new: {seen}"
    listed = discover(PACKAGES, places)
    if [each for each in listed.diagnostics if each.severity != "note"]:
        yield f"list complains: {listed.diagnostics}"
    store = own_store(places)
    with writing(store, lambda _text: None):
        pass
    if observed(places) != seen:
        yield "the repair changed what is installed"
    left = os.listdir(store.staging) if os.path.isdir(store.staging) else []
    if left or [name for name in os.listdir(store.folder) if name.endswith(".new")]:
        yield f"the repair left something: {left}"


def main(root: Path, name: str, stride: int) -> dict[str, object]:
    source, ready, home = root / "review", root / "ready", root / "home"
    prepare, act = acts(source)[name]
    places = Places(str(home), str(root), {})

    def fresh() -> Installer:
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(ready, home, symlinks=True)
        return shop_of(places)

    home.mkdir()
    prepare(shop_of(places))
    old = observed(places)
    home.rename(ready)
    act(fresh())
    new = observed(places)
    step, found = 1, []
    while killed_at(step, act, fresh()):
        found += [f"step {step}: {problem}" for problem in problems(places, old, new)]
        step += stride
    return {"act": name, "points": (step - 1) // stride, "problems": found, "old": old, "new": new}


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]).resolve(), sys.argv[2], int(sys.argv[3]))))
