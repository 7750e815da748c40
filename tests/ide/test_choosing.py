"""Which companion is taken, and why not the others: each rule by itself, on real files."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pisces.ide.choosing import Choice, choice_here, choose
from pisces.ide.discovery_file import discovery_files
from pisces.ide.endpoint import Endpoint
from pisces.ide.process_tree import ProcessTree, RunningProcess, process_tree
from pisces.ide.workspace import covers, is_below
from pisces.places import Places

GONE = 2**22 + 7  # above the largest pid of Linux and macOS


class Room:
    """A temporary folder with discovery files, a workspace, and a process tree of our choice."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cwd = folder / "project"
        self.cwd.mkdir()
        self.env: dict[str, str] = {"TMPDIR": str(folder)}

    def put(self, pid: int, port: int | None, workspace: str | None = None, **more: Any) -> Path:
        """`port` None is the old name. `workspace` is this folder's unless it is named."""
        name = f"gemini-ide-server-{pid}.json" if port is None else f"gemini-ide-server-{pid}-{port}.json"
        told = {"port": port or 1, "workspacePath": str(self.cwd) if workspace is None else workspace}
        return self.raw(name, json.dumps({**told, "authToken": f"token-{port}", **more}))

    def raw(self, name: str, text: str) -> Path:
        path = self.folder / "gemini" / "ide" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o600)
        return path

    def choose(self, target: int = 0, *ancestors: int, cwd: Path | None = None) -> Choice:
        above = tuple(RunningProcess(pid) for pid in ancestors)
        tree = ProcessTree((RunningProcess(os.getpid()), *above), RunningProcess(target), "a rule")
        places = Places(str(self.folder), str(cwd or self.cwd), self.env)
        return choose(places, tree, discovery_files(self.env))

    def port(self, target: int = 0, *ancestors: int) -> int:
        file = self.choose(target, *ancestors).file
        return file.port if file else 0


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path.resolve())


@pytest.fixture
def living() -> Any:
    """Two living processes, the one with the smaller pid first."""
    started = [
        subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
        for _ in range(2)
    ]
    yield sorted(each.pid for each in started)
    for each in started:
        each.communicate()


def test_without_any_file_the_problem_says_what_to_do(room: Room) -> None:
    choice = room.choose()
    assert not choice.endpoints
    assert "pisces ide install" in choice.problem


def test_the_old_file_name_of_the_target_comes_first(room: Room) -> None:
    room.put(GONE, None)
    room.put(GONE, 6)
    room.env["GEMINI_CLI_IDE_SERVER_PORT"] = "6"
    assert room.port(GONE) == 1


def test_the_old_file_name_of_an_unrelated_process_is_not_taken(room: Room) -> None:
    room.put(GONE, None)
    choice = room.choose(1)
    assert choice.file is None
    assert "named in the old way" in choice.candidates[0].why


def test_the_target_comes_before_any_other_process(room: Room, living: list[int]) -> None:
    room.put(living[0], 1)
    room.put(living[1], 2)
    room.put(GONE, 3)
    assert room.port(living[0]) == 1
    assert room.port(GONE) == 3


def test_an_ancestor_comes_before_a_stranger_and_the_nearest_before_the_others(room: Room, living: list[int]) -> None:
    room.put(living[0], 1)
    room.put(living[1], 2)
    assert room.port(1, living[0]) == 1
    assert room.port(1, living[0], living[1]) == 1
    assert room.port(1, living[1], living[0]) == 2


def test_the_rule_decides_between_two_ancestors(room: Room, living: list[int]) -> None:
    room.put(living[0], 1)
    room.put(living[1], 2)
    assert room.port(living[1], living[0], living[1]) == 2


def test_a_living_process_comes_before_one_that_is_gone(room: Room, living: list[int]) -> None:
    room.put(living[0], 1)
    room.put(GONE, 2)
    assert room.port(1) == 1


def test_of_living_strangers_the_larger_pid_comes_first(room: Room, living: list[int]) -> None:
    room.put(living[0], 1)
    room.put(living[1], 2)
    assert room.port(1) == 2


def test_a_file_of_a_process_that_is_gone_is_never_taken(room: Room) -> None:
    room.put(GONE, 2)
    choice = room.choose(1)
    assert not choice.endpoints
    assert choice.candidates[0].why == f"its process {GONE} is gone"
    assert "is gone" in choice.problem


def test_a_file_of_a_process_that_is_gone_lends_no_token_to_the_environment(room: Room) -> None:
    room.put(GONE, 4711)
    room.env |= {"GEMINI_CLI_IDE_SERVER_PORT": "4711", "GEMINI_CLI_IDE_WORKSPACE_PATH": str(room.cwd)}
    assert room.choose(1).endpoints == (Endpoint("environment", 4711),)


@pytest.mark.parametrize("number", ["0", "9" * 40])
def test_a_number_that_no_process_has_is_gone(room: Room, number: str) -> None:
    path = room.put(1, 2)
    path.rename(path.with_name(f"gemini-ide-server-{number}-2.json"))
    assert not room.choose(1).endpoints


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux says when a process began")
def test_a_number_that_was_given_to_another_process_is_not_taken(room: Room, living: list[int]) -> None:
    old = room.put(living[0], 2)
    os.utime(old, (1, 1))
    fresh = room.put(living[1], 3)
    choice = room.choose(1)
    assert [each.source for each in choice.endpoints] == [str(fresh)]
    assert "began after the file was written" in choice.candidates[-1].why + choice.candidates[0].why


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux says when a process began")
def test_a_clock_that_jumped_does_not_hide_an_editor_that_serves_its_port(room: Room) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        os.utime(room.put(os.getpid(), port), (1, 1))
        assert room.port(1) == port


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux says whose a process is")
def test_a_number_that_was_given_to_another_users_process_is_not_taken(room: Room) -> None:
    if sys.platform == "win32" or os.getuid() != 0:
        pytest.skip("needs root, to be another user")
    script = "import os, sys; os.setuid(12345); print(); sys.stdout.flush(); sys.stdin.read()"
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        room.put(other.pid, 2)
        choice = room.choose(1)
        assert not choice.endpoints
        assert choice.candidates[0].why == f"its process {other.pid} belongs to user 12345, not to you"


def test_after_the_chosen_window_the_others_of_this_folder_are_tried(room: Room, living: list[int]) -> None:
    paths = [str(room.put(living[0], 1)), str(room.put(living[1], 2))]
    room.put(living[1], 3, str(room.folder / "other"))
    room.put(GONE, 4)
    assert [each.source for each in room.choose(living[0]).endpoints] == paths


def test_a_file_of_another_user_is_ignored_and_said(room: Room) -> None:
    if sys.platform == "win32" or os.getuid() != 0:
        pytest.skip("needs root, to give a file away")
    os.chown(room.put(GONE, 2), 12345, -1)
    choice = room.choose(GONE)
    assert choice.file is None
    assert [each.code for each in choice.diagnostics] == ["ide-file-not-ours"]


def test_a_link_is_ignored_and_said(room: Room) -> None:
    path = room.put(GONE, 2)
    path.rename(room.folder / "elsewhere.json")
    path.symlink_to(room.folder / "elsewhere.json")
    choice = room.choose(GONE)
    assert choice.file is None
    assert [each.code for each in choice.diagnostics] == ["ide-file-not-ours"]


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"port": "soon"}', '{"port": 0}', "[" * 20_000])
def test_a_file_that_cannot_be_read_is_skipped_and_said(room: Room, text: str) -> None:
    room.raw(f"gemini-ide-server-{GONE}-1.json", text)
    room.put(GONE, 2)
    choice = room.choose(GONE)
    assert choice.file
    assert choice.file.port == 2
    assert [each.code for each in choice.diagnostics] == ["ide-file-unreadable"]


def test_other_names_are_nobodys_business(room: Room) -> None:
    for name in ("gemini-ide-server-x-1.json", "gemini-ide-server-1-2.json.new", "notes.txt"):
        room.raw(name, "{")
    assert room.choose() == Choice((), (), room.choose().problem, ())


def test_a_workspace_elsewhere_is_not_taken_and_the_problem_names_it(room: Room) -> None:
    other = room.folder / "other"
    other.mkdir()
    room.put(GONE, 2, str(other))
    choice = room.choose(GONE)
    assert not choice.endpoints
    assert str(other) in choice.problem
    assert "does not cover" in choice.candidates[0].why


@pytest.mark.parametrize(
    ("told", "why", "problem"), [("", "no folder open", "no folder open"), (None, "names no", "no c")]
)
def test_a_window_without_a_folder_is_not_taken(room: Room, told: str | None, why: str, problem: str) -> None:
    room.raw(
        f"gemini-ide-server-{GONE}-2.json", json.dumps({"port": 2, **({} if told is None else {"workspacePath": told})})
    )
    choice = room.choose(GONE)
    assert not choice.endpoints
    assert why in choice.candidates[0].why
    assert problem in choice.problem


def test_a_window_that_does_not_fit_hides_none_that_does(room: Room, living: list[int]) -> None:
    room.put(living[0], 1, str(room.folder / "other"))
    room.put(living[1], 2)
    assert room.port(living[0], living[0]) == 2


def test_the_port_of_the_terminal_decides_between_windows(room: Room, living: list[int]) -> None:
    for port in (1, 2, 3):
        room.put(living[0], port)
    room.env["GEMINI_CLI_IDE_SERVER_PORT"] = "3"
    choice = room.choose(living[0])
    assert choice.file
    assert choice.file.port == 3
    others = [each.why for each in choice.candidates if not each.is_chosen]
    assert len(others) == 2
    assert all("another came first" in why for why in others)


def test_a_port_that_no_window_has_decides_nothing(room: Room, living: list[int]) -> None:
    room.put(living[0], 1)
    room.put(living[1], 2)
    room.env["GEMINI_CLI_IDE_SERVER_PORT"] = "9"
    assert room.port(living[0]) == 1


def test_the_environment_alone_is_enough(room: Room) -> None:
    room.env |= {
        "GEMINI_CLI_IDE_SERVER_PORT": "4711",
        "GEMINI_CLI_IDE_WORKSPACE_PATH": str(room.cwd),
        "GEMINI_CLI_IDE_AUTH_TOKEN": "secret",
    }
    assert room.choose().endpoints == (Endpoint("environment", 4711, "secret"),)


@pytest.mark.parametrize("workspace", [None, "", "/elsewhere"])
def test_the_environment_is_checked_for_its_workspace_too(room: Room, workspace: str | None) -> None:
    room.env["GEMINI_CLI_IDE_SERVER_PORT"] = "4711"
    if workspace is not None:
        room.env["GEMINI_CLI_IDE_WORKSPACE_PATH"] = workspace
    choice = room.choose()
    assert not choice.endpoints
    assert choice.problem


@pytest.mark.parametrize("port", ["soon", "0", "65536", "-1", "1.5", "9" * 5000, "٣"])
def test_a_port_that_is_none_is_said(room: Room, port: str) -> None:
    room.env |= {"GEMINI_CLI_IDE_SERVER_PORT": port, "GEMINI_CLI_IDE_WORKSPACE_PATH": str(room.cwd)}
    choice = room.choose()
    assert not choice.endpoints
    assert [each.code for each in choice.diagnostics] == ["ide-bad-variable"]


def test_a_stale_file_does_not_lend_its_token_to_the_port_of_the_environment(room: Room) -> None:
    path = room.put(GONE, 2)
    room.env |= {
        "GEMINI_CLI_IDE_SERVER_PORT": "4711",
        "GEMINI_CLI_IDE_WORKSPACE_PATH": str(room.cwd),
        "GEMINI_CLI_IDE_AUTH_TOKEN": "fresh",
    }
    assert room.choose(GONE).endpoints == (Endpoint(str(path), 2, "token-2"), Endpoint("environment", 4711, "fresh"))


def test_a_port_of_the_environment_without_a_token_has_the_token_of_its_own_file(room: Room, living: list[int]) -> None:
    room.put(living[0], 2)
    room.put(living[1], 3, str(room.folder / "other"))
    room.env |= {"GEMINI_CLI_IDE_SERVER_PORT": "3", "GEMINI_CLI_IDE_WORKSPACE_PATH": str(room.cwd)}
    assert room.choose(living[0]).endpoints[1:] == (Endpoint("environment", 3, "token-3"),)


def test_a_file_for_another_folder_does_not_keep_the_environment_from_being_used(room: Room) -> None:
    room.put(GONE, 2, "/elsewhere")
    room.env |= {"GEMINI_CLI_IDE_SERVER_PORT": "4711", "GEMINI_CLI_IDE_WORKSPACE_PATH": str(room.cwd)}
    assert room.choose(GONE).endpoints == (Endpoint("environment", 4711),)


def test_the_same_way_is_not_tried_twice(room: Room) -> None:
    path = room.put(GONE, 4711)
    room.env |= {
        "GEMINI_CLI_IDE_SERVER_PORT": "4711",
        "GEMINI_CLI_IDE_WORKSPACE_PATH": str(room.cwd),
        "GEMINI_CLI_IDE_AUTH_TOKEN": "token-4711",
    }
    assert room.choose(GONE).endpoints == (Endpoint(str(path), 4711, "token-4711"),)


def test_ways_are_tried_in_the_order_of_the_reference(room: Room) -> None:
    path = str(room.put(GONE, 2, stdio={"command": "editor-bridge", "args": ["--mcp"]}))
    room.env |= {
        "GEMINI_CLI_IDE_SERVER_PORT": "3",
        "GEMINI_CLI_IDE_WORKSPACE_PATH": str(room.cwd),
        "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND": "env-bridge",
        "GEMINI_CLI_IDE_SERVER_STDIO_ARGS": '["-x", "y z"]',
    }
    assert room.choose(GONE).endpoints == (
        Endpoint(path, 2, "token-2"),
        Endpoint(path, command=("editor-bridge", "--mcp")),
        Endpoint("environment", 3),
        Endpoint("environment", command=("env-bridge", "-x", "y z")),
    )


@pytest.mark.parametrize("text", ["-x", '{"a": 1}', "[1]", '"-x"'])
def test_arguments_that_are_no_list_are_said_and_left_out(room: Room, text: str) -> None:
    room.env |= {
        "GEMINI_CLI_IDE_WORKSPACE_PATH": str(room.cwd),
        "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND": "bridge",
        "GEMINI_CLI_IDE_SERVER_STDIO_ARGS": text,
    }
    choice = room.choose()
    assert choice.endpoints == (Endpoint("environment", command=("bridge",)),)
    assert [each.code for each in choice.diagnostics] == ["ide-bad-variable"]


@pytest.mark.parametrize("token", ["a\r\nX-Other: b", "with blank", "ü"])
def test_a_token_that_would_break_out_of_its_header_is_never_sent(room: Room, token: str) -> None:
    room.put(GONE, 2, authToken=token)
    assert not room.choose(GONE).endpoints


def test_the_variable_for_the_process_chooses_the_window(room: Room, living: list[int]) -> None:
    room.put(living[0], 1)
    room.put(living[1], 2)
    for pid, port in zip(living, (1, 2), strict=True):
        room.env["GEMINI_CLI_IDE_PID"] = str(pid)
        file = choice_here(Places(str(room.folder), str(room.cwd), room.env), process_tree(room.env)).file
        assert file
        assert file.port == port


def test_a_folder_below_a_root_is_covered_and_its_parent_is_not(room: Room) -> None:
    deep = room.cwd / "a" / "b"
    deep.mkdir(parents=True)
    assert covers(str(room.cwd), str(deep))
    assert covers(str(room.cwd), str(room.cwd))
    assert not covers(str(deep), str(room.cwd))
    assert not covers(str(room.cwd), str(room.folder))


def test_a_name_that_only_begins_like_a_root_is_not_covered(room: Room) -> None:
    other = room.folder / "project-2"
    other.mkdir()
    assert not covers(str(room.cwd), str(other))


def test_any_of_several_roots_will_do(room: Room) -> None:
    assert covers(os.pathsep.join(["/elsewhere", str(room.cwd)]), str(room.cwd))


def test_links_are_followed_on_both_sides(room: Room) -> None:
    link = room.folder / "link"
    link.symlink_to(room.cwd)
    assert covers(str(link), str(room.cwd))
    assert covers(str(room.cwd), str(link))


def test_roots_may_be_addresses_with_escapes(room: Room) -> None:
    odd = room.folder / "grüße, 100% sicher"
    odd.mkdir()
    assert covers(odd.as_uri(), str(odd))
    assert covers(str(odd).replace(" ", "%20"), str(odd / "x")) is False, "one escape that is none spoils them all"
    plain = room.folder / "two words"
    plain.mkdir()
    assert covers(str(plain).replace(" ", "%20"), str(plain))


@pytest.mark.parametrize("root", ["%00", "/a\0b", "\ud800", "file:///%00", "/a/\udfff/b"])
def test_a_root_that_can_be_no_path_covers_nothing(room: Room, root: str) -> None:
    assert not covers(root, str(room.cwd))
    assert covers(os.pathsep.join([root, str(room.cwd)]), str(room.cwd))


def test_an_empty_root_covers_nothing(room: Room) -> None:
    assert not covers(os.pathsep.join(["/elsewhere", ""]), str(room.cwd))


@pytest.mark.parametrize(
    ("platform", "root", "path", "is_covered"),
    [
        ("linux", "/Home/Me", "/home/me/x", False),
        ("darwin", "/Home/Me", "/home/me/x", True),
        ("win32", "C:\\Users\\Me", "c:\\users\\me\\project", True),
        ("win32", "C:\\Users\\Me", "C:\\Users\\Meg", False),
        ("win32", "C:\\", "C:\\Users", True),
        ("win32", "C:\\Users", "D:\\Users", False),
        ("linux", "/", "/home", True),
    ],
)
def test_case_matters_on_linux_only(platform: str, root: str, path: str, is_covered: bool) -> None:
    assert is_below(root, path, platform) is is_covered
