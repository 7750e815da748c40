"""Modules that run: tools, commands, clashes, priorities, the bus, failures as events, and how everything ends."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from pathlib import Path

import pytest

from pisces.modules.actions import Stale
from pisces.modules.entries import named_entries
from pisces.modules.entry import CLI, ModuleEntry
from pisces.modules.module_set import ModuleOptions, open_modules
from pisces.places import Places
from pisces.shapes.events import Input, ModuleFailed, ToolCall, TurnStart
from pisces.testing import ScriptedHost, Unexpected, scripted_session
from tests.modules.python_module import module

# Tools


def test_a_tool_is_described_by_its_function(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        '''
        from typing import Annotated, Literal
        @pisces.tool()
        def move(
            to: Annotated[str, "where"],
            how: Literal["fast", "slow"] = "slow",
            times: int = 1,
            tags: list[str] | None = None,
            *,
            ctx,
        ):
            """Moves it."""
            return f"{to} {how} {times} {tags} {ctx.call_id}"
        ''',
    )
    with scripted_session(path) as session:
        tool = session.runner.tools["move"]
        assert tool.description == "Moves it."
        assert tool.parameters == {
            "type": "object",
            "properties": {
                "to": {"type": "string", "description": "where"},
                "how": {"enum": ["fast", "slow"], "default": "slow"},
                "times": {"type": "integer", "default": 1},
                "tags": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["to"],
        }
        assert session.tool("move", to="home").text == "home slow 1 None call-1"


@pytest.mark.parametrize(
    ("returned", "text", "details"),
    [
        ("'words'", "words", None),
        ("None", "", None),
        ("{'a': [1]}", '{"a": [1]}', {"a": [1]}),
        ("[{'type': 'text', 'text': 'part'}]", "part", None),
        ("{'content': [{'type': 'text', 'text': 'said'}], 'details': 7}", "said", 7),
    ],
)
def test_a_tool_may_return_what_is_natural(tmp_path: Path, returned: str, text: str, details: object) -> None:
    path = module(tmp_path, f"@pisces.tool()\nasync def it():\n    return {returned}")
    with scripted_session(path) as session:
        result = session.tool("it")
    assert (result.text, result.details, result.is_error) == (text, details, False)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("raise ValueError('too small')", "ValueError: too small"),
        ("sys.exit(3)", "called sys.exit(3)"),
        ("return missing", "NameError"),
    ],
)
def test_a_tool_that_breaks_is_a_failed_result(tmp_path: Path, body: str, said: str) -> None:
    path = module(tmp_path, f"@pisces.tool()\ndef it():\n    {body}")
    with scripted_session(path) as session:
        result = session.tool("it")
        assert result.is_error
        assert said in result.text
        (failure,) = session.errors
    assert failure.event == "tool it"
    assert body in failure.trace, "the line of the author's own code"
    assert "runner.py" not in failure.trace


def test_arguments_that_the_tool_does_not_take_are_a_failed_result(tmp_path: Path) -> None:
    path = module(tmp_path, "@pisces.tool()\ndef it(a: int): return a")
    with scripted_session(path) as session:
        result = session.tool("it", b=1)
        assert result.is_error
        assert "- `a` is missing (an integer)" in result.text
        assert "- `b` is not one of the arguments (there are: `a`)" in result.text
        assert not session.errors, "the model's mistake is no bug of the module"


def test_a_blocked_call_never_reaches_the_tool(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        @pisces.tool()
        def it(): pisces.ui.notify("ran")
        @pisces.on(ToolCall)
        def guard(event): return event.block("not now")
        """,
    )
    with scripted_session(path) as session:
        result = session.tool("it")
        assert (result.is_error, result.text, session.notices) == (True, "not now", [])


def test_a_guard_changes_what_the_tool_gets_and_a_reader_what_the_model_gets(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        @pisces.tool()
        def echo(text: str, *, ctx):
            ctx.update("half")
            return text
        @pisces.on(ToolCall)
        def louder(event): return event.with_input(text=event.input["text"].upper())
        @pisces.on(ToolResult)
        def sign(event): return event.with_text(event.text + "!")
        @pisces.on(ToolExecutionUpdate)
        def progress(event): pisces.ui.status("echo", event.partial_result)
        @pisces.on(ToolExecutionEnd)
        def end(event): pisces.ui.notify(f"{event.tool} {event.is_error}")
        """,
    )
    with scripted_session(path) as session:
        assert session.tool("echo", text="hi").text == "HI!"
        assert session.updates == ["half"]
        assert session.statuses == {"echo": "half"}
        assert session.notices == [("info", "echo False")]


def test_partial_results_of_a_long_call_are_not_held_and_the_last_one_is_heard(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        import asyncio
        heard = []
        @pisces.tool()
        async def slow(ctx):
            for number in range(5_000):
                ctx.update(str(number))
                if number > 3_000:
                    await asyncio.sleep(0)
            return str(max(len(asyncio.all_tasks()), 0))
        @pisces.on(ToolExecutionUpdate)
        async def progress(event): heard.append(event.partial_result)
        @pisces.on(ToolResult)
        def end(event): return event.with_text(f"{len(heard)} {heard[0]} {heard[-1]}")
        """,
    )
    with scripted_session(path) as session:
        count, first, last = session.tool("slow").text.split()
    assert (first, last) == ("0", "4999")
    assert 2_000 < int(count) < 5_000


# Commands, shortcuts, flags


def test_a_command_gets_what_is_typed_behind_its_name(tmp_path: Path) -> None:
    path = module(tmp_path, "@pisces.command('go')\nasync def go(args): return f'<{args}>'")
    with scripted_session(path) as session:
        assert session.command("/go  to  bed ") == "<to  bed>"
        assert session.command("go") == "<>"


def test_a_command_that_breaks_is_told_and_the_session_goes_on(tmp_path: Path) -> None:
    body = (
        "@pisces.command('go')\ndef go(args): raise OSError('no way')\n@pisces.shortcut('Ctrl+K')\ndef key(): return 1"
    )
    with scripted_session(module(tmp_path, body)) as session:
        assert session.command("/go") is None
        (failure,) = session.errors
        assert (failure.event, failure.message) == ("/go", "OSError: no way")
        assert session.shortcut("ctrl+k") == 1


def test_flags_have_their_default_until_the_command_line_says_otherwise(tmp_path: Path) -> None:
    body = """
        pisces.flag("loud")
        pisces.flag("to", default="all")
        @pisces.command("f")
        def f(args): return dict(pisces.flags)
        """
    path = module(tmp_path, body)
    with scripted_session(path) as session:
        assert session.command("/f") == {"loud": False, "to": "all"}
    with scripted_session(path, flags={"loud": True, "other": "x"}) as session:
        assert session.command("/f") == {"loud": True, "to": "all"}


def test_flags_may_be_set_once_it_is_known_which_there_are(tmp_path: Path) -> None:
    async def values() -> object:
        places = Places(str(tmp_path), str(tmp_path))
        path = module(tmp_path, "pisces.flag('loud')\npisces.command('f')(lambda args: dict(pisces.flags))")
        entries = named_entries(places, [path]).entries
        async with open_modules(entries, ScriptedHost(str(tmp_path)), failures.append) as made:
            made.set_flags(dict.fromkeys(made.runner.flags, True))
            return await made.runner.call_command(made.runner.commands["f"], "")

    failures: list[ModuleFailed] = []
    assert asyncio.run(values()) == {"loud": True}
    assert not failures


# Order and clashes


def test_the_first_module_that_brings_a_name_has_it_and_that_is_said(tmp_path: Path) -> None:
    body = """
        @pisces.tool("it", "a tool")
        def it(): return "{0}"
        @pisces.command("go")
        def go(args): return "{0}"
        @pisces.shortcut("ctrl+x")
        def key(): return "{0}"
        pisces.flag("loud")
        """
    paths = [module(tmp_path, body.format(name), name) for name in ("one", "two")]
    with scripted_session(*paths) as session:
        assert session.tool("it").text == session.command("/go") == session.shortcut("ctrl+x") == "one"
        assert [each.code for each in session.clashes] == ["module-clash"] * 4
        assert {each.path for each in session.clashes} == {paths[1]}
        assert session.clashes[0].message == f"the tool `it` is already that of {paths[0]}"


def test_higher_priorities_are_asked_first_then_who_was_loaded_first(tmp_path: Path) -> None:
    body = "@pisces.on(Input, priority={1})\ndef add(event): return event.replace(text=event.text + '{0}')"
    paths = [module(tmp_path, body.format(*each), each[0]) for each in (("a", 0), ("b", 0), ("c", 5), ("d", -1))]
    with scripted_session(*paths) as session:
        assert session.emit(Input("")).text == "cabd"


def test_what_is_registered_later_counts_at_once(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        @pisces.on(TurnStart)
        def more(event):
            pisces.on(Input)(lambda event: event.handle())
            pisces.tool("late", "late")(lambda: "here")
        """,
    )
    with scripted_session(path) as session:
        assert not session.emit(Input("x")).handled
        session.emit(TurnStart())
        assert session.emit(Input("x")).handled
        assert session.tool("late").text == "here"


# Failures


def test_failures_are_events_and_who_fails_at_hearing_them_is_told_once(tmp_path: Path) -> None:
    broken = module(tmp_path, "@pisces.on(Input)\ndef bad(event): raise ValueError('x')", "broken")
    ears = module(
        tmp_path,
        """
        @pisces.on(ModuleFailed)
        def heard(event):
            pisces.ui.notify(event.message)
            raise KeyError("me too")
        """,
        "ears",
    )
    with scripted_session(broken, ears) as session:
        session.emit(Input("hi"))
        assert session.notices == [("info", "ValueError: x")]
        assert [each.event for each in session.errors] == ["Input", "ModuleFailed"]


def test_a_task_that_breaks_is_told_once_with_its_owner(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        async def work(): raise ValueError("in the background")
        @pisces.on(Input)
        async def start(event): asyncio.create_task(work())
        pisces.bus.on("go", lambda value: work())
        @pisces.on(TurnStart)
        def go(event): pisces.bus.emit("go")
        """,
    )
    with scripted_session(path) as session:
        session.emit(Input("hi"))
        session.emit(TurnStart())
        session.until(lambda: len(session.errors) == 2)
        assert {(each.module, each.event, each.message) for each in session.errors} == {
            (path, "task", "ValueError: in the background")
        }


def test_a_timer_that_breaks_is_told_with_its_owner(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        @pisces.on(Input)
        async def later(event): asyncio.get_running_loop().call_later(0.01, lambda: 1 / 0)
        @pisces.on(TurnStart)
        async def stale(event): asyncio.get_running_loop().call_later(0.01, lambda: pisces.ui.notify("too late"))
        """,
    )
    with scripted_session(path) as session:
        session.emit(Input("hi"))
        session.until(lambda: session.errors)
        session.emit(TurnStart())
        session.reload()
        session.until(lambda: len(session.errors) == 2)
        assert session.notices == []
        assert [(each.module, each.event, each.message) for each in session.errors] == [
            (path, "callback", "ZeroDivisionError: division by zero"),
            (path, "callback", "Stale: `ui` was called by an unloaded generation of `mod`"),
        ]


def test_a_handler_of_every_event_hears_every_event(tmp_path: Path) -> None:
    body = """
        from pisces.shapes.event import Event
        @pisces.on(Event)
        def hear(event): pisces.ui.notify(event.NAME)
        """
    with scripted_session(module(tmp_path, body)) as session:
        session.emit(Input("hi"))
        assert [text for _, text in session.notices] == ["session_start", "input"]


def test_what_a_module_prints_is_kept_and_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = module(tmp_path, "@pisces.on(Input)\ndef loud(event): print('a' * 1000)")
    with scripted_session(path) as session:
        for _ in range(3):
            session.emit(Input("hi"))
        print("from the test")
        (failure,) = session.errors
    assert (failure.module, failure.event) == (path, "print")
    assert capsys.readouterr().out == "from the test\n"


def test_a_factory_may_not_act_yet(tmp_path: Path) -> None:
    with pytest.raises(Unexpected, match="`ui` cannot be called while the extension loads"):
        scripted_session(module(tmp_path, "pisces.ui.notify('too early')")).__enter__()


# The bus


def test_everybody_who_listens_hears_it_whatever_others_do(tmp_path: Path) -> None:
    talk = module(tmp_path, "@pisces.command('say')\ndef say(args): pisces.bus.emit('word', args)", "talk")
    broken = module(tmp_path, "pisces.bus.on('word', lambda value: 1 / 0)", "broken")
    ears = module(
        tmp_path,
        """
        async def later(value):
            await asyncio.sleep(0)
            pisces.ui.notify(f"later {value}")
        end = pisces.bus.on("word", lambda value: (pisces.ui.notify(value), end()))
        pisces.bus.on("word", later)
        """,
        "ears",
    )
    with scripted_session(talk, broken, ears) as session:
        session.command("/say one")
        session.command("/say two")
        session.until(lambda: len(session.notices) == 3)
        assert session.notices == [("info", "one"), ("info", "later one"), ("info", "later two")]
        assert [(each.module, each.event) for each in session.errors] == [(broken, "bus word")] * 2


# The end


def test_at_shutdown_nobody_waits_for_the_slowest(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        second = asyncio.Event()
        @pisces.on(SessionShutdown)
        async def first(event):
            await second.wait()
            pisces.ui.notify("first")
        @pisces.on(SessionShutdown)
        def other(event): second.set()
        """,
    )
    with scripted_session(path, seconds=5) as session:
        pass
    assert session.notices == [("info", "first")], "one after another, the first would have waited in vain"


def test_a_shutdown_that_does_not_end_is_given_up(tmp_path: Path) -> None:
    path = module(tmp_path, "@pisces.on(SessionShutdown)\nasync def never(event): await asyncio.Event().wait()")
    with (
        pytest.raises(Unexpected, match=r"SessionShutdown: took longer than 0\.1 s"),
        scripted_session(path, seconds=0.1),
    ):
        pass


def test_tasks_that_are_left_are_ended_and_told(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        async def for_ever():
            try: await asyncio.Event().wait()
            finally: pisces.ui.notify("ended")
        @pisces.on(SessionStart)
        async def start(event): asyncio.create_task(for_ever())
        """,
    )
    with pytest.raises(Unexpected, match="1 task was still running and had to be ended"):  # noqa: SIM117
        with scripted_session(path) as session:
            host = session.host
    assert host.ui.notices == [("info", "ended")], "it may still act while it ends"


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    async def session() -> object:
        loop = asyncio.get_running_loop()
        usual = loop.get_task_factory(), loop.get_exception_handler()
        host, places = ScriptedHost(str(tmp_path)), Places(str(tmp_path), str(tmp_path))
        entries = named_entries(places, [module(tmp_path, "@pisces.tool('api')\ndef api(): return pisces")]).entries
        async with open_modules(entries, host, failures.append) as made:
            assert any(name.startswith("pisces_module_") for name in sys.modules)
            api = await made.runner.call_tool(made.runner.tools["api"], {})
        assert (loop.get_task_factory(), loop.get_exception_handler()) == usual
        return api

    failures: list[ModuleFailed] = []
    out, finders = sys.stdout, list(sys.meta_path)
    api = asyncio.run(session())
    assert not failures
    assert sys.stdout is out
    assert sys.meta_path == finders
    assert not [name for name in sys.modules if name.startswith("pisces_module_")]
    assert not [thread for thread in threading.enumerate() if thread.name == "pisces-watch"]
    with pytest.raises(Stale):
        api.ui.notify("x")  # type: ignore[attr-defined]


# exec


def test_a_program_is_run_without_a_shell(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        @pisces.tool()
        async def run(argv: list):
            done = await pisces.exec(*argv)
            return [done.stdout, done.stderr, done.code, done.killed]
        """,
    )
    script = "import sys, os; print(sys.argv[1], os.getcwd()); sys.stderr.write('oops'); sys.exit(3)"
    with scripted_session(path, cwd=tmp_path) as session:
        done = session.tool("run", argv=[sys.executable, "-c", script, "$HOME; ls"]).details
        assert done == [f"$HOME; ls {os.path.realpath(tmp_path)}\n", "oops", 3, False]
        out, err, code, killed = session.tool("run", argv=["no-such-program-anywhere"]).details
        assert (out, code, killed) == ("", 127, False)
        assert "no-such-program-anywhere" in err


@pytest.mark.skipif(os.name == "nt", reason="needs a POSIX shell")
def test_what_a_program_said_before_its_time_was_up_is_kept(tmp_path: Path) -> None:
    body = """
        @pisces.tool()
        async def run():
            done = await pisces.exec("sh", "-c", "echo begun; sleep 600", timeout=1)
            return [done.stdout, done.killed]
        """
    with scripted_session(module(tmp_path, body)) as session:
        assert session.tool("run").details == ["begun\n", True]


HANGS = """import subprocess, sys, time, os
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(sys.argv[1], "w").write(f"{os.getpid()} {child.pid}")
time.sleep(600)
"""


@pytest.mark.skipif(os.name == "nt", reason="process groups are POSIX")
@pytest.mark.parametrize("how", ["timeout", "cancel"])
def test_a_program_that_does_not_end_is_ended_with_all_it_started(tmp_path: Path, how: str) -> None:
    (tmp_path / "hangs.py").write_text(HANGS)
    pids = tmp_path / "pids"
    path = module(
        tmp_path,
        f"""
        from pathlib import Path
        pids = Path({str(pids)!r})
        argv = [{sys.executable!r}, {str(tmp_path / "hangs.py")!r}, {str(pids)!r}]
        @pisces.tool()
        async def timeout():
            done = await pisces.exec(*argv, timeout=1)
            return [done.code != 0 and done.stderr == "ended after 1 s\\n", done.killed]
        @pisces.tool()
        async def cancel():
            task = asyncio.create_task(pisces.exec(*argv))
            while not (pids.exists() and pids.read_text()): await asyncio.sleep(0.01)
            task.cancel()
            await asyncio.wait([task])
            return [task.cancelled(), True]
        """,
    )
    with scripted_session(path) as session:
        assert session.tool(how).details == [True, True]
        if not pids.exists():
            return  # ended before it had started anything
        ids = [int(each) for each in pids.read_text().split()]
        session.until(lambda: not any(map(_is_alive, ids)))


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not (state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z")


def test_embedded_in_another_program_nothing_of_the_process_or_its_loop_is_replaced(tmp_path: Path) -> None:
    path = module(
        tmp_path,
        """
        @pisces.on(ToolCall)
        async def guard(event): await asyncio.sleep(30)
        @pisces.on(Input)
        def shout(event): return event.replace(text=event.text.upper())
        """,
    )

    def state() -> tuple[object, ...]:
        loop = asyncio.get_running_loop()
        return sys.stdout, signal.getsignal(wake), loop.get_task_factory(), loop.get_exception_handler()

    async def play() -> None:
        before, options = state(), ModuleOptions(seconds=0.1, is_embedded=True)
        entries = [ModuleEntry(path, "mod", "python", CLI, "user")]
        async with open_modules(entries, ScriptedHost(str(tmp_path)), failures.append, options) as made:
            assert state() == before
            assert (await made.runner.emit(Input("hi"))).text == "HI"
            assert (await made.runner.emit(ToolCall("bash", "1", {}))).blocked
            assert state() == before
        assert state() == before

    failures: list[object] = []
    wake = getattr(signal, "SIGURG", signal.SIGTERM)
    usual = signal.signal(wake, signal.SIG_DFL)
    try:
        asyncio.run(play())
    finally:
        signal.signal(wake, usual)
    assert len(failures) == 1
