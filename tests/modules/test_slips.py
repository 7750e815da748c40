"""First modules, with the mistakes that people make in them: each is told where it was made, and how to write it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.shapes.events import ToolCall
from pisces.testing import Unexpected, scripted_session
from tests.modules.python_module import module

NOTHING = "\ndef h(event):\n    pass"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (f"@pisces.on('turn_start'){NOTHING}", "`on` takes the class of an event, as in `@pisces.on(TurnStart)`"),
        (f"@pisces.on(TurnStart(0)){NOTHING}", "`on` takes the class of an event"),
        (f"@pisces.on{NOTHING}", "`on` takes the class of an event, as in `@pisces.on(ToolCall)`"),
        (f"@pisces.on(int){NOTHING}", "`on` takes the class of an event"),
        (f"@pisces.tool{NOTHING}", "write `@pisces.tool()`"),
        (f"@pisces.command{NOTHING}", 'write `@pisces.command("name")`'),
        (f"@pisces.shortcut{NOTHING}", 'write `@pisces.shortcut("ctrl+k")`'),
        (f"@pisces.renderer{NOTHING}", 'write `@pisces.renderer("name")`'),
    ],
)
def test_a_decorator_used_wrongly_is_an_error_of_that_line(tmp_path: Path, body: str, said: str) -> None:
    """And of that module alone: nothing of it is left that others could stumble over."""
    with pytest.raises(Unexpected) as raised, scripted_session(module(tmp_path, body)):
        pass
    assert "mod.py:5: " in str(raised.value)
    assert said in str(raised.value)


def test_a_slash_before_the_name_of_a_command_does_no_harm(tmp_path: Path) -> None:
    with scripted_session(module(tmp_path, "@pisces.command('/hi')\ndef hi(args):\n    return args")) as session:
        assert session.command("/hi there") == "there"


@pytest.mark.parametrize("kind", ["confirm('sure?')", "select('which?', ['a'])", "input('name?')"])
def test_a_guard_that_forgets_to_wait_for_the_answer_blocks(tmp_path: Path, kind: str) -> None:
    path = module(
        tmp_path,
        f"""
        @pisces.on(ToolCall)
        def guard(event):
            if not pisces.ui.{kind}:
                return event.block("the user said no")
        """,
    )
    with scripted_session(path, answers=[False]) as session:
        event = session.emit(ToolCall("bash", "1", {"command": "ls"}))
        assert event.blocked
        (failure,) = session.errors
        assert failure.message == f"TypeError: nobody was asked: write `await pisces.ui.{kind.partition('(')[0]}(...)`"
        assert "mod.py" in failure.trace


def test_a_question_may_be_a_task(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        @pisces.tool()
        async def ask():
            one = asyncio.create_task(pisces.ui.input("first?"))
            return [await one, *await asyncio.gather(pisces.ui.input("second?"), pisces.ui.input("third?"))]
        """,
    )
    with scripted_session(path, answers=["a", "b", "c"]) as session:
        assert session.tool("ask").details == ["a", "b", "c"]


def test_a_handler_with_other_arguments_is_told_without_our_own_lines(tmp_path: Path) -> None:
    with scripted_session(module(tmp_path, "@pisces.on(ToolCall)\ndef h(event, ctx):\n    pass")) as session:
        assert session.emit(ToolCall("bash", "1", {})).blocked
        (failure,) = session.errors
        assert "missing 1 required positional argument: 'ctx'" in failure.message
        assert failure.trace == ""
