"""Loading 50 Python modules against plain imports of the same files, both in one process: at most three times as long.

A plain import reads bytecode that Python keeps beside the file; ours reads the source, and bytecode from a folder of
our own, and then calls the factory, which registers a command and a tool.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.measure import PYTHON, Failed
from bench.result import Outcome, Result

COUNT = 50
GOAL = 3.0

MODULE = '''"""A module of the usual size: a list, a few rules, a command and a tool."""

from __future__ import annotations

import os


class Todo:
    def __init__(self) -> None:
        self.items: list[str] = []
        self.seen: dict[str, int] = {}

    def add(self, text: str) -> int:
        self.items.append(text)
        self.seen[text] = len(self.items)
        return len(self.items)

    def listed(self) -> str:
        return "\\n".join(f"{number}. {text}" for number, text in enumerate(self.items, 1)) or "nothing to do"


def is_protected(path: str) -> bool:
    parts = os.path.normpath(path).split(os.sep)
    return any(name in parts for name in (".env", ".git", "node_modules"))


def counted(text: str) -> str:
    words = len(text.split())
    return f"{words} word" if words == 1 else f"{words} words"


def extension(pisces):
    todo = Todo()

    @pisces.command("count-NUMBER", "Counts words")
    def count(args):
        return counted(args)

    @pisces.tool()
    def todo_NUMBER(action: str, text: str = "") -> str:
        """Keeps a list."""
        return str(todo.add(text)) if action == "add" else todo.listed()
'''

PROGRAM = """
import asyncio, gc, importlib, json, os, sys, time
from pisces.modules.api import Wiring
from pisces.modules.bus import Bus
from pisces.modules.entries import named_entries
from pisces.modules.load import Loader
from pisces.modules.tasks import Tasks
from pisces.places import Places

folder, cache, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
names = sorted(name[:-3] for name in os.listdir(folder) if name.endswith(".py"))
entries = named_entries(Places(folder, folder), [f"{name}.py" for name in names]).running

def plain():
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    started = time.perf_counter()
    for name in names:
        importlib.import_module(name)
    taken = time.perf_counter() - started
    for name in names:
        del sys.modules[name]
    sys.path.remove(folder)
    return taken

async def load():
    wiring = Wiring(folder, Bus(print, Tasks(print)))
    loader = Loader(wiring, print, cache=cache)
    started = time.perf_counter()
    loaded = await loader.load(entries)
    taken = time.perf_counter() - started
    assert len(loaded.modules) == len(names), loaded.errors
    for extension in loaded.modules:
        loader.unload(extension)
    return taken

plain(), asyncio.run(load())
gc.collect(), gc.freeze()
print(json.dumps([(plain() * 1000, asyncio.run(load()) * 1000) for _ in range(rounds)]))
"""


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    modules = folder / "modules"
    modules.mkdir()
    for number in range(COUNT):
        (modules / f"module_{number:02}.py").write_text(MODULE.replace("NUMBER", str(number)))
    command = [PYTHON, "-c", PROGRAM, str(modules), str(folder / "cache"), str(rounds)]
    done = subprocess.run(command, env={"HOME": str(folder)}, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise Failed(f"loading modules: {done.stderr.strip().splitlines()[-1]}")
    taken: list[tuple[float, float]] = json.loads(done.stdout)
    theirs, ours = (median(times) for times in zip(*taken, strict=True))
    ratio = median(loaded / imported for imported, loaded in taken)
    yield Result(f"load {COUNT} modules", "plain imports", theirs, ours, "wall", ratio, at_most=GOAL)
