"""Modules of the user may keep out what a project brings, as in pi. They cannot let it in."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from pisces.discovery.found import PROJECT, USER
from pisces.modules.entry import CLI, NATIVE, NOT_TRUSTED, ModuleEntry
from pisces.modules.module_set import ModuleOptions, open_modules
from pisces.shapes.events import Input, ModuleFailed
from pisces.testing import ScriptedHost
from tests.modules.js_session import bun
from tests.modules.python_module import module

ADDS = "@pisces.on(Input)\ndef add(event): return event.replace(text=event.text + '%s')"


def entry(path: str, level: str, **more: Any) -> ModuleEntry:
    language = "python" if path.endswith(".py") else "typescript"
    return ModuleEntry(path, Path(path).stem, language, CLI if level == USER else NATIVE, level, **more)


def heard(folder: Path, *entries: ModuleEntry) -> tuple[str, list[str], list[ModuleFailed]]:
    """What all handlers make of an empty input, codes of what does not run, and what broke."""
    failures: list[ModuleFailed] = []

    async def play() -> tuple[str, list[str]]:
        options = ModuleOptions(seconds=2, env=dict(os.environ))
        async with open_modules(entries, ScriptedHost(str(folder)), failures.append, options) as modules:
            return (await modules.runner.emit(Input(""))).text, [error.code for error in modules.errors]

    text, codes = asyncio.run(play())
    return text, codes, failures


@pytest.fixture
def brought(tmp_path: Path) -> ModuleEntry:
    return entry(module(tmp_path, ADDS.replace("%s", "p"), "brought"), PROJECT)


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("event.replace(trusted='no')", "u"),
        ("event.replace(trusted='yes')", "pu"),
        ("None", "pu"),
        ("1 / 0", "u"),
        ("'no'", "u"),
        ("event.replace(trusted='perhaps')", "u"),
        ("__import__('time').sleep(60)", "u"),
    ],
)
def test_a_no_and_a_failure_keep_out_what_the_project_brings(
    tmp_path: Path, brought: ModuleEntry, answer: str, text: str
) -> None:
    """The order of handlers is that of the entries, although the user's are loaded first."""
    guard = f"{ADDS.replace('%s', 'u')}\n@pisces.on(ProjectTrust)\ndef judge(event): return {answer}"
    found, codes, _ = heard(tmp_path, brought, entry(module(tmp_path, guard, "own"), USER))
    assert found == text
    assert codes == ([] if "p" in text else ["module-held-back"])


def test_a_yes_does_not_let_in_what_nobody_trusted(tmp_path: Path, brought: ModuleEntry) -> None:
    own = module(tmp_path, "@pisces.on(ProjectTrust)\ndef judge(event): return event.replace(trusted='yes')", "own")
    assert heard(tmp_path, brought.replace(state=NOT_TRUSTED), entry(own, USER))[0] == ""


def test_a_module_of_the_project_has_no_say(tmp_path: Path, brought: ModuleEntry) -> None:
    own = entry(module(tmp_path, "@pisces.on(ProjectTrust)\ndef judge(event): 1 / 0", "own"), PROJECT)
    assert heard(tmp_path, brought, own) == ("p", [], [])


@pytest.mark.parametrize(("answer", "text"), [("no", ""), ("yes", "p"), ("undecided", "p")])
def test_a_handler_of_pi_is_asked_and_may_ask_the_user(
    tmp_path: Path, brought: ModuleEntry, answer: str, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PISCES_JS_RUNTIME", bun().env["PISCES_JS_RUNTIME"])
    path = tmp_path / "guard.ts"
    path.write_text(
        "export default (pi) => pi.on('project_trust', async (event, ctx) => {"
        f" ctx.ui.notify(event.cwd + ctx.cwd); return {{ trusted: '{answer}', remember: true }} }})"
    )
    found, codes, failures = heard(tmp_path, brought, entry(str(path), USER))
    assert (found, failures) == (text, [])
    assert codes == ([] if text else ["module-held-back"])
