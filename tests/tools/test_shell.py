"""`shell`: output while it comes, its beginning and end, how it ended, and nothing left behind."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.tools.bench import PATIENCE, Desk, text_in

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="for shells of POSIX systems")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def is_alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_output_and_errors_come_in_their_order(desk: Desk) -> None:
    result = desk.call("shell", command="echo out; echo err >&2; echo out again")
    assert text_in(result) == "out\nerr\nout again"
    assert (result["is_error"], result["details"]["code"], result["details"]["cut"]) == (False, 0, False)


def test_a_failed_command_says_its_code(desk: Desk) -> None:
    result = desk.call("shell", command="echo no; exit 3")
    assert (text_in(result), result["is_error"], result["details"]["code"]) == ("no\n[exit code 3]", True, 3)


def test_a_killed_command_says_its_signal(desk: Desk) -> None:
    result = desk.call("shell", command="kill -SEGV $$")
    assert (text_in(result), result["details"]["signal"]) == ("[killed by SIGSEGV]", "SIGSEGV")


def test_silence_is_said(desk: Desk) -> None:
    assert desk.text("shell", command="true") == "[no output]"


def test_it_runs_where_it_is_asked_to(desk: Desk) -> None:
    desk.file("sub/a.txt", "")
    assert desk.text("shell", command="ls", cwd="sub") == "a.txt"
    assert desk.text("shell", command="pwd") == str(desk.folder)
    assert "there is no such folder" in desk.text("shell", command="pwd", cwd="none")


def test_a_command_without_end_is_ended(desk: Desk) -> None:
    result = desk.call("shell", command="echo started; exec sleep 600", timeout=0.3)
    assert text_in(result) == "started\n[ended after 0.3 s: give a longer `timeout` if it needs one]"
    assert (result["is_error"], result["details"]["reason"]) == (True, "timeout")


def test_keys_are_not_in_the_environment(tmp_path: Path) -> None:
    desk = Desk(tmp_path, ANTHROPIC_API_KEY="secret", LANG="C.UTF-8", LD_PRELOAD="x.so")
    text = desk.text("shell", command="env")
    assert "secret" not in text
    assert "LD_PRELOAD" not in text
    assert "LANG=C.UTF-8" in text
    assert "PISCES=1" in text


def test_files_of_hooks_are_sourced_first(tmp_path: Path) -> None:
    (tmp_path / "it's.sh").write_text("export GREETING=hello\n")
    desk = Desk(tmp_path, env_files=(str(tmp_path / "it's.sh"), str(tmp_path / "gone.sh")))
    assert desk.text("shell", command="echo $GREETING; exit $?") == "hello"


def test_no_input_can_be_typed(desk: Desk) -> None:
    assert desk.text("shell", command="read x; echo got:$x") == "got:"


def test_a_terminal_is_there_if_it_is_asked_for(desk: Desk) -> None:
    assert desk.text("shell", command="test -t 1 && echo yes || echo no") == "no"
    assert desk.text("shell", command="test -t 1 && echo yes || echo no", tty=True) == "yes"


def test_escape_codes_are_left_out(desk: Desk) -> None:
    assert desk.text("shell", command=r"printf '\033[31mred\033[0m \033]0;title\007\033[2J'") == "red "


def test_bytes_that_are_no_text_do_no_harm(desk: Desk) -> None:
    text = desk.text("shell", command="head -c 20000 /dev/urandom")
    assert text.encode()


def test_of_long_output_the_ends_are_shown_and_all_is_in_a_file(desk: Desk) -> None:
    result = desk.call("shell", command="seq 1 100000")
    text, details = text_in(result), result["details"]
    assert text.startswith("1\n2\n")
    assert text.endswith("99999\n100000")
    assert f"all of it is in {details['file']}]" in text
    assert len(text) < 30_000
    path = Path(details["file"])
    try:
        assert path.read_text() == "".join(f"{number}\n" for number in range(1, 100_001))
        assert path.stat().st_mode & 0o777 == 0o600
    finally:
        path.unlink()


@pytest.mark.parametrize("size", [7_999, 8_000, 8_001, 23_999, 24_000, 24_001, 24_500, 120_000])
def test_nothing_is_lost_at_the_edges(desk: Desk, size: int) -> None:
    result = desk.call("shell", command=f"head -c {size} /dev/zero | tr '\\0' X")
    text, details = text_in(result), result["details"]
    assert details["cut"] == (size > 24_000)
    if details["cut"]:
        assert text.count("X") == 24_000
        assert f"[{size - 24_000} bytes are left out here" in text
        os.unlink(details["file"])
    else:
        assert text == "X" * size


def test_output_is_shown_while_it_comes(desk: Desk) -> None:
    """The command goes on once its output was shown."""

    async def body() -> dict[str, Any]:
        running = asyncio.ensure_future(
            desk.run("shell", command="echo first; while ! test -e go; do sleep 0.02; done")
        )
        async with asyncio.timeout(PATIENCE):
            while not desk.updates:
                await asyncio.sleep(0.01)
        (desk.folder / "go").touch()
        return await running

    assert text_in(asyncio.run(body())) == "first"
    assert text_in(desk.updates[0]) == "first\n"


def test_a_process_in_the_background_does_not_hold_the_call(desk: Desk) -> None:
    text = desk.text("shell", command="sleep 600 & echo $!")
    assert not is_alive(int(text))


def test_what_was_started_to_stay_stays(desk: Desk) -> None:
    desk.text("shell", command="setsid sh -c 'echo $$ > pid; exec sleep 600' >/dev/null 2>&1 </dev/null & sleep 0.3")
    pid = int((desk.folder / "pid").read_text())
    assert is_alive(pid)
    os.kill(pid, 9)


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="looks into /proc")
def test_cancelling_ends_all_of_it(desk: Desk) -> None:
    async def body() -> list[int]:
        line = "sleep 600 & echo $! > one; (sleep 600; true) & echo $! > two; echo ready > three; wait"
        running = asyncio.ensure_future(desk.run("shell", command=line))
        async with asyncio.timeout(PATIENCE):
            while not (desk.folder / "three").exists():
                await asyncio.sleep(0.01)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        return [int((desk.folder / name).read_text()) for name in ("one", "two")]

    assert not any(is_alive(pid) for pid in asyncio.run(body()))


def test_twenty_at_once_all_answer(desk: Desk) -> None:
    async def body() -> list[str]:
        calls = (desk.run("shell", command=f"echo {number}") for number in range(20))
        return [text_in(each) for each in await asyncio.gather(*calls)]

    assert asyncio.run(body()) == [str(number) for number in range(20)]


def test_a_nul_fails_with_a_sentence(desk: Desk) -> None:
    assert desk.text("shell", command="echo a\0b").startswith("failed: ")
    assert desk.text("shell", command="true", cwd="a\0b").startswith("failed: ")
