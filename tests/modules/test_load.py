"""Loading Python modules: what works, what goes wrong and where, and that nothing of a module is left behind."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pisces.diagnostics import Diagnostic
from pisces.modules.actions import NotInitialised, Stale
from pisces.modules.api import Wiring
from pisces.modules.bus import Bus
from pisces.modules.entries import named_entries
from pisces.modules.entry import NOT_TRUSTED
from pisces.modules.importing import PREFIX
from pisces.modules.load import Loaded, Loader
from pisces.modules.loaded_module import LoadedModule
from pisces.modules.tasks import Tasks
from pisces.places import Places
from pisces.shapes.events.surroundings import ModuleFailed
from tests.discovery.world import written

COMMAND = """
def extension(pisces):
    @pisces.command("say")
    def say(args):
        return {!r}
"""


class Bench:
    """A folder of modules, and what loads them."""

    def __init__(self, folder: Path, seconds: float = 10, cache: str = "") -> None:
        self.folder = folder
        self.told: list[ModuleFailed] = []
        self.wiring = Wiring(str(folder), Bus(self.told.append, Tasks(self.told.append)))
        self.loader = Loader(self.wiring, self.told.append, seconds=seconds, cache=cache)

    def write(self, path: str, text: str | object) -> Path:
        return written(self.folder / path, text)

    async def load(self, *paths: str) -> Loaded:
        found = named_entries(Places(str(self.folder), str(self.folder)), paths)
        assert not found.diagnostics, found.diagnostics
        return await self.loader.load([entry for entry in found.running if entry.is_python])

    def loaded(self, *paths: str) -> Loaded:
        return asyncio.run(self.load(*paths))

    def module(self, path: str) -> LoadedModule:
        loaded = self.loaded(path)
        assert not loaded.errors, loaded.errors
        return loaded.modules[0]

    def error(self, text: str, name: str = "broken.py") -> Diagnostic:
        self.write(name, text)
        loaded = self.loaded(name)
        assert not loaded.modules
        (error,) = loaded.errors
        assert error.about == str(self.folder / name)
        return error


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def _said(extension: LoadedModule) -> str:
    return str(extension.commands["say"].run(""))


def _left() -> list[str]:
    return [name for name in sys.modules if name.startswith(PREFIX)]


# What works


def test_a_factory_registers_through_the_api(bench: Bench) -> None:
    path = bench.write("safety.py", COMMAND.format("hello"))
    extension = bench.module("safety.py")
    assert (extension.path, extension.name, _said(extension)) == (str(path), "safety", "hello")


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_a_factory_may_be_asynchronous(bench: Bench, kind: str) -> None:
    bench.write("a.py", f"{kind} extension(pisces):\n    pisces.flag('fast')\n")
    assert list(bench.module("a.py").flags) == ["fast"]


def test_a_factory_may_wait(bench: Bench) -> None:
    text = "import asyncio\nasync def extension(pisces):\n    await asyncio.sleep(0)\n    pisces.flag('late')\n"
    bench.write("a.py", text)
    assert list(bench.module("a.py").flags) == ["late"]


def test_default_stands_in_for_extension(bench: Bench) -> None:
    bench.write("a.py", "def default(pisces):\n    pisces.flag('default')\n")
    bench.write("b.py", "def default(pisces): 1 / 0\ndef extension(pisces):\n    pisces.flag('extension')\n")
    assert [list(each.flags) for each in bench.loaded("a.py", "b.py").modules] == [["default"], ["extension"]]


def test_a_callable_object_is_a_factory(bench: Bench) -> None:
    bench.write("a.py", "class Kit:\n    def __init__(self, pisces):\n        pisces.flag('kit')\nextension = Kit\n")
    assert list(bench.module("a.py").flags) == ["kit"]


def test_the_order_of_entries_is_the_order_of_extensions(bench: Bench) -> None:
    for name in "cab":
        bench.write(f"{name}.py", COMMAND.format(name))
    assert [_said(each) for each in bench.loaded("c.py", "a.py", "b.py").modules] == ["c", "a", "b"]


@pytest.mark.parametrize("index", ["index.py", "__init__.py"])
def test_a_folder_imports_its_own_files(bench: Bench, index: str) -> None:
    bench.write(f"kit/{index}", "from .words import WORD\nfrom . import more\n" + COMMAND.format("x"))
    bench.write("kit/words.py", "from .deep.er import WORD\n")
    bench.write("kit/deep/er.py", "from ..more import VALUE\nWORD = VALUE\n")
    bench.write("kit/more.py", "VALUE = 1\n")
    assert bench.module("kit").name == "kit"


def test_a_declared_entry_imports_from_anywhere_in_its_folder(bench: Bench) -> None:
    bench.write("kit/pyproject.toml", '[tool.pisces]\nextensions = ["src/main.py"]')
    text = "from ..shared.words import WORD\nfrom .near import NEAR\ndef extension(pisces):\n"
    bench.write("kit/src/main.py", text + "    pisces.flag(WORD + NEAR)\n")
    bench.write("kit/src/near.py", "NEAR = '-near'\n")
    bench.write("kit/shared/words.py", "WORD = 'word'\n")
    assert list(bench.module("kit").flags) == ["word-near"]


def test_a_relative_import_in_a_handler_works_later(bench: Bench) -> None:
    text = """
        def extension(pisces):
            @pisces.command("say")
            def say(args):
                from .late import WORD
                return WORD
    """
    bench.write("kit/index.py", "\n".join(line[8:] for line in text.splitlines()))
    bench.write("kit/late.py", "WORD = 'late'\n")
    extension = bench.module("kit")
    assert _said(extension) == "late"
    bench.loader.unload(extension)
    assert not _left()


def test_modules_with_the_same_file_name_do_not_meet(bench: Bench) -> None:
    for name in "ab":
        bench.write(f"{name}/index.py", "from .words import WORD\n" + COMMAND.replace("{!r}", "WORD"))
        bench.write(f"{name}/words.py", f"WORD = {name!r}\n")
    assert [_said(each) for each in bench.loaded("a", "b").modules] == ["a", "b"]


@pytest.mark.parametrize("path", ["my-module.py", "über mod.py", "a.b.py", "import.py", "os.py"])
def test_a_file_may_have_any_name(bench: Bench, path: str) -> None:
    bench.write(path, "import os\nassert os.sep\n" + COMMAND.format("fine"))
    assert _said(bench.module(path)) == "fine"


def test_types_of_a_module_know_where_they_come_from(bench: Bench) -> None:
    text = "from __future__ import annotations\nimport dataclasses, pickle\n@dataclasses.dataclass\nclass Point:\n"
    text += "    x: int = 1\ndef extension(pisces):\n    assert pickle.loads(pickle.dumps(Point(3))).x == 3\n"
    bench.write("a.py", text)
    bench.module("a.py")


def test_a_loose_file_does_not_run_an_init_that_happens_to_lie_beside_it(bench: Bench) -> None:
    bench.write("__init__.py", "raise RuntimeError('not mine')\n")
    bench.write("a.py", COMMAND.format("fine"))
    assert _said(bench.module("a.py")) == "fine"


# What goes wrong, and where


def test_an_error_at_import_has_its_line(bench: Bench) -> None:
    error = bench.error("import os\n\nTOKEN = os.environ['NO_SUCH_VARIABLE_HERE']\n")
    assert (error.code, error.line, error.path) == ("module-import", 3, str(bench.folder / "broken.py"))
    assert error.message == "KeyError: 'NO_SUCH_VARIABLE_HERE'"


def test_an_error_in_a_file_beside_it_has_the_line_there(bench: Bench) -> None:
    bench.write("kit/index.py", "from .rules import RULES\n")
    path = bench.write("kit/rules.py", "RULES = [\n    1 / 0,\n]\n")
    (error,) = bench.loaded("kit").errors
    assert (error.code, error.path, error.line) == ("module-import", str(path), 2)


def test_an_error_in_somebody_elses_code_has_the_line_that_called_it(bench: Bench) -> None:
    error = bench.error("import json\n\nRULES = json.loads('{')\n")
    assert (error.code, error.line) == ("module-import", 3)


def test_an_error_in_the_factory_has_its_line(bench: Bench) -> None:
    error = bench.error("def extension(pisces):\n    pisces.flag('a')\n    raise RuntimeError('no git here')\n")
    assert (error.code, error.line, error.message) == ("module-failed", 3, "RuntimeError: no git here")


def test_an_error_after_waiting_has_its_line(bench: Bench) -> None:
    error = bench.error("import asyncio\nasync def extension(pisces):\n    await asyncio.sleep(0)\n    1 / 0\n")
    assert (error.code, error.line) == ("module-failed", 4)


def test_a_syntax_error_has_line_and_column(bench: Bench) -> None:
    error = bench.error("x = 1\ndef extension(pisces)\n    pass\n")
    assert (error.code, error.line, error.column) == ("module-syntax", 2, 22)
    assert "expected ':'" in error.message


def test_a_syntax_error_beside_it_is_told_there(bench: Bench) -> None:
    bench.write("kit/index.py", "from . import rules\n")
    path = bench.write("kit/rules.py", "a =\n")
    (error,) = bench.loaded("kit").errors
    assert (error.code, error.path, error.line) == ("module-syntax", str(path), 1)


def test_a_missing_dependency_is_named(bench: Bench) -> None:
    error = bench.error("import os\nimport no_such_thing.at_all\n")
    assert (error.code, error.line) == ("module-missing-import", 2)
    assert error.message == "`no_such_thing` is not installed"
    assert "pip install no_such_thing" in error.hint


def test_an_import_that_lacks_its_dot_is_explained(bench: Bench) -> None:
    bench.write("rules_beside_me.py", "")
    error = bench.error("import rules_beside_me\n")
    assert (error.code, error.hint) == (
        "module-missing-import",
        "it lies beside the module: `from . import rules_beside_me`",
    )


def test_a_relative_import_that_leads_nowhere_says_so_without_our_names(bench: Bench) -> None:
    bench.write("kit/index.py", "from .rulez import RULES\n")
    (error,) = bench.loaded("kit").errors
    assert (error.code, error.message) == ("module-missing-import", "there is no `.rulez` in the module's folder")
    bench.write("kit/index.py", "from . import rulez\n")
    (error,) = bench.loaded("kit").errors
    assert (error.line, PREFIX in error.message) == (1, False)


@pytest.mark.parametrize(
    ("text", "told"), [("x = 1", "has no `extension`"), ("extension = 3", "no function but an int")]
)
def test_a_module_without_a_factory_is_an_error(bench: Bench, text: str, told: str) -> None:
    error = bench.error(text)
    assert error.code == "module-factory"
    assert told in error.message
    assert "def extension(pisces):" in error.hint


def test_a_factory_that_takes_no_argument_is_explained(bench: Bench) -> None:
    error = bench.error("\n\ndef extension():\n    pass\n")
    assert (error.code, error.line) == ("module-failed", 3)
    assert "def extension(pisces):" in error.hint


@pytest.mark.parametrize("text", ["import sys\nsys.exit(3)\n", "\ndef extension(pisces): raise SystemExit(3)\n"])
def test_a_module_that_exits_ends_nothing_but_itself(bench: Bench, text: str) -> None:
    error = bench.error(text)
    assert (error.code, error.line, error.message) == ("module-exited", 2, "the module called sys.exit(3)")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("while True:\n    pass\n", (1, 2)),
        ("import time\ntime.sleep(1000)\n", (2,)),
        ("def extension(pisces):\n    while True:\n        pass\n", (2, 3)),
        ("import asyncio\nasync def extension(pisces):\n    await asyncio.sleep(1000)\n", (3,)),
        ("import asyncio\nasync def extension(pisces):\n    await asyncio.sleep(0)\n    while True: pass\n", (4,)),
    ],
    ids=["at import", "asleep at import", "in the factory", "waiting", "after waiting"],
)
def test_a_module_that_never_ends_is_interrupted(tmp_path: Path, text: str, line: tuple[int, ...]) -> None:
    error = Bench(tmp_path, seconds=0.2).error(text)
    assert (error.code, error.message) == ("module-slow", "loading took longer than 0.2 s")
    assert error.line in line


def test_a_module_that_cancels_itself_does_not_cancel_the_load(bench: Bench) -> None:
    bench.write("a.py", "import asyncio\nasync def extension(pisces):\n    raise asyncio.CancelledError\n")
    bench.write("b.py", COMMAND.format("fine"))
    loaded = bench.loaded("a.py", "b.py")
    assert ([each.code for each in loaded.errors], len(loaded.modules)) == (["module-failed"], 1)


def test_cancelling_the_load_cancels_it(bench: Bench) -> None:
    bench.write("a.py", "import asyncio\nasync def extension(pisces):\n    await asyncio.sleep(1000)\n")

    async def cancelled() -> None:
        task = asyncio.create_task(bench.load("a.py"))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
    assert not _left()


def test_a_file_that_vanished_is_an_error_of_its_own(bench: Bench) -> None:
    path = bench.write("a.py", "")
    found = named_entries(Places("/", str(bench.folder)), ["a.py"])
    path.unlink()
    loaded = asyncio.run(Loader(bench.wiring, bench.told.append).load(found.running))
    assert [(each.code, each.path) for each in loaded.errors] == [("module-import", str(path))]


def test_nothing_that_breaks_costs_the_others_anything(bench: Bench) -> None:
    texts = [
        "1 / 0",
        "def f(:",
        "import nope_nope",
        "import sys; sys.exit()",
        "x = 1",
        "def extension(p): p.ui.notify('x')",
    ]
    for number, text in enumerate(texts):
        bench.write(f"bad{number}.py", text)
        bench.write(f"good{number}.py", COMMAND.format(number))
    paths = [f"{kind}{number}.py" for number in range(len(texts)) for kind in ("bad", "good")]
    loaded = bench.loaded(*paths)
    assert [_said(each) for each in loaded.modules] == [str(number) for number in range(len(texts))]
    assert [Path(each.about).name for each in loaded.errors] == [f"bad{number}.py" for number in range(len(texts))]


def test_what_was_not_let_in_is_not_loaded(bench: Bench) -> None:
    bench.write("a.py", "raise SystemExit('nobody runs me')\n")
    found = named_entries(Places("/", str(bench.folder)), ["a.py"])
    held = [entry.replace(state=NOT_TRUSTED) for entry in found.entries]
    assert asyncio.run(Loader(bench.wiring, bench.told.append).load(held)) == Loaded(())


# Actions wait


ACTIONS: list[Callable[[Any], Any]] = [
    lambda pisces: pisces.ui,
    lambda pisces: pisces.session,
    lambda pisces: pisces.host,
    lambda pisces: pisces.active_tools,
    lambda pisces: pisces.send_message({}),
    lambda pisces: pisces.send_user_message("hello"),
    lambda pisces: pisces.append_entry("kind", 1),
]


def test_actions_cannot_be_called_while_loading_even_in_a_running_session(bench: Bench) -> None:
    bench.wiring.actions = object()  # type: ignore[assignment]  # anything: nobody may reach it
    seen: list[BaseException] = []
    bench.write("a.py", "def extension(pisces):\n    pisces.bus.emit('check', pisces)\n")

    def check(pisces: Any) -> None:
        for action in ACTIONS:
            with pytest.raises(NotInitialised) as raised:
                action(pisces)
            seen.append(raised.value)

    bench.wiring.bus.on("check", check)
    bench.module("a.py")
    assert len(seen) == len(ACTIONS)


def test_an_action_in_the_factory_is_a_clear_error(bench: Bench) -> None:
    error = bench.error("def extension(pisces):\n    pisces.ui.notify('hello')\n")
    assert (error.code, error.line) == ("module-failed", 2)
    assert "`ui` cannot be called while the extension loads" in error.message


# Nothing is left


def test_nothing_is_left_after_unloading(bench: Bench) -> None:
    before = set(sys.modules), list(sys.meta_path), list(sys.path)
    bench.write("kit/index.py", "from .words import WORD\n" + COMMAND.format("x"))
    bench.write("kit/words.py", "WORD = 1\n")
    bench.write("bad/index.py", "from .words import WORD\n1 / 0\n")
    bench.write("bad/words.py", "WORD = 1\n")
    loaded = bench.loaded("kit", "bad")
    assert len(_left()) == 3
    for extension in loaded.modules:
        bench.loader.unload(extension)
    assert {name for name in set(sys.modules) - before[0] if name.startswith(PREFIX)} == set()
    assert (list(sys.meta_path), list(sys.path)) == before[1:]
    assert bench.wiring.generations == {}


def test_nothing_is_written_beside_the_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    bench = Bench(tmp_path / "modules", cache=str(tmp_path / "cache"))
    bench.write("kit/index.py", "from .words import WORD\n" + COMMAND.format("x"))
    bench.write("kit/words.py", "WORD = 1\n")
    bench.module("kit")
    assert not list(bench.folder.rglob("__pycache__"))
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_what_a_module_prints_while_loading_is_kept_from_the_screen(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.write("a.py", "print('loud')\ndef extension(pisces):\n    print('louder')\n")
    bench.module("a.py")
    assert capsys.readouterr().out == ""
    assert [each.event for each in bench.told] == ["print"]


# Loading again


@pytest.mark.parametrize("cached", [False, True], ids=["without a cache", "with a cache"])
def test_an_edit_within_the_same_second_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cached: bool) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    bench = Bench(tmp_path / "modules", cache=str(tmp_path / "cache") if cached else "")
    bench.write("kit/index.py", "from .words import WORD\n" + COMMAND.replace("{!r}", "WORD"))
    path = bench.write("kit/words.py", "WORD = 'one'\n")
    first = bench.module("kit")
    then = path.stat()
    path.write_text("WORD = 'two'\n")
    os.utime(path, ns=(then.st_atime_ns, then.st_mtime_ns))
    second = bench.module("kit")
    assert (_said(first), _said(second)) == ("one", "two")


def test_a_folder_that_is_new_within_the_same_second_is_seen(bench: Bench) -> None:
    index = bench.write("kit/index.py", "from .old.words import WORD\n" + COMMAND.replace("{!r}", "WORD"))
    bench.write("kit/old/words.py", "WORD = 'old'\n")
    then = index.parent.stat()
    assert _said(bench.module("kit")) == "old"
    index.write_text(index.read_text().replace(".old", ".new"))
    bench.write("kit/new/words.py", "WORD = 'new'\n")
    os.utime(index.parent, ns=(then.st_atime_ns, then.st_mtime_ns))
    assert _said(bench.module("kit")) == "new"


def test_the_former_self_is_stale_after_a_reload(bench: Bench) -> None:
    kept: list[Any] = []
    bench.wiring.bus.on("kept", kept.append)
    bench.write("a.py", "def extension(pisces):\n    pisces.bus.emit('kept', pisces)\n")
    first, second = bench.module("a.py"), bench.module("a.py")
    assert first.generation < second.generation
    with pytest.raises(Stale):
        kept[0].flag("x")
    kept[1].flag("x")
    bench.loader.unload(second)
    with pytest.raises(Stale):
        kept[1].flag("x")
    bench.module("a.py")
    with pytest.raises(Stale):
        kept[1].flag("x")


def test_a_reload_that_fails_leaves_the_former_self_alive(bench: Bench) -> None:
    kept: list[Any] = []
    bench.wiring.bus.on("kept", kept.append)
    path = bench.write("a.py", "def extension(pisces):\n    pisces.bus.emit('kept', pisces)\n")
    first = bench.module("a.py")
    path.write_text("def extension(pisces):\n    pisces.flag('half')\n    1 / 0\n")
    assert [each.code for each in bench.loaded("a.py").errors] == ["module-failed"]
    kept[0].flag("still here")
    assert list(first.flags) == ["still here"]
    assert len(_left()) == 2


def test_loading_a_hundred_times_leaves_one(bench: Bench) -> None:
    bench.write("a.py", COMMAND.format("x"))
    for _ in range(100):
        extension = bench.module("a.py")
    assert len({name.partition(".")[0] for name in _left()}) == 1
    bench.loader.unload(extension)
    assert not _left()


# Bytecode of our own


def test_kept_bytecode_that_is_broken_counts_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    bench = Bench(tmp_path / "modules", cache=str(tmp_path / "cache"))
    bench.write("a.py", COMMAND.format("fine"))
    bench.module("a.py")
    (kept,) = (tmp_path / "cache").iterdir()
    whole = kept.read_bytes()
    for data in (b"", whole[:40], whole[:32] + b"i\x01\x00\x00\x00", b"\0" * 100):
        kept.write_bytes(data)
        assert _said(bench.module("a.py")) == "fine"
    assert kept.read_bytes() == whole


def test_a_cache_that_cannot_be_written_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    written(tmp_path / "cache", "a file")
    bench = Bench(tmp_path / "modules", cache=str(tmp_path / "cache"))
    bench.write("a.py", COMMAND.format("fine"))
    assert _said(bench.module("a.py")) == "fine"


@pytest.fixture(autouse=True)
def _clean_afterwards() -> Iterator[None]:
    """Each test is its own process, as far as imports go."""
    finders = list(sys.meta_path)
    yield
    for name in _left():
        del sys.modules[name]
    sys.meta_path[:] = finders
