"""A host on files that a test writes down: it is real, it is nobody's, and a test that forgets something fails."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pisces import SKILLS, Verdict
from pisces.events import Input, SessionStart
from pisces.testing import DrivenHost, Unexpected, async_host, open_host

GUARD = """
from pisces.events import Input, SessionStart, ToolCall

def extension(pisces):
    @pisces.on(ToolCall)
    def guard(event):
        if "rm" in event.input.get("command", ""):
            return event.block("not on my watch")
        if event.input.get("command") == "build":
            return event.with_input(command="make all")

    @pisces.tool()
    def greet(name: str) -> str:
        return f"Hello, {name}"

    @pisces.on(Input)
    def louder(event):
        if event.text == "boom":
            raise ValueError("oops")
        return event.replace(text=event.text.upper())
"""
FILES = {
    "work/guard.py": GUARD,
    "home/.claude/skills/knots/SKILL.md": "---\nname: knots\ndescription: Ties\n---\nTie.\n",
}
NAMED: Any = {"modules": ["guard.py"]}


def test_what_is_written_below_home_and_work_is_found() -> None:
    with open_host(FILES) as host:
        assert [each.item.name for each in host.host.found(SKILLS)] == ["knots"]
        assert Path(host.places.cwd, "guard.py").read_text() == GUARD
        assert host.places.home != os.path.expanduser("~")


def test_calls_are_denied_asked_about_and_allowed() -> None:
    with open_host(FILES, approve=[True, False], mode="ask", **NAMED) as host:
        assert host.denies("bash", command="rm x").why == "not on my watch"
        assert host.asks("bash", command="make").answer is True
        question = host.asks("bash", command="build")
        assert (question.exact, question.answer) == ('bash {"command": "make all"}', False)
        assert not host.judge("bash", command="make").verdict.is_allowed, "no more answers: as by nobody"
        assert len(host.asked) == 3


def test_an_allowed_call_comes_back_as_it_would_run() -> None:
    from pisces import Gate

    gates = [Gate("house", lambda _request: Verdict.allow("fine"))]
    with open_host(FILES, gates=gates, **NAMED) as host:
        assert host.allows("bash", command="build").input == {"command": "make all"}


@pytest.mark.parametrize(
    ("demand", "said"),
    [
        (lambda host: host.denies("bash", command="make"), r'not denied: bash \{"command": "make"\}: deny, said user'),
        (lambda host: host.allows("bash", command="make"), "the user was asked by "),
        (lambda host: host.allows("bash", command="rm"), "deny by .*guard.py: not on my watch"),
        (lambda host: host.asks("bash", command="rm"), "not asked: "),
    ],
)
def test_a_demand_that_is_not_met_says_what_happened(demand: Any, said: str) -> None:
    with open_host(FILES, **NAMED) as host, pytest.raises(Unexpected, match=said):
        demand(host)


def test_tools_lines_and_events_go_through_the_host() -> None:
    with open_host(FILES, approve=True, **NAMED) as host:
        assert host.call("greet", name="Ada").text == "Hello, Ada"
        submitted = host.submit("hello")
        assert submitted.prompt is not None
        assert submitted.prompt.text == "HELLO"
        assert host.emit(Input("hi")).text == "HI"
        host.emit(SessionStart())


def test_what_the_workspace_brings_is_not_trusted_unless_the_test_says_so() -> None:
    files = {"work/.pisces/extensions/guard.py": GUARD}
    with open_host(files) as host:
        assert "greet" not in host.tools
    with open_host(files, trust_workspace=True) as host:
        assert "greet" in host.tools


def test_a_function_may_approve() -> None:
    async def approve(request: Any, _verdicts: object) -> bool:
        await asyncio.sleep(0)
        return "make" in request.exact

    with open_host(approve=approve) as host:
        assert host.judge("bash", command="make").verdict.is_allowed
        assert not host.judge("bash", command="cook").verdict.is_allowed
        assert [each.answer for each in host.asked] == [True, False]


def test_a_handler_that_broke_unnoticed_fails_the_test() -> None:
    with pytest.raises(Unexpected, match=r"ValueError: oops[\s\S]*host\.errors"), open_host(FILES, **NAMED) as host:
        host.emit(Input("boom"))
    with open_host(FILES, **NAMED) as host:
        host.emit(Input("boom"))
        assert [each.message for each in host.errors] == ["ValueError: oops"]


def test_a_module_that_does_not_load_fails_the_test_that_does_not_look() -> None:
    files = {"work/guard.py": "def extension(pisces:\n"}
    with pytest.raises(Unexpected, match=r"guard\.py:1: .*[\s\S]*host\.diagnostics"), open_host(files, **NAMED):
        pass
    with open_host(files, **NAMED) as host:
        assert [Path(each.path).name for each in host.diagnostics] == ["guard.py"]


def test_an_error_of_the_test_itself_comes_through() -> None:
    with pytest.raises(KeyError, match="mine"), open_host(FILES, **NAMED) as host:
        _emits_and_breaks(host)


def _emits_and_breaks(host: DrivenHost) -> None:
    host.emit(Input("boom"))
    raise KeyError("mine")


@pytest.mark.parametrize("path", ["CLAUDE.md", "/etc/x", "home", "work/../x", "home//x", "../home/x"])
def test_a_path_elsewhere_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="neither below `home/` nor below `work/`"), open_host({path: "x"}):
        pytest.fail("not reached")


def test_contents_are_texts_bytes_or_json_and_scripts_can_be_run() -> None:
    files: Any = {"work/a.json": {"a": [1]}, "work/b.sh": "#!/bin/sh\n", "work/c": b"\xff"}
    with open_host(files) as host:
        work = Path(host.places.cwd)
        assert (work / "a.json").read_text() == '{\n  "a": [\n    1\n  ]\n}'
        assert os.access(work / "b.sh", os.X_OK)
        assert (work / "c").read_bytes() == b"\xff"
        assert host.write("work/d", "more") == str(work / "d")
        folder = work
    assert not folder.exists()


def test_a_folder_is_copied(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "guard.py").write_text(GUARD)
    with open_host(tmp_path, **NAMED) as host:
        host.denies("bash", command="rm x")
        host.write("work/guard.py", "changed")
    assert (tmp_path / "work" / "guard.py").read_text() == GUARD


def test_nothing_of_the_user_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in (tmp_path / ".pisces" / "agent" / "extensions", tmp_path / ".claude" / "skills" / "mine"):
        folder.mkdir(parents=True)
    (tmp_path / ".pisces" / "agent" / "extensions" / "guard.py").write_text("open('ran', 'w')\n" + GUARD)
    (tmp_path / ".claude" / "skills" / "mine" / "SKILL.md").write_text("---\nname: mine\ndescription: d\n---\n")
    (tmp_path / ".claude" / "settings.json").write_text('{"permissions": {"allow": ["Bash"]}}')
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PI_CODING_AGENT_DIR", str(tmp_path / ".pisces" / "agent"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setenv("SECRET_KEY", "s3cret")
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(tmp_path)
    with open_host() as host:
        assert host.places.home.startswith(str(tmp_path / "tmp"))
        assert not host.host.found(SKILLS)
        assert "greet" not in host.tools
        assert "SECRET_KEY" not in host.places.env
        host.asks("Bash", command="touch made")
    assert not (tmp_path / "ran").exists()
    assert not list((tmp_path / "tmp").iterdir())


def test_who_has_an_event_loop_uses_the_same_host() -> None:
    async def play() -> None:
        async with async_host(FILES, **NAMED) as host:
            assert (await host.denies("bash", command="rm x")).why == "not on my watch"
        with pytest.raises(RuntimeError, match="async_host"), open_host():
            pytest.fail("not reached")

    asyncio.run(play())


def test_several_hosts_may_be_open() -> None:
    with open_host(FILES, **NAMED) as one, open_host(approve=True) as two:
        assert one.denies("bash", command="rm x")
        assert two.judge("bash", command="rm x").verdict.is_allowed
        assert one.places.home != two.places.home


CONFTEST = 'pytest_plugins = ["pisces.testing.fixtures"]\n'
TESTS = """
def test_two_hosts(pisces_host):
    one, two = pisces_host({"work/a": "1"}), pisces_host(approve=True)
    one.asks("bash", command="make")
    assert two.judge("bash", command="make").verdict.is_allowed

def test_a_surprise(pisces_host):
    pisces_host({"work/m.py": "1 / 0"}, modules=["m.py"])
"""


def test_pytest_has_a_fixture_of_it(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_it.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "2 passed, 1 error" in done.stdout, done.stdout
    assert "ERROR at teardown of test_a_surprise" in done.stdout
    assert "division by zero" in done.stdout


def test_a_run_of_pytest_that_does_not_name_the_fixture_loads_nothing_of_pisces(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import sys\ndef test_it():\n    assert not [name for name in sys.modules if name.startswith('pisces')]\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout
