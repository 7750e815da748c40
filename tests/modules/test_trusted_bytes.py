"""What is loaded is what was trusted, to the byte: files that change between the check and the load do not run."""

from __future__ import annotations

import asyncio
import os
import py_compile
from collections.abc import Callable
from pathlib import Path

import pytest

from pisces.diagnostics import Diagnostic
from pisces.gates.trust import admitted
from pisces.gates.trusted import Trust
from pisces.gates.workspace import covered_here
from pisces.modules.entries import module_entries
from pisces.modules.entry import ModuleEntry
from pisces.modules.module_set import ModuleOptions, open_modules
from pisces.places import Places
from pisces.testing import ScriptedHost
from tests.discovery.world import written
from tests.modules.js_session import bun

SETUP = """
import builtins
from . import _rules
def extension(pisces):
    builtins.trusted_bytes.append(_rules.WORD)
"""


class Shop:
    """A project that was trusted as it is at that moment. `ran` has what its modules did."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder / "shop"
        self.places = Places(str(folder / "home"), str(self.folder), dict(os.environ))
        self.ran: list[str] = []
        monkeypatch.setattr("builtins.trusted_bytes", self.ran, raising=False)
        self.write("setup.py", SETUP)
        self.write("_rules.py", "WORD = 'agreed'\n")

    def write(self, name: str, text: str) -> Path:
        return written(self.folder / ".pisces" / "extensions" / name, text)

    def admitted(self) -> tuple[ModuleEntry, ...]:
        entries = module_entries(self.places)
        trust = Trust().including(self.places.cwd, covered_here(entries, [], self.places))
        return tuple(each for each in admitted(entries, trust, self.places).running if each.name == "setup")

    def load(self, entries: tuple[ModuleEntry, ...], cache: str = "") -> tuple[Diagnostic, ...]:
        async def loaded() -> tuple[Diagnostic, ...]:
            host = ScriptedHost(self.places.cwd)
            async with open_modules(entries, host, print, ModuleOptions(env=self.places.env, cache=cache)) as modules:
                return modules.errors

        return asyncio.run(loaded())


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    return Shop(tmp_path, monkeypatch)


def test_what_was_trusted_is_loaded(shop: Shop) -> None:
    assert shop.load(shop.admitted()) == ()
    assert shop.ran == ["agreed"]


def the_entry(shop: Shop) -> None:
    shop.write("setup.py", "import builtins\nbuiltins.trusted_bytes.append('wicked')\ndef extension(pisces): ...\n")


def a_sibling(shop: Shop) -> None:
    shop.write("_rules.py", "WORD = 'wicked'\n")


def a_package_in_place_of_the_sibling(shop: Shop) -> None:
    shop.write("_rules/__init__.py", "WORD = 'wicked'\n")


def a_link(shop: Shop) -> None:
    path = shop.folder / ".pisces" / "extensions" / "_rules.py"
    path.unlink()
    path.symlink_to(written(shop.folder / "evil.py", "WORD = 'wicked'\n"))


def bytecode_alone(shop: Shop) -> None:
    """A module without a source."""
    path = shop.folder / ".pisces" / "extensions" / "_rules.py"
    path.unlink()
    py_compile.compile(str(written(shop.folder / "evil.py", "WORD = 'wicked'\n")), f"{path}c")


@pytest.mark.parametrize("change", [the_entry, a_sibling, a_package_in_place_of_the_sibling, a_link, bytecode_alone])
def test_what_changed_after_the_check_is_not_loaded(shop: Shop, change: Callable[[Shop], None]) -> None:
    entries = shop.admitted()
    change(shop)
    (error,) = shop.load(entries)
    assert "`pisces trust`" in error.message
    assert shop.ran == []


def test_bytecode_beside_a_source_is_never_read(shop: Shop) -> None:
    evil = written(shop.folder / "evil.py", "WORD = 'wicked'\n")
    path = shop.folder / ".pisces" / "extensions" / "_rules.py"
    cached = __import__("importlib.util").util.cache_from_source(str(path))
    py_compile.compile(str(evil), cached, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    assert shop.load(shop.admitted()) == ()
    assert shop.ran == ["agreed"]


def test_nothing_comes_in_through_a_folder_of_bytecode(shop: Shop) -> None:
    """It is not covered, so nothing in it may be loaded but what the module imports by name."""
    (shop.folder / ".pisces" / "extensions" / "setup.py").unlink()
    shop.write("setup/__init__.py", SETUP.replace("from . import", "from .__pycache__ import"))
    entries = shop.admitted()
    shop.write("setup/__pycache__/_rules.py", "WORD = 'wicked'\n")
    (error,) = shop.load(entries)
    assert "`pisces trust`" in error.message
    assert shop.ran == []


def test_a_file_that_a_module_finds_only_when_it_runs_is_not_loaded(shop: Shop) -> None:
    shop.write(
        "setup.py",
        SETUP.replace(
            "from . import _rules",
            "from importlib import import_module\n_rules = import_module('._rules', __package__)",
        ),
    )
    (error,) = shop.load(shop.admitted())
    assert "`pisces trust`" in error.message
    assert shop.ran == []


def test_a_module_that_is_loaded_again_is_compared_again(shop: Shop) -> None:
    entries = shop.admitted()

    async def reloaded() -> tuple[Diagnostic, ...]:
        async with open_modules(entries, ScriptedHost(shop.places.cwd), print) as modules:
            a_sibling(shop)
            return await modules.reload(entries[0].path)

    (error,) = asyncio.run(reloaded())
    assert "_rules.py` is not what you trusted" in error.message
    assert shop.ran == ["agreed"]


def test_cached_code_of_other_bytes_is_not_used(shop: Shop, tmp_path: Path) -> None:
    """The cache is filled while the file is wicked; then the file is as it was agreed to."""
    entries = shop.admitted()
    a_sibling(shop)
    shop.load(tuple(each.replace(pins=None) for each in entries), cache=str(tmp_path / "cache"))
    shop.write("_rules.py", "WORD = 'agreed'\n")
    assert shop.load(entries, cache=str(tmp_path / "cache")) == ()
    assert shop.ran == ["wicked", "agreed"]


def test_a_script_that_changed_after_the_check_is_not_started(shop: Shop) -> None:
    """The entry, what it imports, and a package: compared before every start of the process, also after a crash."""
    (shop.folder / ".pisces" / "extensions" / "setup.py").unlink()
    mark = shop.folder / "mark"
    text = f'import "node:fs";\nimport {{ word }} from "./lib.ts";\nexport default () => {{}};\n// {mark}\n'
    shop.write("setup.ts", text)
    library = shop.write("lib.ts", "export const word = 1;\n")
    env = bun().env
    shop.places = shop.places.replace(env=dict(env))
    entries = shop.admitted()
    assert shop.load(entries) == ()
    library.write_text(
        f'import {{ writeFileSync }} from "node:fs";\nwriteFileSync("{mark}", "");\nexport const word = 2;\n'
    )
    (error,) = shop.load(entries)
    assert "lib.ts` is not what you trusted" in error.message
    assert not mark.exists()
