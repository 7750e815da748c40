"""What a server does wrong costs its own callers, at once, and nobody else. Nothing of it is left."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from pisces.mcp.client import CLOSED, FAILED, UP, McpClient
from pisces.mcp.connection import ServerAsks, ServerError, ServerGone
from tests.mcp.faulty import allowed, client, is_alive, nothing_left, open_client, plan, ran, said, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is left is counted in /proc")


@pytest.fixture(autouse=True)
def _nothing_left() -> Iterator[None]:
    yield from nothing_left()


def failure(*fault: str, **more: Any) -> tuple[str, McpClient]:
    async def tried() -> tuple[str, McpClient]:
        async with open_client(*fault, **more) as server:
            with pytest.raises(ServerGone) as caught:
                await server.start()
            assert server.state == FAILED
            return str(caught.value), server

    return ran(tried())  # type: ignore[no-any-return]


def test_one_that_dies_at_its_start_says_why_in_its_own_words_without_colours() -> None:
    why, server = failure("dies_at_start")
    assert "it ended with exit code 1: Error: cannot find module 'left-pad'" in why
    assert server.reason == "it ended with exit code 1: Error: cannot find module 'left-pad'"


def test_one_that_does_not_exist_is_named() -> None:
    why, _ = failure(argv=("/no/such/program", "x"))
    assert "`/no/such/program` cannot be started: No such file or directory" in why


def test_one_that_hangs_at_the_handshake_ends_at_its_own_limit_with_its_last_words() -> None:
    began = time.monotonic()
    why, _ = failure("hang_at_start", start_seconds=0.5)
    assert "it was not ready after 0.5 seconds: waiting for a lock" in why
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("fault", "what"),
    [
        ("cr_only", "its output is a line without an end: '{"),
        ("utf-16-be", "a line is no message of the protocol: '\\x00{"),
    ],
)
def test_one_that_answers_in_another_way_is_quoted(fault: str, what: str) -> None:
    why, _ = failure(fault, start_seconds=0.5)
    assert f"it was not ready after 0.5 seconds: {what}" in why


def test_a_mark_of_the_encoding_before_the_first_message_is_no_fault() -> None:
    async def work() -> None:
        async with open_client("utf-8-sig") as server:
            assert len(await server.tools()) > 0

    ran(work())


def test_a_version_that_nobody_knows_is_refused() -> None:
    why, _ = failure("odd_version")
    assert "1999-01-01" in why


def test_one_that_dies_in_a_call_fails_that_call_at_once() -> None:
    async def work() -> None:
        async with open_client("die_in_call") as server:
            began = time.monotonic()
            with pytest.raises(ServerGone, match="exit code 3: boom: the database is gone"):
                await server.call("fault", {})
            assert time.monotonic() - began < 5
            assert server.state == FAILED
            with pytest.raises(ServerGone, match="boom"):
                await server.call("echo", {})

    ran(work())


def test_200_mb_on_stderr_neither_block_nor_stay() -> None:
    async def work() -> None:
        async with open_client("flood_stderr") as server:
            assert said(await server.call("fault", {})) == "flooded"

    ran(work())


def test_an_answer_within_the_limit_comes_whole() -> None:
    async def work() -> None:
        async with open_client("huge", "15") as server:
            assert len(said(await server.call("fault", {}))) == 15 << 20

    ran(work())


@pytest.mark.parametrize("fault", ["huge", "huge_id_last"])
def test_an_answer_of_50_mb_is_an_error_for_its_caller_and_no_trouble_for_others(fault: str) -> None:
    notes: list[Any] = []

    async def work() -> None:
        asks = ServerAsks(notified=lambda *note: notes.append(note))
        async with open_client(fault, "50", asks=asks) as server:
            with pytest.raises(ServerError, match="more than 16 MB"):
                await server.call("fault", {})
            assert said(await server.call("echo", {"message": "still here"})) == "still here"
            assert server.state == UP

    ran(work())
    assert [note[1]["logger"] for note in notes if note[0] == "notifications/message"] == ["pisces"]


def test_a_line_without_an_end_ends_the_server() -> None:
    async def work() -> None:
        async with open_client("endless_line") as server:
            with pytest.raises(ServerGone, match="its line has no end"):
                await server.call("fault", {})

    ran(work())


def test_lines_that_are_no_messages_are_reported_and_skipped() -> None:
    notes: list[Any] = []

    async def work() -> None:
        asks = ServerAsks(notified=lambda *note: notes.append(note))
        async with open_client("junk_then_answer", asks=asks) as server:
            assert said(await server.call("fault", {})) == "after junk"

    ran(work())
    reports = [params["data"] for method, params in notes if method == "notifications/message"]
    assert len(reports) == 4
    assert "Starting up" in reports[0]


def test_a_flood_of_junk_is_reported_a_bounded_number_of_times() -> None:
    notes: list[Any] = []

    async def work() -> None:
        asks = ServerAsks(notified=lambda *note: notes.append(note))
        async with open_client("junk_flood", asks=asks) as server:
            assert said(await server.call("fault", {})) == "after junk"

    ran(work())
    assert len(notes) == 20
    assert notes[-1][1]["data"].endswith("(more are not reported)")


@pytest.mark.parametrize(("fault", "text"), [("bad_byte", "caf\N{REPLACEMENT CHARACTER}"), ("half_pair", "?!")])
def test_characters_that_are_none_become_marks(fault: str, text: str) -> None:
    async def work() -> None:
        async with open_client(fault) as server:
            assert said(await server.call("fault", {})) == text

    ran(work())


@pytest.mark.parametrize("fault", ["not_json", "wrong_shape", "result_is_text", "deep"])
def test_an_answer_that_is_none_is_an_error_at_once_and_the_server_stays(fault: str) -> None:
    async def work() -> None:
        async with open_client(fault) as server:
            began = time.monotonic()
            with pytest.raises(ServerError) as caught:
                await server.call("fault", {})
            assert not isinstance(caught.value, ServerGone)
            assert time.monotonic() - began < 5
            assert said(await server.call("echo", {"message": "next"})) == "next"

    ran(work())


@pytest.mark.parametrize("fault", ["wrong_id", "never"])
def test_a_call_without_an_answer_ends_at_its_limit_and_the_server_hears_of_it(fault: str) -> None:
    async def work() -> None:
        async with open_client(fault, call_seconds=0.5) as server:
            await server.start()
            with pytest.raises(ServerGone, match=r"`tools/call` had no answer after 0\.5 seconds"):
                await server.call("fault", {})
            seen = json.loads(said(await server.call("seen", {})))
            asked = next(each["id"] for each in seen if each.get("params", {}).get("name") == "fault")
            ended = [each["params"]["requestId"] for each in seen if each["method"] == "notifications/cancelled"]
            assert ended == [asked]
            assert server.state == UP

    ran(work())


def test_a_server_that_claims_to_be_gone_is_not_believed() -> None:
    async def work() -> None:
        async with open_client("closed_error") as server:
            with pytest.raises(ServerError):
                await server.call("fault", {})
            assert server.state == UP
            assert said(await server.call("echo", {"message": "here"})) == "here"

    ran(work())


def test_a_cancelled_call_returns_at_once_though_the_server_ignores_it() -> None:
    async def work() -> None:
        async with open_client("never") as server:
            await server.start()
            call = asyncio.create_task(server.call("fault", {}))
            while not any(
                each.get("params", {}).get("name") == "fault"
                for each in json.loads(said(await server.call("seen", {})))
            ):
                pass
            call.cancel()
            began = time.monotonic()
            with pytest.raises(asyncio.CancelledError):
                await call
            assert time.monotonic() - began < 2
            seen = json.loads(said(await server.call("seen", {})))
            assert [each["method"] for each in seen].count("notifications/cancelled") == 1

    ran(work())


def test_one_that_closes_its_output_and_lives_on_is_ended() -> None:
    async def work() -> int:
        async with open_client("close_stdout") as server:
            pid = int(said(await server.call("pid", {})))
            with pytest.raises(ServerGone, match="it closed its output"):
                await server.call("fault", {})
            return pid

    pid = ran(work())
    until(lambda: not is_alive(pid))


@pytest.mark.parametrize("fault", ["ignores_end", "ignores_end_and_term"])
def test_one_that_does_not_want_to_end_is_ended_in_time(fault: str) -> None:
    async def work() -> tuple[int, float]:
        async with open_client(fault) as server:
            pid = int(said(await server.call("pid", {})))
            began = time.monotonic()
        return pid, time.monotonic() - began

    pid, seconds = ran(work())
    assert not is_alive(pid)
    assert seconds < 4


@pytest.mark.parametrize("fault", ["child_in_group", "child_in_session"])
def test_what_a_server_started_ends_with_it(fault: str) -> None:
    async def work() -> int:
        async with open_client(fault) as server:
            pid = int(said(await server.call("fault", {})))
            assert is_alive(pid)
            return pid

    pid = ran(work())
    until(lambda: not is_alive(pid))


def test_20_000_notifications_in_a_call_arrive_in_their_order() -> None:
    numbers: list[int] = []

    async def work() -> None:
        asks = ServerAsks(notified=lambda _method, params: numbers.append(params["data"]))
        async with open_client("many_notes", asks=asks) as server:
            assert said(await server.call("fault", {})) == "said"

    ran(work())
    assert numbers == list(range(20_000))


def test_notifications_that_the_sdk_does_not_know_arrive_too() -> None:
    notes: list[Any] = []

    async def work() -> None:
        async with open_client("own_note", asks=ServerAsks(notified=lambda *note: notes.append(note))) as server:
            await server.call("fault", {})

    ran(work())
    assert notes == [("notifications/vendor/thing", {"a": 1})]


def test_a_listener_that_raises_breaks_nothing() -> None:
    def broken(_method: str, _params: object) -> None:
        raise RuntimeError("listener")

    async def work() -> None:
        async with open_client("own_note", asks=ServerAsks(notified=broken)) as server:
            assert said(await server.call("fault", {})) == "said"

    ran(work())


def test_tools_that_change_in_the_middle_are_announced_and_listed() -> None:
    notes: list[str] = []

    async def work() -> None:
        async with open_client(
            "change_tools", asks=ServerAsks(notified=lambda method, _: notes.append(method))
        ) as server:
            before = {each["name"] for each in await server.tools()}
            await server.call("fault", {})
            assert {each["name"] for each in await server.tools()} - before == {"added"}

    ran(work())
    assert notes == ["notifications/tools/list_changed"]


@pytest.mark.parametrize(("fault", "count"), [("pages", 3), ("same_cursor", 10), ("endless_pages", 100)])
def test_all_pages_of_a_list_are_read_but_not_for_ever(fault: str, count: int) -> None:
    async def work() -> None:
        async with open_client(fault) as server:
            assert len(await server.tools()) == count

    ran(work())


def test_a_pattern_in_a_schema_of_the_server_is_not_run_in_our_loop() -> None:
    async def work() -> None:
        async with open_client("evil_pattern") as server:
            await server.tools()
            began = time.monotonic()
            assert said(await server.call("fault", {})) == "done"
            assert time.monotonic() - began < 5

    ran(work())


def test_a_number_that_comes_back_as_a_text_is_found_and_a_listener_of_progress_may_fail() -> None:
    seen: list[float] = []

    def broken(done: float, _total: float | None, _text: str) -> None:
        seen.append(done)
        raise RuntimeError("listener")

    async def work() -> None:
        async with open_client("id_as_text") as server:
            assert said(await server.call("fault", {}, broken)) == "found"

    ran(work())
    assert seen == [1]


def test_a_list_that_does_not_fit_the_protocol_is_an_error_in_one_line() -> None:
    async def work() -> None:
        async with open_client("bad_tool") as server:
            with pytest.raises(ServerError) as caught:
                await server.tools()
            assert "does not fit the protocol" in str(caught.value)
            assert "\n" not in str(caught.value)

    ran(work())


def test_the_environment_is_exactly_that_of_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_THE_USER", "s3cret")

    async def work() -> dict[str, str]:
        async with open_client("env", env={"PATH": os.environ["PATH"], "ONLY": "this"}) as server:
            found: dict[str, str] = json.loads(said(await server.call("env", {})))
            return found

    env = ran(work())
    assert env["ONLY"] == "this"
    extra = set(env) - {"PATH", "ONLY", "LC_CTYPE"}
    assert all(name.startswith("PISCES_") for name in extra), extra


def test_a_reason_has_no_secret_that_the_server_was_given() -> None:
    env = {"PATH": os.environ["PATH"], "MY_SETTING": "correct-horse-battery"}

    async def work() -> str:
        async with open_client("secret", env=env, env_names=("MY_SETTING",)) as server:
            with pytest.raises(ServerGone) as caught:
                await server.call("fault", {})
            return f"{caught.value} {server.reason}"

    why = ran(work())
    assert "cannot log in with" in why
    assert "correct-horse-battery" not in why
    assert "hunter2" not in why


def test_of_20_servers_5_are_broken_and_15_are_ready() -> None:
    bad = ("dies_at_start", "hang_at_start", "odd_version", "dies_at_start", "hang_at_start")

    async def work() -> float:
        good = [client("none", name=f"good{index}") for index in range(15)]
        broken = [client(fault, name=f"bad{index}", start_seconds=8.0) for index, fault in enumerate(bad)]
        starts = [asyncio.create_task(each.start()) for each in broken]
        await asyncio.gather(*(each.start() for each in good))
        assert [said(await each.call("echo", {"message": each.name})) for each in good] == [each.name for each in good]
        began = time.monotonic()
        await asyncio.gather(*(each.close() for each in (*good, *broken)))
        took = time.monotonic() - began
        await asyncio.gather(*starts, return_exceptions=True)
        assert {each.state for each in (*good, *broken)} == {CLOSED}
        return took

    assert ran(work()) < 8


def test_two_clients_of_one_server_do_not_meet() -> None:
    async def work() -> None:
        async with open_client("none") as one, open_client("none") as other:
            first, second = await asyncio.gather(one.call("pid", {}), other.call("pid", {}))
            assert said(first) != said(second)
            await one.close()
            assert said(await other.call("echo", {"message": "x"})) == "x"

    ran(work())


def test_a_server_that_does_not_read_blocks_no_caller_for_longer_than_its_limit() -> None:
    async def work() -> None:
        server = McpClient(plan("deaf", start_seconds=0.5), ServerAsks(), allowed)
        try:
            with pytest.raises(ServerGone, match="not ready"):
                await server.start()
        finally:
            await server.close()

    ran(work())
