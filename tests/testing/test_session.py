"""The kit for authors: what a plain test can do to a module, what it sees, and how it says that something is wrong."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from pisces.shapes.events import Input, ToolCall
from pisces.testing import ScriptedSession, Unexpected, async_session, scripted_session
from tests.modules.python_module import module

ASKS = """
@pisces.command("ask")
async def ask(args):
    return [
        await pisces.ui.confirm("Sure?", "really"),
        await pisces.ui.select("Which?", ["red", "blue"]),
        await pisces.ui.select("Which?", ["red", "blue"]),
        await pisces.ui.input("Name?"),
        await pisces.ui.editor("Text", "before"),
    ]
"""


def test_questions_are_answered_in_order_and_then_as_by_nobody(tmp_path: Path) -> None:
    with scripted_session(module(tmp_path, ASKS), answers=[True, "blue", 0, "Ada", "after"]) as session:
        assert session.command("/ask") == [True, "blue", "red", "Ada", "after"]
        assert [each.kind for each in session.asked] == ["confirm", "select", "select", "input", "editor"]
        assert session.asked[1].about == ("red", "blue")
        assert session.command("/ask") == [False, None, None, None, None]


def test_what_a_module_does_is_written_down(tmp_path: Path) -> None:
    body = """
        @pisces.on(SessionStart)
        async def act(event):
            pisces.ui.notify("careful", "warning")
            pisces.ui.status("a", "1"); pisces.ui.status("b", "2"); pisces.ui.status("a", None)
            pisces.ui.widget("w", ["x", "y"])
            pisces.ui.title("T")
            pisces.send_message({"customType": "note", "content": "c"}, trigger_turn=True)
            pisces.send_user_message("do it")
            pisces.append_entry("kind", {"n": 1})
            pisces.host.compact("short")
            pisces.active_tools = ["read"]
        """
    with scripted_session(module(tmp_path, body), entries=[{"type": "message", "id": "e0"}]) as session:
        assert session.notices == [("warning", "careful")]
        assert session.statuses == {"b": "2"}
        assert session.widgets == {"w": ("x", "y")}
        assert session.titles == ["T"]
        assert session.sent == [{"customType": "note", "content": "c", "deliver_as": "", "trigger_turn": True}]
        assert session.typed == ["do it"]
        assert [each["type"] for each in session.entries] == ["message", "custom_message", "message", "custom"]
        assert session.controls == [("compact", {"instructions": "short"})]
        assert session.host.active_tools() == ["read"]


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda session: session.tool("tdo"), r"no module brings the tool `tdo`: did you mean `todo`\?"),
        (lambda session: session.tool("zzz"), r"no module brings the tool `zzz`: there is `todo`"),
        (lambda session: session.command("/hllo x"), r"the command `/hllo`: did you mean `/hello`\?"),
        (lambda session: session.shortcut("ctrl+q"), r"the shortcut `ctrl\+q`: there is no shortcut at all"),
        (lambda session: session.reload("other.py"), r"the module `.*other.py`"),
        (lambda session: session.until(lambda: False, 0.05), r"nothing of the kind happened within 0\.05 s"),
    ],
)
def test_a_slip_of_the_test_is_said_clearly(tmp_path: Path, act: object, said: str) -> None:
    body = "pisces.tool('todo', 'd')(lambda: 1)\npisces.command('hello')(lambda args: 1)"
    with scripted_session(module(tmp_path, body)) as session, pytest.raises(Unexpected, match=said):
        act(session)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def extension(pisces)\n    pass\n", r"mod\.py:1: expected ':'"),
        ("x = 1 / 0\n", r"mod\.py:1: ZeroDivisionError"),
        ("def setup(pisces): ...\n", r"mod\.py:0: the module has no `extension`"),
    ],
)
def test_a_module_that_does_not_load_fails_the_test_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "mod.py").write_text(text)
    with pytest.raises(Unexpected, match=said), scripted_session(tmp_path / "mod.py"):
        pytest.fail("not reached")


def test_a_path_that_is_not_there_fails_the_test(tmp_path: Path) -> None:
    with pytest.raises(Unexpected, match=r"there is no `.*gone\.py`"), scripted_session(tmp_path / "gone.py"):
        pytest.fail("not reached")


BREAKS = "@pisces.on(Input)\ndef bad(event): raise ValueError('oops')"


def test_a_handler_that_broke_unnoticed_fails_the_test_at_its_end(tmp_path: Path) -> None:
    path = module(tmp_path, BREAKS)
    with pytest.raises(Unexpected, match=r"Input: ValueError: oops\n[^\n]*mod\.py"), scripted_session(path) as session:
        session.emit(Input("hi"))


def test_a_failure_that_the_test_looked_at_is_fine(tmp_path: Path) -> None:
    with scripted_session(module(tmp_path, BREAKS)) as session:
        session.emit(Input("hi"))
        (failure,) = session.errors
        assert failure.message == "ValueError: oops"


def test_an_error_of_the_test_itself_comes_through(tmp_path: Path) -> None:
    path = module(tmp_path, BREAKS)
    with pytest.raises(KeyError, match="mine"), scripted_session(path) as session:
        _emits_and_breaks(session)


def _emits_and_breaks(session: ScriptedSession) -> None:
    session.emit(Input("hi"))
    raise KeyError("mine")


def test_a_handler_has_the_time_that_the_test_gives_it(tmp_path: Path) -> None:
    body = """
        import time
        @pisces.on(ToolCall)
        def blocks(event):
            while True: time.sleep(0.01)
        """
    with scripted_session(module(tmp_path, body), seconds=0.1) as session:
        event = session.emit(ToolCall("bash", "1", {}))
        assert event.blocked
        assert "took longer than 0.1 s" in event.reason
        assert session.errors


def test_a_folder_is_loaded_as_the_agent_would(tmp_path: Path) -> None:
    (tmp_path / "kit").mkdir()
    (tmp_path / "kit" / "words.py").write_text("WORD = 'from the folder'\n")
    text = "from .words import WORD\ndef extension(pisces): pisces.command('w')(lambda args: WORD)\n"
    (tmp_path / "kit" / "__init__.py").write_text(text)
    with scripted_session(tmp_path / "kit") as session:
        assert session.command("/w") == "from the folder"


def test_who_has_an_event_loop_uses_the_same_session(tmp_path: Path) -> None:
    async def test() -> None:
        async with async_session(module(tmp_path, ASKS), answers=[True]) as session:
            assert (await session.command("/ask"))[0] is True
            event = Input("hi")
            assert await session.emit(event) == event

    asyncio.run(test())


def test_inside_an_event_loop_the_blocking_session_says_no(tmp_path: Path) -> None:
    async def test() -> None:
        with scripted_session(module(tmp_path, ASKS)):
            pytest.fail("not reached")

    with pytest.raises(RuntimeError, match="async_session"):
        asyncio.run(test())


def test_the_kit_needs_neither_pytest_nor_a_sidecar(tmp_path: Path) -> None:
    path = module(tmp_path, ASKS)
    program = (
        "import sys\nfrom pisces.testing import scripted_session\n"
        f"with scripted_session({path!r}) as session: session.command('/ask')\n"
        "print([name for name in sys.modules if name.startswith(('pytest', 'pisces.modules.sidecar', 'pisces.cli'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")
