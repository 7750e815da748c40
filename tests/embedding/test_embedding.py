"""What a program that embeds pisces relies on: nothing runs unconfirmed, paths belong to the places, nothing leaks."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

import pisces
from pisces.events import ModuleFailed, SessionShutdown, ToolCall

MODULE = """
from pisces.events import SessionShutdown, SessionStart

def extension(pisces):
    @pisces.tool()
    def greet(name: str) -> str:
        return f"Hello, {name}"

    @pisces.on(SessionStart)
    def started(event):
        pisces.ui.notify("started")

    @pisces.on(SessionShutdown)
    def ended(event):
        pisces.ui.notify("ended")
"""


@pytest.fixture
def places(tmp_path: Path) -> pisces.Places:
    home, project = tmp_path / "home", tmp_path / "home" / "boat"
    project.mkdir(parents=True)
    (project / ".git").mkdir()
    return pisces.Places(str(home), str(project))


def write(places: pisces.Places, name: str, text: str) -> str:
    path = Path(places.absolute(name))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return str(path)


def package(places: pisces.Places) -> None:
    write(places, "kit/gemini-extension.json", '{"name": "kit", "version": "1.0.0"}')
    write(places, "kit/commands/tie.toml", 'prompt = "Tie it"\n')


def call(tool: str = "bash") -> pisces.ToolRequest:
    return pisces.ToolRequest(ToolCall(tool, "1", {"command": "ls"}))


def allow(request: pisces.Request, asks: tuple[pisces.Verdict, ...]) -> pisces.Verdict:
    return pisces.Verdict.allow(f"{request.KIND}, asked by {asks[0].who}")


class TestDiscover:
    def test_what_the_settings_switch_off_is_off(self, places: pisces.Places) -> None:
        write(places, ".claude/skills/knots/SKILL.md", "---\nname: knots\ndescription: Ties\n---\n")
        assert [each.item.name for each in pisces.discover(pisces.SKILLS, places).items] == ["knots"]
        write(places, ".pisces/settings.json", '{"disabledExtensions": ["skill:knots"]}')
        found = pisces.discover(pisces.SKILLS, places)
        assert not found.items
        assert {each.state for each in found.all} == {"off"}
        assert pisces.discover(pisces.SKILLS, places, pisces.Switches()).items

    def test_settings_that_cannot_be_read_are_reported(self, places: pisces.Places) -> None:
        path = write(places, ".pisces/settings.json", '{"disabledExtensions": [')
        assert path in [each.path for each in pisces.discover(pisces.SKILLS, places).diagnostics]
        assert path in [each.path for each in pisces.catalog(places).diagnostics]


def test_paths_are_those_of_the_places_and_not_of_the_process(places: pisces.Places) -> None:
    package(places)
    assert [each.package.name for each in pisces.inspect("kit", places) if each.package] == ["kit"]
    assert [each.path for each in pisces.check("kit", places).targets] == [places.absolute("kit")]
    assert pisces.check(["kit"], places) == pisces.check("kit", places)
    assert pisces.scan("kit", places).files == 2
    assert [each.name for each in pisces.catalog(places, ["kit"]).entries] == ["tie"]


def test_places_of_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    assert pisces.places_here().cwd == str(tmp_path / "a")
    assert pisces.places_here("../b").cwd == str(tmp_path / "b")


class TestExpand:
    def test_without_confirm_no_line_runs(self, places: pisces.Places) -> None:
        write(places, ".gemini/commands/mark.toml", 'prompt = "!{touch ran}"\n')
        with pytest.raises(pisces.PiscesError, match="nobody can be asked here"):
            pisces.expand("/mark", places)
        assert not Path(places.absolute("ran")).exists()

    def test_a_line_runs_in_the_folder_of_the_places_once_it_is_allowed(self, places: pisces.Places) -> None:
        write(places, ".gemini/commands/mark.toml", 'prompt = "!{touch ran}"\n')
        env = pisces.places_here().env
        pisces.expand("/mark", places.replace(env=env), allow)
        assert Path(places.absolute("ran")).exists()

    def test_a_confirm_that_breaks_denies(self, places: pisces.Places) -> None:
        write(places, ".gemini/commands/mark.toml", 'prompt = "!{touch ran}"\n')

        def broken(request: pisces.LineRequest, asks: tuple[pisces.Verdict, ...]) -> pisces.Verdict:
            raise ValueError("oops")

        with pytest.raises(pisces.PiscesError, match="failed: ValueError: oops"):
            pisces.expand("/mark", places, broken)
        assert not Path(places.absolute("ran")).exists()


class TestPackages:
    def test_without_confirm_nothing_is_installed(self, places: pisces.Places) -> None:
        package(places)
        with pytest.raises(pisces.PiscesError, match="nobody has agreed"):
            pisces.install("kit", places)
        assert pisces.installed(places) == ()

    def test_progress_is_reported_and_the_same_content_changes_nothing(self, places: pisces.Places) -> None:
        package(places)
        progress: list[str] = []
        assert pisces.install("kit", places, allow, progress.append).changed
        assert progress == [f"fetching {places.absolute('kit')}"]
        assert not pisces.install("kit", places).changed

    def test_what_is_not_installed_cannot_be_removed_or_updated(self, places: pisces.Places) -> None:
        for act in (pisces.uninstall, pisces.update):
            with pytest.raises(pisces.PiscesError) as raised:
                act("kit", places)
            assert raised.value.diagnostic.code == "not-installed"


class TestJudge:
    def test_without_gates_and_confirm_it_is_denied(self) -> None:
        verdict = asyncio.run(pisces.judge(call(), [])).verdict
        assert (verdict.decision, verdict.who) == ("deny", "nobody")

    def test_confirm_sees_who_wants_it_asked(self) -> None:
        gate = pisces.Gate("house", lambda _request: pisces.Verdict.ask("it is new"))
        verdict = asyncio.run(pisces.judge(call(), [gate], allow)).verdict
        assert (verdict.decision, verdict.why) == ("allow", "tool, asked by house")

    def test_gates_and_confirm_may_be_asynchronous(self) -> None:
        async def gate(request: pisces.ToolRequest) -> pisces.ToolRequest:
            await asyncio.sleep(0)
            return request.replace(call=request.call.with_input(command="ls -l"))

        async def confirm(request: pisces.ToolRequest, asks: tuple[pisces.Verdict, ...]) -> pisces.Verdict:
            await asyncio.sleep(0)
            return pisces.Verdict.allow(request.exact)

        judged = asyncio.run(pisces.judge(call(), [pisces.Gate("longer", gate)], confirm))
        assert judged.verdict.why == 'bash {"command": "ls -l"}'

    def test_a_gate_that_takes_too_long_denies(self) -> None:
        async def never(_request: pisces.Request) -> None:
            await asyncio.Event().wait()

        judged = asyncio.run(pisces.judge(call(), [pisces.Gate("slow", never, 0.05)], allow))
        assert judged.verdict == pisces.Verdict("deny", "slow", "failed: took longer than 0.05 s")

    def test_deny_beats_allow(self) -> None:
        gates = [
            pisces.Gate("one", lambda _request: pisces.Verdict.allow()),
            pisces.Gate("two", lambda _request: pisces.Verdict.deny("no", "ask Ada")),
        ]
        verdict = asyncio.run(pisces.judge(call(), gates, allow)).verdict
        assert verdict == pisces.Verdict("deny", "two", "no", "ask Ada")


class TestModules:
    def test_a_tool_is_denied_without_confirm_and_runs_with_it(self, places: pisces.Places) -> None:
        path = write(places, "greeter.py", MODULE)

        async def texts() -> list[tuple[bool, str]]:
            found = pisces.modules_here(places, [path])
            results = []
            for confirm in (None, allow):
                host = pisces.Headless(places.cwd)
                async with pisces.open_modules(found, host, failures.append, (), confirm) as modules:
                    result = await modules.call_tool("greet", {"name": "Ada"})
                    results.append((result.is_error, result.text))
            return results

        failures: list[ModuleFailed] = []
        assert asyncio.run(texts()) == [(True, "nobody can be asked here"), (False, "Hello, Ada")]
        assert not failures

    def test_an_unknown_tool_is_a_failed_result(self, places: pisces.Places) -> None:
        async def result() -> pisces.ToolResult:
            found, host = pisces.modules_here(places), pisces.Headless(places.cwd)
            async with pisces.open_modules(found, host, print, (), allow) as modules:
                return await modules.call_tool("nonsense", {})

        assert asyncio.run(result()).is_error

    def test_modules_hear_of_the_start_and_the_end(self, places: pisces.Places) -> None:
        host = pisces.Headless(places.cwd)

        async def run() -> None:
            found = pisces.modules_here(places, [write(places, "greeter.py", MODULE)])
            async with pisces.open_modules(found, host, print) as modules:
                assert host.ui.notices == [("info", "started")]
                assert list(modules.tools) == ["greet"]
                await modules.emit(SessionShutdown())

        asyncio.run(run())
        assert [text for _, text in host.ui.notices] == ["started", "ended", "ended"]

    def test_what_a_project_brings_does_not_run_untrusted(self, places: pisces.Places) -> None:
        write(places, ".pisces/extensions/greeter.py", MODULE)
        found = pisces.modules_here(places)
        assert [entry.state for entry in found.entries] == ["not trusted"]
        assert found.running == ()
        assert "workspace-not-trusted" in [each.code for each in found.diagnostics]

    def test_a_module_that_does_not_load_is_an_error_and_the_others_load(self, places: pisces.Places) -> None:
        paths = [write(places, "broken.py", "def extension(pisces:\n"), write(places, "greeter.py", MODULE)]

        async def run() -> tuple[list[str], list[str]]:
            found, host = pisces.modules_here(places, paths), pisces.Headless(places.cwd)
            async with pisces.open_modules(found, host, print) as modules:
                return [each.path for each in modules.errors], list(modules.tools)

        assert asyncio.run(run()) == ([paths[0]], ["greet"])

    def test_the_program_keeps_its_output_and_its_signals(self, places: pisces.Places) -> None:
        path = write(places, "greeter.py", MODULE)

        def owned() -> list[object]:
            return [sys.stdout, sys.stderr, *map(signal.getsignal, (signal.SIGINT, signal.SIGTERM))]

        async def run() -> None:
            before, factory = owned(), asyncio.get_running_loop().get_task_factory()
            found = pisces.modules_here(places, [path])
            async with pisces.open_modules(found, pisces.Headless(places.cwd), print, (), allow) as modules:
                await modules.call_tool("greet", {"name": "Ada"})
                assert owned() == before
                assert asyncio.get_running_loop().get_task_factory() is factory

        asyncio.run(run())
