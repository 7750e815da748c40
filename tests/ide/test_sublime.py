"""The starting point for Sublime Text: the page's own code, with a stand-in for the editor's API."""

from __future__ import annotations

import ast
import asyncio
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tests.ide import editor_story as story
from tests.ide.editor_story import COMPANIONS, PATIENCE, PISCES, Project
from tests.ide.gemini_terminal import until

CODE = re.findall(r"^```python\n(.*?)^```$", (COMPANIONS / "sublime" / "README.md").read_text(), re.M | re.S)[0]


class View:
    """A file on the screen, whose text is the one on disk until it is typed into."""

    def __init__(self, path: str) -> None:
        self.text = Path(path).read_text()
        self.path = path
        self.values: dict[str, str] = {}
        self.selected: Any = SimpleNamespace(a=0, b=0)
        self.is_closed = False

    def file_name(self) -> str:
        return self.path

    def settings(self) -> Any:
        values = self.values
        return SimpleNamespace(get=values.get, set=values.__setitem__, erase=lambda name: values.pop(name, None))

    def sel(self) -> list[Any]:
        return [self.selected]

    def rowcol(self, at: int) -> tuple[int, int]:
        before = self.text[:at]
        return before.count("\n"), at - (before.rfind("\n") + 1)

    def size(self) -> int:
        return len(self.text)

    def substr(self, region: Any) -> str:
        return self.text[region.a : region.b]

    def set_reference_document(self, text: str) -> None:
        self.values["reference"] = text

    def set_scratch(self, value: object) -> None:
        self.values["scratch"] = str(value)

    def close(self) -> None:
        self.is_closed = True


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@pytest.fixture
def plugin(project: Project, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    views: list[View] = []

    def opened(path: str) -> View:
        views.append(View(path))
        return views[-1]

    sublime, listeners, made = ModuleType("sublime"), ModuleType("sublime_plugin"), ModuleType("pisces_ide")
    window = SimpleNamespace(folders=lambda: [str(project.folder)], open_file=opened)
    vars(sublime).update(
        active_window=lambda: window,
        set_timeout=lambda act, _: act(),
        Region=lambda a, b: SimpleNamespace(a=a, b=b),
    )
    vars(listeners).update(EventListener=object)
    monkeypatch.setitem(sys.modules, "sublime", sublime)
    monkeypatch.setitem(sys.modules, "sublime_plugin", listeners)
    for name in ("GEMINI_CLI_IDE_SERVER_PORT", "GEMINI_CLI_IDE_WORKSPACE_PATH", "GEMINI_CLI_IDE_AUTH_TOKEN"):
        monkeypatch.setenv(name, "")  # and taken back
    monkeypatch.setenv("TMPDIR", str(project.tmp))
    exec(compile(CODE, "pisces_ide.py", "exec"), vars(made))
    vars(made).update(COMMAND=PISCES, views=views)
    plugin: Any = made
    plugin.plugin_loaded()
    yield plugin
    plugin.plugin_unloaded()
    plugin.companion.child.wait(PATIENCE)
    plugin.companion.child.stdout.close()
    assert project.files() == []


def test_it_is_python_as_sublime_has_it() -> None:
    assert ast.parse(CODE, feature_version=(3, 8))


def test_it_tells_the_focus_and_shows_diffs(project: Project, plugin: Any) -> None:
    assert until(project.files, PATIENCE)
    listener = plugin.PiscesListener()
    view = View(str(project.one))

    async def work() -> None:
        async with project.client() as ide:
            listener.on_activated_async(view)
            await story.is_told(ide, lambda told: story.active(told)[0] == str(project.one))
            view.selected = SimpleNamespace(a=0, b=8)
            listener.on_selection_modified_async(view)
            await story.is_told(ide, lambda told: story.active(told)[2] == "one\ntwo\n")

            diff = await ide.open_diff(str(project.one), "proposed\n")
            await story.eventually(lambda: plugin.views)
            assert plugin.views[-1].values["reference"] == story.TEXT
            plugin.views[-1].text = "edited\n"
            listener.on_post_save(plugin.views[-1])
            outcome = await asyncio.wait_for(diff.answer(), PATIENCE)
            assert (outcome.is_accepted, outcome.content) == (True, "edited\n")
            assert plugin.views[-1].is_closed

            diff = await ide.open_diff(str(project.one), "proposed\n")
            await story.eventually(lambda: len(plugin.views) == 2)
            listener.on_close(plugin.views[-1])
            assert not (await asyncio.wait_for(diff.answer(), PATIENCE)).is_accepted

            diff = await ide.open_diff(str(project.one), "proposed\n")
            await story.eventually(lambda: len(plugin.views) == 3)
            plugin.views[-1].text = "typed\n"
            assert (await diff.accept()).content == "typed\n"

    asyncio.run(work())
