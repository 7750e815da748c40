"""Whatever a module does to its process, the session goes on, guards stay shut and the user is told once."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.modules.api import Wiring
from pisces.modules.bus import Bus
from pisces.modules.sidecar import Runtime, Sidecar, SidecarLimits
from pisces.modules.tasks import Tasks
from pisces.shapes.events.agent import Input
from pisces.shapes.events.surroundings import ModuleFailed
from pisces.shapes.events.tools import ToolCall
from tests.modules.js_session import JsSession, played, written

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)
GOOD = "export default (pi) => pi.on('input', (event) => ({ text: event.text + '!' }))"
GUARD = "export default (pi) => pi.on('tool_call', () => undefined)"
CALL = ToolCall("bash", "1", {"command": "ls"})
QUICK = SidecarLimits(load=2, life=0.3, delay=0.01, patience=5)
SLOW_TO_RETURN = SidecarLimits(delay=60, patience=0.05)  # stays down for as long as the test lasts


async def errors(session: JsSession) -> list[str]:
    assert (await session.emit(Input("still here"))).text == "still here!"
    return [f"{Path(each.path).name}:{each.line}: {each.message}" for each in session.sidecar.errors]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\nthrow new Error('at import')", "bad.ts:2: at import"),
        ("export default (pi) => {\n  pi.nothing.here()\n}", "bad.ts:2: TypeError"),
        ("export const extension = () => {}", "bad.ts:0: TypeError: exports no factory"),
        ("export default async () => {\n  await null\n  throw new Error('late')\n}", "bad.ts:3: late"),
        ("process.exit(3)", "bad.ts:1: called process.exit(3) while it was loaded"),
        ("export default (pi) => pi.sendUserMessage('too early')", "not initialized"),
        ("import 'no-such-package'", "no-such-package"),
        ("const x: = 1", "bad.ts:1:"),
    ],
)
def test_a_module_that_does_not_load_costs_nobody_else(tmp_path: Path, text: str, expected: str) -> None:
    paths = written(tmp_path, {"bad.ts": text, "good.ts": GOOD})
    (error,) = played(paths, errors)
    assert expected in error


@pytest.mark.parametrize("text", ["while (true) {}", "process.kill(process.pid, 'SIGKILL')"])
def test_a_module_that_takes_the_process_along_while_it_loads_is_left_out(tmp_path: Path, text: str) -> None:
    paths = written(tmp_path, {"first.ts": GOOD, "bad.ts": text, "last.ts": GUARD})

    async def play(session: JsSession) -> list[str]:
        assert [each.name for each in session.sidecar.loaded] == ["first", "last"]
        assert not (await session.emit(CALL)).blocked
        return await errors(session)

    (error,) = played(paths, play, limits=SidecarLimits(load=0.5))
    assert error.startswith("bad.ts:0: the sidecar ")


def test_a_missing_package_comes_with_a_hint(tmp_path: Path) -> None:
    async def play(session: JsSession) -> str:
        return session.sidecar.errors[0].hint

    paths = written(tmp_path, {"bad.ts": "import 'no-such-package'", "good.ts": GOOD})
    assert "npm install" in played(paths, play)


def test_a_handler_that_throws_is_reported_and_the_event_goes_on(tmp_path: Path) -> None:
    bad = "export default (pi) => pi.on('input', () => { throw new RangeError('too far') })"

    async def play(session: JsSession) -> list[str]:
        assert (await session.emit(Input("a"))).text == "a!"
        return session.messages

    (message,) = played(written(tmp_path, {"bad.ts": bad, "good.ts": GOOD}), play)
    assert "RangeError: too far" in message


def test_a_guard_that_throws_blocks(tmp_path: Path) -> None:
    async def play(session: JsSession) -> ToolCall:
        return await session.emit(CALL)

    text = "export default (pi) => pi.on('tool_call', async () => { throw new Error('oh') })"
    after = played(written(tmp_path, {"bad.ts": text}), play)
    assert after.blocked
    assert "oh" in after.reason


def test_a_handler_that_never_comes_back_is_given_up_and_the_process_is_started_again(tmp_path: Path) -> None:
    bad = "export default (pi) => pi.on('tool_call', () => { while (true) {} })"

    async def play(session: JsSession) -> None:
        before = session.sidecar.pid
        guarded = asyncio.create_task(session.emit(CALL))
        await session.until(lambda: session.sidecar.busy_with)
        guarded.cancel()
        await session.until(lambda: session.sidecar.generation == 2)
        assert session.sidecar.pid != before
        assert (await session.emit(Input("a"))).text == "a!"
        assert [message for message in session.messages if "did not come back" in message]

    played(written(tmp_path, {"bad.ts": bad, "good.ts": GOOD}), play, limits=QUICK)


def test_process_exit_ends_the_sidecar_only_and_is_said_by_name(tmp_path: Path) -> None:
    bad = """export default (pi) => pi.registerTool({ name: 'bye', description: 'b', parameters: { type: 'object' },
      async execute() { process.exit(7) } })"""

    async def play(session: JsSession) -> None:
        result = await session.tool("bye")
        assert result.is_error
        assert "bad.ts` called process.exit(7)" in result.text
        assert (await session.emit(Input("a"))).text == "a!"
        told = [failure.message for failure in session.failures if failure.event == "sidecar"]
        assert len(told) == 1
        assert "bad.ts` called process.exit(7)" in told[0]
        assert session.sidecar.generation == 2

    played(written(tmp_path, {"bad.ts": bad, "good.ts": GOOD}), play, limits=QUICK)


WAITS = """export default (pi) => {
  pi.registerTool({ name: 'wait', description: 'w', parameters: { type: 'object' },
    execute: () => new Promise(() => {}) })
  pi.on('tool_call', () => undefined)
}"""


def test_a_sidecar_killed_in_the_middle_of_a_tool_call_fails_that_call_and_comes_back(tmp_path: Path) -> None:
    async def play(session: JsSession) -> None:
        generation = session.sidecar.loaded[0].generation
        call = asyncio.create_task(session.tool("wait"))
        await session.until(lambda: "tool" in session.sidecar.busy_with)
        os.kill(session.sidecar.pid, KILL)
        result = await call
        assert result.is_error
        assert "was ended by SIGKILL" in result.text
        assert (await session.emit(Input("a"))).text == "a!"
        assert not (await session.emit(CALL)).blocked
        assert session.sidecar.loaded[0].generation > generation
        assert [failure.event for failure in session.failures] == ["sidecar", "tool wait"]

    played(written(tmp_path, {"wait.ts": WAITS, "good.ts": GOOD}), play, limits=QUICK)


def test_guards_fail_closed_while_the_sidecar_is_dead_and_everything_else_goes_on(tmp_path: Path) -> None:
    async def play(session: JsSession) -> None:
        os.kill(session.sidecar.pid, KILL)
        await session.until(lambda: not session.sidecar.is_up)
        after = await session.emit(CALL)
        assert after.blocked
        assert "the sidecar is down" in after.reason
        assert (await session.emit(Input("a"))).text == "a"
        assert [failure.event for failure in session.failures] == ["sidecar", "ToolCall"]

    played(written(tmp_path, {"guard.ts": GUARD, "good.ts": GOOD}), play, limits=SLOW_TO_RETURN)


NONSENSE = ['{"register": "x", "ext": 99, "value": {}}', '{"answer": []}', '{"ask": "x"}']


@pytest.mark.parametrize("garbage", ["not json", "[1, 2]", "x" * 2_000_000, "\\u0000\\ufffd", "[" * 100_000, *NONSENSE])
def test_garbage_on_the_wire_ends_the_process_and_it_comes_back(tmp_path: Path, garbage: str) -> None:
    bad = f"""import {{ writeSync }} from 'node:fs'
    export default (pi) => pi.registerCommand('spoil', {{ handler: async () => {{ writeSync(4, '{garbage}\\n') }} }})"""

    async def play(session: JsSession) -> None:
        await session.command("spoil")
        await session.until(lambda: session.sidecar.generation == 2)
        assert (await session.emit(Input("a"))).text == "a!"
        told = [failure.message for failure in session.failures if failure.event == "sidecar"]
        assert len(told) == 1
        assert told[0].startswith("the sidecar sent ")

    played(written(tmp_path, {"bad.ts": bad, "good.ts": GOOD}), play, limits=QUICK.replace(line=1_000_000))


def test_what_modules_print_never_reaches_the_wire_and_is_kept_within_bounds(tmp_path: Path) -> None:
    bad = """import { writeSync } from 'node:fs'; import { execSync } from 'node:child_process'
    export default (pi) => pi.on('input', (event) => {
      for (let i = 0; i < 20000; i++) console.log('flood', i)
      process.stdout.write('raw\\n'); writeSync(1, 'lower\\n'); execSync('echo child', { stdio: 'inherit' })
    })"""

    async def play(session: JsSession) -> str:
        assert (await session.emit(Input("a"))).text == "a!"
        await session.until(lambda: "child" in session.sidecar.printed)
        assert not session.failures
        return session.sidecar.printed

    printed = played(written(tmp_path, {"bad.ts": bad, "good.ts": GOOD}), play, limits=SidecarLimits(printed=10_000))
    assert len(printed) <= 10_000
    assert "lower" in printed


@pytest.mark.parametrize(
    "text", ["Promise.reject(new Error('stray'))", "setTimeout(() => { throw new Error('stray') })"]
)
def test_what_breaks_in_the_background_is_reported_with_its_module(tmp_path: Path, text: str) -> None:
    bad = f"export default (pi) => pi.on('input', () => {{ {text} }})"

    async def play(session: JsSession) -> None:
        await session.emit(Input("a"))
        await session.until(lambda: session.failures)
        (failure,) = session.failures
        assert Path(failure.module).name == "bad.ts"
        assert "stray" in failure.message
        assert session.sidecar.generation == 1

    played(written(tmp_path, {"good.ts": GOOD, "bad.ts": bad}), play)


def test_a_sidecar_that_falls_again_and_again_stays_down(tmp_path: Path) -> None:
    bad = "export default (pi) => { setTimeout(() => process.exit(1), 5) }"

    async def play(session: JsSession) -> None:
        await session.until(lambda: any("stays down" in message for message in session.messages))
        assert not session.sidecar.is_up

    limits = SidecarLimits(delay=0.001, restarts=2, patience=0.01)
    played(written(tmp_path, {"bad.ts": bad}), play, limits=limits)


def test_programs_that_a_module_started_end_with_it(tmp_path: Path) -> None:
    text = f"""import {{ spawn }} from 'node:child_process'; import {{ writeFileSync }} from 'node:fs'
    export default (pi) => writeFileSync('{tmp_path}/pid', String(spawn('sleep', ['600']).pid))"""

    async def play(session: JsSession) -> int:
        return int((tmp_path / "pid").read_text())

    pid = played(written(tmp_path, {"module.ts": text}), play)
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False).stdout
    assert state.strip() == "" or state.startswith("Z")  # gone, or dead and not yet collected


def test_a_program_that_leaves_the_group_does_not_keep_the_sidecar_from_coming_back(tmp_path: Path) -> None:
    text = f"""import {{ spawn }} from 'node:child_process'; import {{ writeFileSync }} from 'node:fs'
    export default (pi) => pi.registerCommand('go', {{ handler: async () => {{
      const child = spawn('sleep', ['30'], {{ detached: true, stdio: 'inherit' }})
      writeFileSync('{tmp_path}/pid', String(child.pid)); process.exit(0) }} }})"""

    async def play(session: JsSession) -> None:
        await session.command("go")
        await session.until(lambda: session.sidecar.generation == 2)
        assert (await session.emit(Input("a"))).text == "a!"

    try:
        played(written(tmp_path, {"bad.ts": text, "good.ts": GOOD}), play, limits=QUICK)
    finally:
        if (tmp_path / "pid").exists():  # not where the test is skipped
            os.kill(int((tmp_path / "pid").read_text()), KILL)


def test_a_handler_that_waits_too_long_is_given_up_and_goes_on_alone(tmp_path: Path) -> None:
    text = "export default (pi) => pi.on('input', () => new Promise(() => {}))"

    async def play(session: JsSession) -> list[str]:
        assert (await session.emit(Input("a"))).text == "a!"
        assert session.sidecar.generation == 1
        return session.messages

    (message,) = played(written(tmp_path, {"bad.ts": text, "good.ts": GOOD}), play, seconds=0.3)
    assert "longer than 0.3 s" in message


def test_the_time_that_the_user_takes_is_not_the_modules(tmp_path: Path) -> None:
    text = (
        "export default (pi) => pi.on('tool_call', async (event, ctx) => ({ block: !(await ctx.ui.confirm('?', '')) }))"
    )

    async def slowly(*_: object) -> bool:
        await asyncio.sleep(0.6)
        return True

    async def play(session: JsSession) -> ToolCall:
        session.host.ui.confirm = slowly  # type: ignore[method-assign,assignment]  # a user who thinks
        return await session.emit(CALL)

    assert not played(written(tmp_path, {"module.ts": text}), play, seconds=0.3).blocked


@pytest.mark.parametrize("argv", [("/bin/false",), ("/no/such/program",), ("/bin/cat",)])
def test_a_runtime_that_does_not_work_is_refused(tmp_path: Path, argv: tuple[str, ...]) -> None:
    failures: list[ModuleFailed] = []

    async def start() -> None:
        wiring = Wiring(str(tmp_path), Bus(failures.append, Tasks(failures.append)))
        await Sidecar.open(Runtime("bun", argv, dict(os.environ)), [], wiring, failures.append, SidecarLimits(load=0.5))

    with pytest.raises(PiscesError) as refused:
        asyncio.run(start())
    assert refused.value.diagnostic.code == "sidecar-broken"


def test_restarting_sees_what_was_edited(tmp_path: Path) -> None:
    paths = written(tmp_path, {"module.ts": GOOD})

    async def play(session: JsSession) -> str:
        written(tmp_path, {"module.ts": GOOD.replace("!", "?")})
        await session.sidecar.restart()
        return (await session.emit(Input("a"))).text

    assert played(paths, play) == "a?"


def test_a_module_that_does_not_load_any_more_keeps_its_guard_shut(tmp_path: Path) -> None:
    paths = written(tmp_path, {"guard.ts": GUARD})

    async def play(session: JsSession) -> ToolCall:
        written(tmp_path, {"guard.ts": "throw new Error('broken by an edit')"})
        await session.sidecar.restart()
        assert "broken by an edit" in session.sidecar.errors[0].message
        return await session.emit(CALL)

    assert played(paths, play).blocked


def test_a_restarted_module_is_told_that_the_session_runs(tmp_path: Path) -> None:
    text = "export default (pi) => pi.on('session_start', (event, ctx) => ctx.ui.notify(event.reason))"

    async def play(session: JsSession) -> list[tuple[str, str]]:
        os.kill(session.sidecar.pid, KILL)
        await session.until(lambda: len(session.host.ui.notices) == 2)
        return session.host.ui.notices

    assert played(written(tmp_path, {"module.ts": text}), play, limits=QUICK) == [
        ("info", "startup"),
        ("info", "reload"),
    ]


def test_a_module_that_ends_the_process_when_the_session_is_resumed_is_told_of_and_given_up(tmp_path: Path) -> None:
    bad = "export default (pi) => pi.on('session_start', (event) => { if (event.reason === 'reload') process.exit(4) })"

    async def play(session: JsSession) -> None:
        os.kill(session.sidecar.pid, KILL)
        await session.until(lambda: any("stays down" in message for message in session.messages))
        assert not session.sidecar.is_up
        assert sum("called process.exit(4)" in message for message in session.messages) >= 1

    limits = SidecarLimits(delay=0.001, restarts=2, patience=0.01)
    played(written(tmp_path, {"bad.ts": bad}), play, limits=limits)


def test_a_module_that_blocks_while_nobody_waits_is_noticed_by_its_silence(tmp_path: Path) -> None:
    bad = "export default (pi) => pi.on('input', () => { setTimeout(() => { while (true) {} }, 5) })"

    async def play(session: JsSession) -> None:
        await session.emit(Input("a"))
        await session.until(lambda: session.sidecar.generation == 2)
        assert any("no sign of life" in message for message in session.messages)

    limits = SidecarLimits(beat=0.05, silence=0.3, delay=0.01)
    played(written(tmp_path, {"bad.ts": bad}), play, limits=limits)


def test_a_flood_of_orders_is_obeyed_in_order(tmp_path: Path) -> None:
    text = """export default (pi) => pi.on('input', (event, ctx) => {
      for (let i = 0; i < 5000; i++) ctx.ui.setStatus('n', String(i)) })"""

    async def play(session: JsSession) -> dict[str, str]:
        await session.emit(Input("a"))
        return session.host.ui.statuses

    assert played(written(tmp_path, {"module.ts": text}), play) == {"n": "4999"}
