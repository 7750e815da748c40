"""A module that tries to end the program that runs it is blamed, and the program goes on. Ctrl-C still works."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from pisces.modules.entries import named_entries
from pisces.modules.module_set import ModuleOptions, open_modules
from pisces.places import Places
from pisces.shapes.events import Input, ModuleFailed, ToolCall, TurnStart
from pisces.testing import ScriptedHost, scripted_session
from tests.modules.python_module import module

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")  # threads that we end

MISDEEDS = {
    "asyncio.current_task().cancel()": "cancelled the task that runs it",
    "[asyncio.current_task().cancel() for _ in range(3)]": "cancelled the task that runs it",
    "raise GeneratorExit": "raised GeneratorExit",
    "raise KeyboardInterrupt": "raised KeyboardInterrupt",
    "raise KeyboardInterrupt()": "raised KeyboardInterrupt",
    "sys.exit(3)": "called sys.exit(3)",
    "raise SystemExit": "called sys.exit()",
    "raise asyncio.CancelledError": "CancelledError",
    "asyncio.get_running_loop().stop()": "stopped the event loop",
    "asyncio.get_running_loop().close()": "RuntimeError: Cannot close a running event loop",
}
SHAPES = {
    "at once": "{does}",
    "after a wait": "await asyncio.sleep(0)\n            {does}\n            await asyncio.sleep(0)",
    "before a wait": "{does}\n            await asyncio.sleep(0.01)",
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("does", MISDEEDS)
@pytest.mark.parametrize("is_embedded", [False, True])
def test_a_handler_does_not_end_the_host(tmp_path: Path, does: str, shape: str, is_embedded: bool) -> None:
    path = module(
        tmp_path,
        f"""
        @pisces.on(TurnStart)
        async def start(event):
            {SHAPES[shape].format(does=does)}
        @pisces.on(Input)
        def hears(event):
            return event.replace(text=event.text + "!")
        """,
    )
    failures: list[ModuleFailed] = []

    async def play() -> str:
        entries = named_entries(Places(str(tmp_path), str(tmp_path)), [path]).entries
        options = ModuleOptions(is_embedded=is_embedded)
        async with open_modules(entries, ScriptedHost(str(tmp_path)), failures.append, options) as modules:
            await modules.runner.emit(TurnStart(0))
            await asyncio.sleep(0)
            task = asyncio.current_task()
            assert task is not None
            assert task.cancelling() == 0
            return (await modules.runner.emit(Input("x"))).text

    assert asyncio.run(play()) == "x!"
    assert [(each.module, each.message) for each in failures] == [(path, MISDEEDS[does])]


@pytest.mark.parametrize("does", MISDEEDS)
def test_a_guard_that_does_so_denies(tmp_path: Path, does: str) -> None:
    path = module(tmp_path, f"@pisces.on(ToolCall)\ndef guard(event):\n    {does}\n")
    with scripted_session(path) as session:
        call = session.emit(ToolCall("bash", "1", {"command": "ls"}))
        assert call.blocked
        assert [each.message for each in session.errors] == [MISDEEDS[does]]
        assert session.emit(Input("x")).text == "x"


@pytest.mark.parametrize(
    ("does", "message"),
    [
        ("loop.call_soon(sys.exit, 3)", "called sys.exit(3)"),
        ("loop.call_later(0, sys.exit)", "called sys.exit()"),
        ("loop.call_soon(loop.stop)", "stopped the event loop"),
        ("asyncio.create_task(stops())", "stopped the event loop"),
        ("asyncio.create_task(raises())", "KeyboardInterrupt"),
    ],
)
def test_what_a_module_schedules_does_not_end_the_host_either(tmp_path: Path, does: str, message: str) -> None:
    path = module(
        tmp_path,
        f"""
        async def stops():
            asyncio.get_running_loop().stop()
        async def raises():
            raise KeyboardInterrupt
        @pisces.on(TurnStart)
        async def start(event):
            loop = asyncio.get_running_loop()
            {does}
        """,
    )
    with scripted_session(path) as session:
        session.emit(TurnStart(0))
        session.until(lambda: session.errors)
        assert [(each.module, each.message) for each in session.errors] == [(path, message)]
        assert session.emit(Input("x")).text == "x"


def test_a_host_that_ends_its_own_task_is_not_held_up(tmp_path: Path) -> None:
    path = module(tmp_path, "@pisces.on(TurnStart)\nasync def start(event):\n    await asyncio.sleep(60)\n")

    async def play() -> None:
        entries = named_entries(Places(str(tmp_path), str(tmp_path)), [path]).entries
        async with open_modules(entries, ScriptedHost(str(tmp_path)), lambda _failed: None) as modules:
            task = asyncio.create_task(modules.runner.emit(TurnStart(0)))
            await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(play())


CTRL_C = """
import asyncio, sys
from pisces.modules.entries import named_entries
from pisces.modules.module_set import open_modules
from pisces.places import Places
from pisces.shapes.events import TurnStart
from pisces.testing import ScriptedHost
folder, path = sys.argv[1:]
async def play():
    entries = named_entries(Places(folder, folder), [path]).entries
    async with open_modules(entries, ScriptedHost(folder), lambda failed: print(failed, flush=True)) as modules:
        await modules.runner.emit(TurnStart(0))
        print("went on")
asyncio.run(play())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize(
    "waits",
    [
        "while True: pass",
        "__import__('time').sleep(20)",
        "await asyncio.sleep(20)",
        "try:\n        while True: pass\n    except KeyboardInterrupt:\n        raise KeyboardInterrupt",
    ],
)
def test_ctrl_c_of_the_user_ends_the_host_whatever_a_module_does(tmp_path: Path, waits: str) -> None:
    """Twice, because asyncio answers the first one by cancelling, which code that blocks does not notice."""
    told = "print('in', flush=True, file=sys.__stdout__)"
    path = module(tmp_path, f"@pisces.on(TurnStart)\nasync def start(event):\n    {told}\n    {waits}\n")
    argv = [sys.executable, "-c", CTRL_C, str(tmp_path), path]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "in\n"
        child.send_signal(signal.SIGINT)
        try:
            said, trace = child.communicate(timeout=1)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGINT)
            said, trace = child.communicate(timeout=15)
    assert "went on" not in said
    assert trace.rstrip().endswith("KeyboardInterrupt")
    assert child.returncode == -signal.SIGINT


# Threads


LEAKS = """
import threading, time
@pisces.on(TurnStart)
def start(event):
    threading.Thread(target=work, name="mine").start()
def work():
    while True:
        {waits}
"""


@pytest.mark.parametrize(
    ("waits", "end"),
    [("time.sleep(0.01)", "had to be ended"), ("time.sleep(1)", "does not end: the program ends without it")],
)
def test_a_thread_that_is_left_is_named_with_its_module(tmp_path: Path, waits: str, end: str) -> None:
    path = module(tmp_path, LEAKS.format(waits=waits))
    failures: list[ModuleFailed] = []

    async def play() -> None:
        entries = named_entries(Places(str(tmp_path), str(tmp_path)), [path]).entries
        async with open_modules(entries, ScriptedHost(str(tmp_path)), failures.append) as modules:
            await modules.runner.emit(TurnStart(0))

    asyncio.run(play())
    for thread in [each for each in threading.enumerate() if each.name == "mine"]:
        thread.join(10)  # else its end would be the fault of another test
    assert [(each.module, each.event, each.message) for each in failures] == [
        (path, "shutdown", f"its thread `mine` was still running and {end}")
    ]


def test_a_thread_of_the_host_is_left_alone(tmp_path: Path) -> None:
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    thread.start()
    with scripted_session(module(tmp_path, "pass")) as session:
        session.emit(TurnStart(0))
    assert thread.is_alive()
    ended.set()
    thread.join()
    assert not session.errors


def test_the_shell_command_ends_although_a_thread_does_not(tmp_path: Path) -> None:
    path = module(tmp_path, LEAKS.format(waits="time.sleep(600)"))
    argv = [sys.executable, "-m", "pisces", "modules", "test", path, "--event", 'TurnStart={"turn_index": 0}']
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
    assert "its thread `mine` was still running" in done.stdout + done.stderr


# Time


def _off_the_main_thread(play: Any) -> Any:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(asyncio.run(play())), daemon=True)
    thread.start()
    thread.join(30)
    assert found, "it hangs"
    return found[0]


@pytest.mark.parametrize("does", ["__import__('time').sleep(600)", "while True: pass", "threading.Event().wait()"])
@pytest.mark.parametrize("kind", ["def", "async def"])
def test_a_guard_that_blocks_off_the_main_thread_is_cut_and_denies(tmp_path: Path, does: str, kind: str) -> None:
    path = module(
        tmp_path,
        f"""
        import threading
        @pisces.on(ToolCall)
        {kind} guard(event):
            {does}
        @pisces.on(Input)
        {kind} hears(event):
            return event.replace(text=event.text + "!")
        """,
    )
    failures: list[ModuleFailed] = []

    async def play() -> tuple[bool, str]:
        entries = named_entries(Places(str(tmp_path), str(tmp_path)), [path]).entries
        options = ModuleOptions(seconds=0.3)
        async with open_modules(entries, ScriptedHost(str(tmp_path)), failures.append, options) as modules:
            call = await modules.runner.emit(ToolCall("bash", "1", {"command": "ls"}))
            return call.blocked, (await modules.runner.emit(Input("x"))).text

    assert _off_the_main_thread(play) == (True, "x!")
    assert [(each.module, each.message) for each in failures] == [(path, "took longer than 0.3 s")]


def test_off_the_main_thread_a_handler_works_as_in_it(tmp_path: Path) -> None:
    """Tasks, timeouts, context and what is bound to a thread."""
    path = module(
        tmp_path,
        """
        import contextvars, sqlite3
        seen = contextvars.ContextVar("seen", default="")
        shared = {}
        async def twice(text):
            await asyncio.sleep(0)
            return text * 2
        @pisces.on(TurnStart)
        def start(event):
            shared["db"] = sqlite3.connect(":memory:")
        @pisces.on(Input)
        async def hears(event):
            seen.set("s")
            shared["db"].execute("select 1")
            async with asyncio.timeout(5), asyncio.TaskGroup() as group:
                task = group.create_task(twice(event.text))
            shared["db"].execute("select 1")
            shared["db"].close()
            return event.replace(text=task.result() + seen.get())
        """,
    )

    async def play() -> str:
        entries = named_entries(Places(str(tmp_path), str(tmp_path)), [path]).entries
        async with open_modules(entries, ScriptedHost(str(tmp_path)), lambda failed: print(failed)) as modules:
            await modules.runner.emit(TurnStart(0))
            return (await modules.runner.emit(Input("x"))).text

    assert _off_the_main_thread(play) == "xxs"


@pytest.mark.parametrize("runs", [asyncio.run, lambda work: _off_the_main_thread(lambda: work)])
def test_modules_that_hang_while_they_are_imported_share_one_budget(
    tmp_path: Path, runs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abcd":
        (tmp_path / f"{name}.py").write_text(
            "import time\ntime.sleep(600)\n" if name != "d" else "def extension(p): pass\n"
        )

    async def play() -> list[str]:
        paths = [str(tmp_path / f"{name}.py") for name in "abcd"]
        entries = named_entries(Places(str(tmp_path), str(tmp_path)), paths).entries
        async with open_modules(entries, ScriptedHost(str(tmp_path)), lambda _failed: None) as modules:
            assert [each.name for each in modules.runner.modules] == ["d"]
            return [error.code for error in modules.errors]

    began = monotonic()
    monkeypatch.setattr("pisces.modules.load.Loader.__init__.__kwdefaults__", {"seconds": 1.0, "cache": ""})
    assert runs(play()) == ["module-slow"] * 3
    assert monotonic() - began < 3
