"""TypeScript modules in a session, together with Python ones: one order, one set of names, one way to reload."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pisces.modules.entry import CLI, ModuleEntry
from pisces.modules.module_set import ModuleOptions, open_modules
from pisces.shapes.events import Input, ToolCall
from pisces.testing import ScriptedHost, Unexpected, async_session, scripted_session
from tests.modules.js_session import bun
from tests.modules.python_module import module

ADDS = """export default (pi) => {
  pi.on("input", (event) => ({ action: "transform", text: event.text + "%s" }));
  pi.on("session_start", (event, ctx) => ctx.ui.notify("%s starts: " + event.reason));
  pi.on("session_shutdown", (event, ctx) => ctx.ui.notify("%s stops: " + event.reason));
  pi.registerCommand("go", { description: "", handler: async () => "%s" });
  pi.registerTool({ name: "pid", description: "d", parameters: { type: "object" },
    execute: async () => ({ content: [{ type: "text", text: String(process.pid) }] }) });
}"""


def script(folder: Path, name: str) -> str:
    path = folder / f"{name}.ts"
    path.write_text(ADDS.replace("%s", name))
    return str(path)


@pytest.fixture(autouse=True)
def javascript(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PISCES_JS_RUNTIME", bun().env["PISCES_JS_RUNTIME"])


def test_modules_are_asked_in_their_order_whatever_their_language(tmp_path: Path) -> None:
    python = module(tmp_path, "@pisces.on(Input)\ndef add(event): return event.replace(text=event.text + 'p')", "p")
    paths = [script(tmp_path, "a"), python, script(tmp_path, "b")]
    with scripted_session(*paths) as session:
        assert session.emit(Input("")).text == "apb"
        assert session.command("/go") == "a"
        assert {each.about for each in session.clashes} == {"go", "pid"}


def test_a_script_is_loaded_again_in_a_new_process(tmp_path: Path) -> None:
    path = script(tmp_path, "a")
    with scripted_session(path) as session:
        before = session.tool("pid").text
        Path(path).write_text(ADDS.replace("%s", "z"))
        assert session.reload() == ()
        assert session.emit(Input("")).text == "z"
        assert session.tool("pid").text != before
        told = [text for _, text in session.notices]
        assert told == ["a starts: startup", "a stops: reload", "z starts: reload"]


def test_a_script_that_does_not_load_again_is_said(tmp_path: Path) -> None:
    path = script(tmp_path, "a")
    with scripted_session(path) as session:
        Path(path).write_text("export default 7")
        (problem,) = session.reload()
        assert problem.code == "module-script"
        Path(path).write_text(ADDS.replace("%s", "b"))
        assert session.reload() == ()
        assert session.command("/go") == "b"


def test_a_script_that_does_not_load_fails_the_test(tmp_path: Path) -> None:
    (tmp_path / "bad.ts").write_text("export default (pi) => { throw new Error('no luck') }")
    with pytest.raises(Unexpected, match="no luck"), scripted_session(tmp_path / "bad.ts"):
        pytest.fail("not reached")


def test_without_a_runtime_python_modules_run_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = module(tmp_path, "@pisces.on(Input)\ndef add(event): return event.replace(text='p')", "p")

    async def play() -> None:
        options = ModuleOptions(env={"PATH": ""})
        async with open_modules(entries, ScriptedHost(str(tmp_path)), failures.append, options) as made:
            assert (await made.runner.emit(Input(""))).text == "p"
            assert [(each.code, each.path) for each in made.errors] == [("no-js-runtime", entries[0].path)]

    failures: list[object] = []
    entries = [
        ModuleEntry(script(tmp_path, "a"), "a", "typescript", CLI, "user"),
        ModuleEntry(python, "p", "python", CLI, "user"),
    ]
    asyncio.run(play())
    assert not failures


def test_what_the_project_brings_runs_in_a_process_of_its_own(tmp_path: Path) -> None:
    async def play() -> set[str]:
        env = dict(bun().env)
        async with open_modules(entries, ScriptedHost(str(tmp_path)), failures.append, ModuleOptions(env=env)) as made:
            tools = [extension.tools["pid"] for extension in made.runner.modules]
            answers = [await made.runner.call_tool(tool, {}) for tool in tools]
            return {answer["content"][0]["text"] for answer in answers}

    failures: list[object] = []
    levels = {"a": "user", "b": "user", "c": "project"}
    entries = [ModuleEntry(script(tmp_path, name), name, "typescript", CLI, level) for name, level in levels.items()]
    assert len(asyncio.run(play())) == 2
    assert not failures


def test_who_has_an_event_loop_may_use_scripts_too(tmp_path: Path) -> None:
    async def play() -> str:
        async with async_session(script(tmp_path, "a")) as session:
            return (await session.emit(Input("hi "))).text

    assert asyncio.run(play()) == "hi a"


def test_a_script_that_does_not_load_again_lives_on_as_it_was(tmp_path: Path) -> None:
    path = script(tmp_path, "a")
    with scripted_session(path) as session:
        before = session.tool("pid").text
        for broken in ("export default 7", "const x: = 1", "process.exit(3)", "throw new Error('no luck')"):
            Path(path).write_text(broken)
            (problem,) = session.reload()
            assert (problem.code, problem.path) == ("module-script", path)
            assert session.emit(Input("")).text == "a"
            assert session.tool("pid").text == before
        assert [text for _, text in session.notices] == ["a starts: startup"], "nobody was told to stop"


def test_a_guard_that_does_not_load_again_still_guards(tmp_path: Path) -> None:
    path = tmp_path / "guard.ts"
    path.write_text("export default (pi) => pi.on('tool_call', (event) => ({ block: event.input.command === 'rm' }))")
    with scripted_session(str(path)) as session:
        path.write_text("export default (pi) => {")
        assert len(session.reload()) == 1
        assert session.emit(ToolCall("bash", "1", {"command": "rm"})).blocked
        assert not session.emit(ToolCall("bash", "2", {"command": "ls"})).blocked


COUNTS = """
let seen = 0;
export default (pi) => {
  pi.on("input", (event) => ({ text: `${event.text}${++seen}` }));
  pi.on("session_shutdown", (event, ctx) => ctx.ui.notify("stops"));
};
"""


def test_loading_one_script_again_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    """Their state is in the same process as before, and nobody told them to stop."""
    counts = tmp_path / "counts.ts"
    counts.write_text(COUNTS)
    path = script(tmp_path, "a")
    with scripted_session(str(counts), path) as session:
        assert session.emit(Input("")).text == "1a"
        for number, name in enumerate("bcd", 2):
            Path(path).write_text(ADDS.replace("%s", name))
            assert session.reload(path) == ()
            assert session.emit(Input("")).text == f"{number}{name}"
            assert session.command("/go") == name
        assert "stops" not in [text for _, text in session.notices]


def test_what_an_old_script_still_does_reaches_nobody(tmp_path: Path) -> None:
    lives_on = """
    export default (pi) => {
      let ctx;
      pi.on("session_start", (_event, context) => { ctx = context; });
      pi.events.on("hello", () => ctx.ui.notify("%s heard"));
      setInterval(() => {
        try { pi.registerCommand("late", { handler: () => "%s" }); ctx.ui.notify("%s ticks"); } catch {}
      }, 5);
    };
    """
    path, other = tmp_path / "m.ts", tmp_path / "other.ts"
    path.write_text(lives_on.replace("%s", "old"))
    other.write_text(COUNTS)
    with scripted_session(str(other), str(path)) as session:
        session.until(lambda: ("info", "old ticks") in session.notices)
        ends = 'let timer; pi.on("session_shutdown", () => clearInterval(timer)); timer = setInterval('
        path.write_text(lives_on.replace("%s", "new").replace("setInterval(", ends))
        assert session.reload(path) == ()
        session.until(lambda: ("info", "new ticks") in session.notices)
        before = session.notices.count(("info", "old ticks"))
        enough = session.notices.count(("info", "new ticks")) + 5
        session.until(lambda: session.notices.count(("info", "new ticks")) >= enough)
        assert session.notices.count(("info", "old ticks")) == before
        assert session.command("/late") == "new"
