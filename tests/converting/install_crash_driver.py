"""Stops an installation, an update, an uninstallation or a conversion before each of its steps; looks at what is left.

`python -m tests.converting.install_crash_driver FOLDER ACT STRIDE [full]` prints a JSON object; `problems` must be
empty. With `full` no process is killed: the disk is full at that step.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from pisces.diagnostics import PiscesError
from pisces.places import Places
from tests.converting.test_convert import put
from tests.converting.test_install import PLUGIN, installed, uninstalled
from tests.converting.test_output import converted, snapshot
from tests.packages.crash_driver import STEPS

Act = Callable[[], object]
OLD = {
    ".gemini/settings.json": '{\n  // mine\n  "theme": "dark"\n}\n',
    ".gemini/agents/reader.md": "---\nname: reader\ncolor: blue\n---\nRead the whole file.\n",
}
CHANGED = {
    ".mcp.json": '{"docs": {"command": "deno"}, "more": {"command": "more"}}',
    "agents/reader.md": PLUGIN["agents/reader.md"] + "And more.\n",
    "skills/other/SKILL.md": "---\nname: other\ndescription: Other\n---\nOther.\n",
}


class World:
    """A home and a package; `bare`: nothing is in the home yet."""

    def __init__(self, root: Path, *, bare: bool) -> None:
        self.home, self.source, self.out = root / "home", root / "plugin", root / "home" / "dist" / "out"
        self.places = Places(str(self.home), str(root), {})
        self.home.mkdir()
        put(self.source, PLUGIN)
        if not bare:
            put(self.home, OLD)
            (self.home / ".gemini/settings.json").chmod(0o600)

    def edit(self) -> None:
        put(self.source, CHANGED)
        shutil.rmtree(self.source / "commands")


def stopped_at(step: int, act: Act, stop: Act) -> bool:
    """Runs the act in a child that is stopped before its step-th step; False where it had fewer steps than that."""
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
                    stop()

        sys.addaudithook(watch)
        try:
            act()
        except PiscesError as error:
            os._exit(3 if error.diagnostic.code == "disk-refused" else 4)
        os._exit(0 if count < step else 5)
    _, status = os.waitpid(child, 0)
    assert status >> 8 in (0, 3, 5), "an error of another kind"
    return status != 0


def kill() -> None:
    if sys.platform != "win32":
        os.kill(os.getpid(), signal.SIGKILL)


def fill_disk() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def acts(world: World, name: str) -> tuple[Act, Act, Act]:
    """The act; the act that mends it; and the one that takes everything back."""

    def install() -> object:
        return installed(world.source, world.places)

    def take_back() -> None:
        try:
            uninstalled(world.places)
        except PiscesError as error:
            if error.diagnostic.code != "install-not-installed":
                raise

    if name == "convert":
        return (lambda: converted(world.source, world.out, world.places),) * 2 + (lambda: None,)
    if name == "uninstall":
        return take_back, take_back, take_back
    return install, install, take_back


def problems(world: World, name: str, begin: dict[str, object], wanted: dict[str, object]) -> Iterator[str]:
    _, again, take_back = acts(world, name)
    left = world.home.with_name("left")
    shutil.copytree(world.home, left, symlinks=True)
    again()
    if snapshot(world.home) != wanted:
        yield f"the act cannot be repeated: {sorted({*snapshot(world.home)} ^ {*wanted})}"
    shutil.rmtree(world.home)
    left.rename(world.home)
    if name != "convert":
        take_back()
        if snapshot(world.home) != begin:
            yield f"it cannot be taken back: {sorted({*snapshot(world.home)} ^ {*begin})}"


def main(root: Path, name: str, stride: int, stop: Act = kill) -> dict[str, object]:
    what, _, state = name.partition("-")
    world = World(root, bare=state == "bare")
    begin = snapshot(world.home)
    act, _, _ = acts(world, what)
    if what in ("update", "uninstall"):
        installed(world.source, world.places)
    if what == "convert" and state == "again":
        act()
    if what == "update" or state == "again":
        world.edit()
    ready = root / "ready"
    shutil.copytree(world.home, ready, symlinks=True)
    act()
    wanted = snapshot(world.home)
    step, found = 1, []
    while True:
        shutil.rmtree(world.home)
        shutil.copytree(ready, world.home, symlinks=True)
        if not stopped_at(step, act, stop):
            break
        if stop is fill_disk and snapshot(world.home) not in (snapshot(ready), wanted):
            found.append(f"step {step}: a full disk leaves {sorted({*snapshot(world.home)} ^ {*snapshot(ready)})}")
        found += [f"step {step}: {problem}" for problem in problems(world, what, begin, wanted)]
        step += stride
    return {"act": name, "points": (step - 1) // stride, "problems": found, "changes": wanted != snapshot(ready)}


if __name__ == "__main__":
    fault = fill_disk if sys.argv[4:] == ["full"] else kill
    print(json.dumps(main(Path(sys.argv[1]).resolve(), sys.argv[2], int(sys.argv[3]), fault)))
