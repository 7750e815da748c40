"""One owner for each server: started once and lazily, ended by whoever closes it, started again after a while."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pisces.mcp.client import ASKED, CLOSED, FAILED, IDLE, REFUSED, STARTING, UP, McpClient
from pisces.mcp.connection import ServerAsks, ServerError, ServerGone
from pisces.mcp.plan import ServerPlan
from pisces.shapes.verdict import Verdict
from tests.mcp.faulty import children, client, is_alive, nothing_left, open_client, plan, ran, said, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is left is counted in /proc")


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    yield from nothing_left()


def test_nothing_is_started_before_the_first_use() -> None:
    before = children()

    async def work() -> None:
        async with open_client() as server:
            assert server.state == IDLE
            assert children() == before
            await server.start()
            assert server.state == UP
            assert children() != before

    ran(work())


def test_callers_share_one_start_and_one_question() -> None:
    asked: list[ServerPlan] = []

    async def may_start(wanted: ServerPlan) -> Verdict:
        asked.append(wanted)
        await asyncio.sleep(0)
        return Verdict.allow()

    async def work() -> None:
        server = McpClient(plan(), ServerAsks(), may_start)
        results = await asyncio.gather(*(server.call("pid", {}) for _ in range(5)))
        assert len({said(each) for each in results}) == 1
        await server.close()

    ran(work())
    assert asked == [plan()]


def test_an_impatient_caller_does_not_end_the_start_for_others() -> None:
    async def work() -> None:
        async with open_client() as server:
            impatient, patient = asyncio.create_task(server.start()), asyncio.create_task(server.call("pid", {}))
            await asyncio.sleep(0)
            impatient.cancel()
            assert int(said(await patient)) > 0
            with pytest.raises(asyncio.CancelledError):
                await impatient

    ran(work())


def test_what_may_not_be_started_is_not() -> None:
    before = children()

    async def never(_plan: ServerPlan) -> Verdict:
        return Verdict.deny("not in this house")

    async def work() -> None:
        server = McpClient(plan(), ServerAsks(), never)
        with pytest.raises(ServerGone, match="not in this house"):
            await server.call("echo", {})
        assert (server.state, server.reason) == (REFUSED, "not in this house")
        assert children() == before
        await server.close()

    ran(work())


def test_whoever_cannot_answer_does_not_allow() -> None:
    before = children()

    async def broken(_plan: ServerPlan) -> Verdict:
        raise RuntimeError("no terminal")

    async def work() -> None:
        server = McpClient(plan(), ServerAsks(), broken)
        with pytest.raises(ServerGone, match="whoever decides has failed: no terminal"):
            await server.start()
        assert server.state == REFUSED
        assert children() == before
        await server.close()

    ran(work())


def test_somebody_who_is_still_asked_does_not_hold_up_the_end() -> None:
    async def thinking(_plan: ServerPlan) -> Verdict:
        await asyncio.Event().wait()
        return Verdict.allow()

    async def work() -> None:
        server = McpClient(plan(start_seconds=0.1), ServerAsks(), thinking)
        start = asyncio.create_task(server.start())
        while server.state != ASKED:
            await asyncio.sleep(0)
        await server.close()
        with pytest.raises(ServerGone, match="is closed"):
            await start
        assert server.state == CLOSED

    ran(work())


@pytest.mark.parametrize("steps", [0, 1, 2, 5, 20])
def test_closing_while_it_starts_leaves_neither_a_caller_nor_a_process(steps: int) -> None:
    async def work() -> None:
        server = client("slow_start", "30")
        start = asyncio.create_task(server.start())
        for _ in range(steps):
            await asyncio.sleep(0)
        await server.close()
        with pytest.raises(ServerGone):
            await start
        with pytest.raises(ServerGone, match="is closed"):
            await server.start()

    ran(work())


def test_a_call_that_is_under_way_fails_when_its_server_is_closed() -> None:
    async def work() -> None:
        server = client("never")
        await server.start()
        call = asyncio.create_task(server.call("fault", {}))
        await asyncio.sleep(0)
        began = time.monotonic()
        await server.close()
        with pytest.raises(ServerGone, match="is closed"):
            await call
        assert time.monotonic() - began < 5

    ran(work())


def test_opened_in_one_task_and_closed_in_another() -> None:
    async def work() -> None:
        server = client()
        await asyncio.create_task(server.start())
        assert said(await asyncio.create_task(server.call("echo", {"message": "x"}))) == "x"
        await asyncio.create_task(server.close())
        await server.close()

    ran(work())


def test_the_task_that_opened_may_be_cancelled() -> None:
    async def work() -> None:
        async with open_client("never") as server:
            opener = asyncio.create_task(server.call("fault", {}))
            while server.state != UP:
                await asyncio.sleep(0.001)
            opener.cancel()
            await asyncio.wait([opener])
            assert said(await server.call("echo", {"message": "x"})) == "x"

    ran(work())


def test_closed_from_another_event_loop() -> None:
    server = client()
    up, done = threading.Event(), threading.Event()

    async def there() -> None:
        await server.start()
        up.set()
        await asyncio.to_thread(done.wait, 20)

    thread = threading.Thread(target=lambda: asyncio.run(there()))
    thread.start()
    assert up.wait(20)

    async def here() -> None:
        with pytest.raises(ServerGone, match="another event loop"):
            await server.call("echo", {})
        await server.close()

    try:
        asyncio.run(here())
        assert server.state == CLOSED
    finally:
        done.set()
        thread.join(20)


def test_a_loop_that_ends_takes_its_server_with_it_and_the_next_one_may_start_it_again() -> None:
    server = client()

    async def work() -> int:
        return int(said(await server.call("pid", {})))

    first = asyncio.run(work())
    until(lambda: not is_alive(first))
    assert server.state == IDLE
    second = asyncio.run(work())
    assert second != first
    until(lambda: not is_alive(second))


def test_a_server_that_died_is_started_again_but_not_at_once() -> None:
    async def work() -> None:
        async with open_client("die_in_call") as server:
            first = said(await server.call("pid", {}))
            with pytest.raises(ServerGone):
                await server.call("fault", {})
            began = time.monotonic()
            with pytest.raises(ServerGone, match=r"boom: the database is gone \(it is not started again for 1 s\)"):
                await server.call("echo", {})
            assert time.monotonic() - began < 0.5
            while server.state != UP:
                try:
                    await server.start()
                except ServerGone:
                    await asyncio.sleep(0.05)
            assert time.monotonic() - began > 0.5
            assert said(await server.call("pid", {})) != first

    ran(work())


def test_each_failure_makes_the_next_start_wait_longer() -> None:
    starts: list[float] = []

    async def work() -> None:
        async with open_client("dies_at_start") as server:
            server.watch(lambda changed: starts.append(time.monotonic()) if changed.state == STARTING else None)
            while len(starts) < 3:
                with pytest.raises(ServerGone, match="left-pad"):
                    await server.start()
                await asyncio.sleep(0.02)

    ran(work())
    assert starts[1] - starts[0] >= 1
    assert starts[2] - starts[1] >= 2


def test_every_change_of_state_is_watched_and_no_watcher_can_break_it() -> None:
    states: list[str] = []

    def broken(_server: McpClient) -> None:
        raise RuntimeError("watcher")

    async def work() -> None:
        server = client("die_in_call")
        server.watch(broken)
        server.watch(lambda changed: states.append(changed.state))
        with pytest.raises(ServerGone):
            await server.call("fault", {})
        await server.close()

    ran(work())
    assert states == [ASKED, STARTING, UP, FAILED, CLOSED]


def test_a_server_offers_and_is_asked_for_nothing_that_it_may_not_offer() -> None:
    async def work() -> None:
        async with open_client(include=("echo", "pid"), exclude=("pid",)) as server:
            assert [each["name"] for each in await server.tools()] == ["echo"]
            with pytest.raises(ServerError, match="may not offer `pid`"):
                await server.call("pid", {})

    ran(work())


def test_what_a_server_has_not_is_an_empty_list() -> None:
    async def work() -> None:
        async with open_client() as server:
            assert await server.prompts() == await server.resources() == await server.templates() == ()

    ran(work())


def test_a_server_that_is_used_by_nobody_is_closed_without_being_started() -> None:
    server = client()
    ran(server.close())
    assert server.state == CLOSED


def test_nothing_of_the_sdk_is_loaded_by_what_only_names_a_server() -> None:
    code = """
import sys
import pisces.mcp.client, pisces.mcp.plan, pisces.mcp.connection, pisces.mcp.server_run, pisces.mcp.bounded_lines
heavy = {name.split(".")[0] for name in sys.modules} & {"mcp", "mcp_types", "pydantic", "anyio", "httpx2"}
assert not heavy, heavy
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_without_the_extra_there_is_one_reason_with_the_command_that_installs_it() -> None:
    code = """
import asyncio, sys
sys.modules["mcp"] = sys.modules["mcp_types"] = None
from pisces.diagnostics import PiscesError
from pisces.mcp.client import FAILED, connected_by_sdk
from pisces.mcp.connection import ServerAsks, ServerGone
from tests.mcp.faulty import client, plan

try:
    connected_by_sdk(plan(), ServerAsks())
except PiscesError as error:
    print(error.diagnostic.code, error.diagnostic.hint)

async def main():
    server = client()
    try:
        await server.start()
    except ServerGone as error:
        print(server.state, error)
    await server.close()

asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, timeout=60, capture_output=True, text=True)
    hint = 'run `pip install "pisces-agent[mcp]"`'
    assert done.stdout.splitlines()[0] == f"mcp-sdk-missing {hint}"
    assert done.stdout.splitlines()[1].startswith(
        f"failed the server `faulty` is not there: MCP servers need the official SDK: {hint}"
    )


def test_an_sdk_that_is_too_old_is_not_called_missing(tmp_path: Path) -> None:
    (tmp_path / "mcp").mkdir()
    (tmp_path / "mcp" / "__init__.py").write_text("", "utf-8")
    code = f"""
import sys

sys.path.insert(0, {str(tmp_path)!r})
from pisces.diagnostics import PiscesError
from pisces.mcp.client import connected_by_sdk
from pisces.mcp.connection import ServerAsks
from tests.mcp.faulty import plan

try:
    connected_by_sdk(plan(), ServerAsks())
except PiscesError as error:
    print(error.diagnostic.message)
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, timeout=60, capture_output=True, text=True)
    assert "the one that is installed cannot be used" in done.stdout
