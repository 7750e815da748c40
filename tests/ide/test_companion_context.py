"""What a companion tells about the editor: the newest state, little and valid, to every client that listens."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pisces.formats.js_text import first_units
from pisces.formats.malformed import Malformed
from pisces.ide import Companion, CompanionOptions, Editor, Window
from pisces.ide.shared_context import sendable
from pisces.shapes.ide_context import MOST_SELECTED, Cursor, IdeContext, OpenFile, as_json, context_from_json
from tests.ide.companion_client import Client
from tests.ide.gemini_terminal import until


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    with Companion(Window((str(tmp_path),)), env={"TMPDIR": str(tmp_path)}) as made:
        yield made


def files(folder: Path, *names: str) -> list[str]:
    for name in names:
        (folder / name).write_text(name)
    return [str(folder / name) for name in names]


def listed(params: Any) -> list[str]:
    return [os.path.basename(each["path"]) for each in params["workspaceState"]["openFiles"]]


def test_a_new_client_hears_the_context_as_soon_as_its_stream_is_open(companion: Companion, tmp_path: Path) -> None:
    path = files(tmp_path, "a.py")[0]
    companion.open_files.focus(path, Cursor(3, 7), "some text")
    companion.trust(True)
    with Client(companion.port, companion.token).connect() as client:
        state = client.next()["workspaceState"]
    assert state["isTrusted"] is True
    file = state["openFiles"][0]
    assert isinstance(file.pop("timestamp"), int)
    expected = {"path": path, "isActive": True, "cursor": {"line": 3, "character": 7}, "selectedText": "some text"}
    assert file == expected


def test_an_editor_only_says_what_happened(companion: Companion, tmp_path: Path) -> None:
    first, second, third = files(tmp_path, "a", "b", "c")
    opened = companion.open_files
    with Client(companion.port, companion.token).connect() as client:
        assert listed(client.next()) == []
        opened.focus(first)
        opened.focus(second, Cursor(1, 1), "selected")
        opened.open(third)
        state = client.next()
        assert listed(state) == ["b", "c", "a"]
        assert [each.get("isActive", False) for each in state["workspaceState"]["openFiles"]] == [True, False, False]
        opened.select(Cursor(2, 5))
        file = client.next()["workspaceState"]["openFiles"][0]
        assert (file["cursor"], file.get("selectedText")) == ({"line": 2, "character": 5}, None)
        os.rename(second, tmp_path / "d")
        opened.rename(second, str(tmp_path / "d"))
        assert listed(client.next()) == ["d", "c", "a"]
        opened.close(third)
        assert listed(client.next()) == ["d", "a"]


def test_changes_without_a_pause_are_heard_twenty_times_a_second_at_most(companion: Companion, tmp_path: Path) -> None:
    path = files(tmp_path, "a")[0]
    with Client(companion.port, companion.token).connect() as client:
        client.next()
        start, line = monotonic(), 0
        while monotonic() - start < 0.5:
            line += 1
            companion.open_files.focus(path, Cursor(line, 1))
        heard = [client.next()["workspaceState"]["openFiles"][0]["cursor"]["line"]]
        while heard[-1] != line:
            heard.append(client.next()["workspaceState"]["openFiles"][0]["cursor"]["line"])
    assert 2 <= len(heard) <= (monotonic() - start) * 20 + 1
    assert heard == sorted(heard)


def test_the_same_context_is_told_once_and_again_when_folders_change(companion: Companion, tmp_path: Path) -> None:
    path = files(tmp_path, "a")[0]
    context = IdeContext((OpenFile(path, 5, True),))
    with Client(companion.port, companion.token).connect() as client:
        client.next()
        companion.update(context)
        assert listed(client.next()) == ["a"]
        companion.update(context)
        companion.move_to(str(tmp_path), str(tmp_path / "other"))
        assert listed(client.next()) == ["a"]
        companion.update(IdeContext())
        assert listed(client.next()) == []


def test_files_that_do_not_exist_push_nothing_out(companion: Companion, tmp_path: Path) -> None:
    real = files(tmp_path, *(f"real{number}" for number in range(10)))
    for path in real:
        companion.open_files.focus(path)
    for number in range(30):
        companion.open_files.open(str(tmp_path / f"never-written{number}"))
        companion.open_files.open(str(tmp_path / f"{number}.pem"))
    for number in range(30):
        companion.open_files.focus(str(tmp_path / f"new{number}"))
    with Client(companion.port, companion.token).connect() as client:
        assert sorted(listed(client.next())) == sorted(map(os.path.basename, real))


def test_a_list_without_an_end_is_cut(companion: Companion, tmp_path: Path) -> None:
    for number in range(1500):
        companion.open_files.open(str(tmp_path / str(number)))
    assert len(companion.open_files.listed) == 1000


def test_only_files_that_exist_and_hold_no_secrets_are_told(tmp_path: Path) -> None:
    good, secret, key = files(tmp_path, "good.py", ".env", "server.PEM")
    folder, gone = str(tmp_path), str(tmp_path / "gone.py")
    paths = [secret, good, folder, gone, key, "untitled:1", "relative.py", ""]
    context = IdeContext(
        tuple(OpenFile(path, 100 - i, i == 0, Cursor(1, 1), "TOKEN=1") for i, path in enumerate(paths))
    )
    sent = sendable(context)
    assert [file.path for file in sent.open_files] == [good]
    assert not sent.open_files[0].is_active, "the file that the user looks at is none of the model's business"
    assert "TOKEN" not in json.dumps(as_json(sent))


def test_of_many_files_the_ten_newest_are_told_and_only_the_newest_may_be_active(tmp_path: Path) -> None:
    paths = files(tmp_path, *(f"{number:02}" for number in range(15)))
    everything = IdeContext(tuple(OpenFile(path, at, True, Cursor(0, -3), "x") for at, path in enumerate(paths)))
    sent = sendable(everything).open_files
    assert [os.path.basename(file.path) for file in sent] == [f"{number:02}" for number in range(14, 4, -1)]
    assert [file.is_active for file in sent] == [True] + [False] * 9
    assert sent[0].cursor == Cursor(1, 1), "counted from 1, whatever the editor counts from"
    assert {file.selected_text for file in sent[1:]} == {""}


def test_a_selection_is_cut_where_the_real_client_would_cut_it_and_never_inside_a_character(tmp_path: Path) -> None:
    path = files(tmp_path, "a")[0]

    def cut(text: str) -> str:
        context = IdeContext((OpenFile(path, 1, True, None, text),))
        return sendable(context).open_files[0].selected_text

    assert cut("a" * (MOST_SELECTED + 1)) == "a" * MOST_SELECTED
    assert cut("a" * MOST_SELECTED) == "a" * MOST_SELECTED
    assert cut("a" + "🐟" * MOST_SELECTED) == "a" + "🐟" * (MOST_SELECTED // 2 - 1)


@given(st.text(st.characters(), max_size=50), st.integers(0, 40))
def test_a_cut_text_is_the_beginning_of_the_text(text: str, most: int) -> None:
    short = first_units(text, most, "ignore")
    assert text.startswith(short)
    assert len(short.encode("utf-16-le", "surrogatepass")) <= most * 2


def test_half_a_surrogate_pair_in_a_buffer_is_still_valid_json(companion: Companion, tmp_path: Path) -> None:
    companion.open_files.focus(files(tmp_path, "a")[0], None, "\ud83d")
    with Client(companion.port, companion.token).connect() as client:
        assert client.next()["workspaceState"]["openFiles"][0]["selectedText"] == "\ud83d"


def test_all_clients_hear_the_same_and_each_may_come_back(companion: Companion, tmp_path: Path) -> None:
    path = files(tmp_path, "a")[0]
    with Client(companion.port, companion.token) as one, Client(companion.port, companion.token) as other:
        for client in (one.connect(), other.connect()):
            client.next()
        companion.open_files.focus(path)
        assert listed(one.next()) == listed(other.next()) == ["a"]
        one.hang_up()
        assert one.stream_ended.wait(10)
        companion.open_files.close(path)
        assert listed(other.next()) == []
        one.open_stream()  # the same session
        assert listed(one.next()) == []


def test_a_second_stream_of_a_session_replaces_the_first(companion: Companion) -> None:
    with Client(companion.port, companion.token).connect() as client:
        client.next()
        client.open_stream()
        client.next()
        companion.trust(False)
        assert client.next()["workspaceState"]["isTrusted"] is False
        assert client.heard.empty()


def test_a_client_that_left_is_forgotten_after_a_while(tmp_path: Path) -> None:
    counts: list[int] = []
    options = CompanionOptions(session_timeout=0.05, keep_alive=0.05)
    with Companion(Window(), Editor(clients_changed=counts.append), options, {"TMPDIR": str(tmp_path)}) as companion:
        with Client(companion.port, companion.token).connect() as client:
            client.next()
        assert until(lambda: counts == [1, 0])
        assert until(lambda: client.post({"jsonrpc": "2.0", "id": 1, "method": "ping"})[0] == 404, every=0.3)


def test_an_idle_stream_shows_signs_of_life(tmp_path: Path) -> None:
    with (
        Companion(Window(), None, CompanionOptions(keep_alive=0.05), {"TMPDIR": str(tmp_path)}) as companion,
        Client(companion.port, companion.token).connect() as client,
    ):
        assert [client.comments.get(timeout=10) for _ in range(3)] == ["keep-alive"] * 3
        client.next()
        assert client.heard.empty(), "nothing that a client would take for a message"


def test_a_sign_of_life_does_not_take_the_place_of_what_a_slow_client_has_missed(
    lively: Companion, tmp_path: Path
) -> None:
    path = files(tmp_path, "a")[0]
    with Client(lively.port, lively.token).connect() as quick, socket.socket() as slow:
        listen_slowly(slow, lively)
        for line in range(1, 101):
            lively.open_files.focus(path, Cursor(line, 1), "🐟" * 8192)
            while not is_at(quick.next(), line):
                continue
        while not quick.comments.empty():
            quick.comments.get()
        for _ in range(3):
            assert quick.comments.get(timeout=15) == "keep-alive"
        slow.settimeout(15)
        seen, start = b"", monotonic()
        while b'"line":100,' not in seen:
            assert monotonic() - start < 15
            seen = seen[-200:] + slow.recv(1 << 20)


@pytest.fixture
def lively(tmp_path: Path) -> Iterator[Companion]:
    with Companion(Window(), None, CompanionOptions(keep_alive=0.05), {"TMPDIR": str(tmp_path)}) as made:
        yield made


def listen_slowly(slow: socket.socket, companion: Companion) -> None:
    """Opens a stream and leaves it unread."""
    other = Client(companion.port, companion.token)
    session = other.post({"jsonrpc": "2.0", "id": 1, "method": "initialize"})[1]["mcp-session-id"]
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.connect(("127.0.0.1", companion.port))
    host, token = f"Host: 127.0.0.1:{companion.port}", f"Authorization: Bearer {companion.token}"
    slow.sendall("\r\n".join(["GET /mcp HTTP/1.1", host, token, f"Mcp-Session-Id: {session}", "", ""]).encode())


def is_at(params: Any, line: int) -> bool:
    opened = params["workspaceState"]["openFiles"]
    return bool(opened and opened[0]["cursor"]["line"] == line)


def test_what_is_written_is_read_again() -> None:
    whole = IdeContext((OpenFile("/a", 1.5, True, Cursor(1, 2), "x"), OpenFile("/b", 1)), False)
    assert context_from_json(json.loads(json.dumps(as_json(whole)))) == whole
    assert context_from_json({}) == IdeContext()
    assert as_json(IdeContext()) == {"workspaceState": {"openFiles": []}}


WRONG: list[Any] = [
    None,
    [],
    {"workspaceState": None},
    {"workspaceState": {"isTrusted": None}},
    {"workspaceState": {"openFiles": {}}},
    {"workspaceState": {"openFiles": [{"path": "/a"}]}},
    {"workspaceState": {"openFiles": [{"path": None, "timestamp": 1}]}},
    {"workspaceState": {"openFiles": [{"path": "/a", "timestamp": "1"}]}},
    {"workspaceState": {"openFiles": [{"path": "/a", "timestamp": True}]}},
    {"workspaceState": {"openFiles": [{"path": "/a", "timestamp": float("inf")}]}},
    {"workspaceState": {"openFiles": [{"path": "/a", "timestamp": 1, "cursor": {"line": 1, "character": -1e999}}]}},
    {"workspaceState": {"openFiles": [{"path": "/a", "timestamp": 1, "isActive": 1}]}},
    {"workspaceState": {"openFiles": [{"path": "/a", "timestamp": 1, "cursor": {"line": 1}}]}},
    {"workspaceState": {"openFiles": [{"path": "/a", "timestamp": 1, "cursor": None}]}},
    {"workspaceState": {"openFiles": [{"path": "/a", "timestamp": 1, "selectedText": None}]}},
]


@pytest.mark.parametrize("value", WRONG, ids=json.dumps)
def test_a_context_that_the_real_client_would_refuse_is_refused(value: Any) -> None:
    with pytest.raises(Malformed, match=r"must be|needs|not a number"):
        context_from_json(value)
