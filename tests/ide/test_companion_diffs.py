"""A companion's diffs: shown at once, settled once, by the editor or by the client that asked for them."""

from __future__ import annotations

import http.client
import json
import socket
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pisces.ide import Companion, CompanionOptions, Editor, Window
from tests.ide.companion_client import Client
from tests.ide.gemini_terminal import until

PATH = "/project/a.py"
ACCEPTED, REJECTED = "ide/diffAccepted", "ide/diffRejected"


class Views:
    """An editor's diff views; `left` is what the user made of the text."""

    def __init__(self) -> None:
        self.open: dict[str, str] = {}
        self.closed: list[str] = []
        self.left: str | None = None
        self.clients = 0

    def count(self, clients: int) -> None:
        self.clients = clients

    def show(self, path: str, content: str) -> None:
        if path.endswith("broken"):
            raise RuntimeError("no window is open")
        self.open[path] = content

    def close(self, path: str) -> str | None:
        self.closed.append(path)
        del self.open[path]
        return self.left


@pytest.fixture
def views() -> Views:
    return Views()


@pytest.fixture
def companion(views: Views, tmp_path: Path) -> Iterator[Companion]:
    editor = Editor(views.show, views.close, views.count)
    with Companion(Window(), editor, env={"TMPDIR": str(tmp_path)}) as made:
        yield made


@pytest.fixture
def client(companion: Companion) -> Iterator[Client]:
    with Client(companion.port, companion.token).connect() as made:
        yield made


def closed(client: Client, path: str = PATH) -> Any:
    block = client.call("closeDiff", filePath=path, suppressNotification=True)["content"][0]
    assert block["type"] == "text"
    return json.loads(block["text"])


def test_both_tools_are_listed_and_only_where_the_editor_shows_diffs(client: Client, tmp_path: Path) -> None:
    assert [tool["name"] for tool in client.ask("tools/list")["result"]["tools"]] == ["openDiff", "closeDiff"]
    with Companion(Window(), env={"TMPDIR": str(tmp_path)}) as bare, Client(bare.port, bare.token).connect() as other:
        assert other.ask("tools/list")["result"]["tools"] == []
        assert other.ask("tools/call", name="openDiff", arguments={})["error"]["code"] == -32602


def test_accepting_tells_the_client_the_text_and_only_once(companion: Companion, client: Client, views: Views) -> None:
    assert client.call("openDiff", filePath=PATH, newContent="new") == {"content": []}
    assert views.open == {PATH: "new"}
    assert companion.accept(PATH, "new and better")
    assert client.next(ACCEPTED) == {"filePath": PATH, "content": "new and better"}
    assert not companion.accept(PATH)
    assert not companion.reject(PATH)
    assert closed(client) == {}


def test_accepting_without_a_text_means_the_proposed_one_and_an_empty_text_is_a_text(
    companion: Companion, client: Client
) -> None:
    for given, told in ((None, "new"), ("", "")):
        client.call("openDiff", filePath=PATH, newContent="new")
        assert companion.accept(PATH, given)
        assert client.next(ACCEPTED)["content"] == told


def test_rejecting_tells_the_client(companion: Companion, client: Client) -> None:
    client.call("openDiff", filePath=PATH, newContent="new")
    assert companion.reject(PATH)
    assert client.next(REJECTED) == {"filePath": PATH}


def test_closing_returns_the_text_as_the_user_left_it_and_notifies_nobody(client: Client, views: Views) -> None:
    client.call("openDiff", filePath=PATH, newContent="new")
    views.left = "edited"
    assert closed(client) == {"content": "edited"}
    assert views.closed == [PATH]
    client.call("openDiff", filePath=PATH, newContent="new")
    views.left = None
    assert closed(client) == {"content": "new"}
    assert closed(client) == {}
    client.next()
    assert client.heard.empty()


def test_a_second_diff_of_a_file_takes_the_place_of_the_first(
    companion: Companion, client: Client, views: Views
) -> None:
    client.call("openDiff", filePath=PATH, newContent="first")
    client.call("openDiff", filePath=PATH, newContent="second")
    assert views.open == {PATH: "second"}
    companion.accept(PATH)
    assert client.next(ACCEPTED)["content"] == "second"


def test_a_diff_belongs_to_the_client_that_asked(companion: Companion, client: Client, views: Views) -> None:
    with Client(companion.port, companion.token).connect() as other:
        client.call("openDiff", filePath=PATH, newContent="new")
        assert closed(other) == {}, "somebody else's"
        assert companion.accept(PATH)
        assert client.next(ACCEPTED)["content"] == "new"
        companion.trust(True)
        assert until(lambda: other.next()["workspaceState"].get("isTrusted"))
        assert other.heard.empty()


def test_a_client_that_was_away_for_a_moment_hears_the_decision(
    companion: Companion, client: Client, views: Views
) -> None:
    client.call("openDiff", filePath=PATH, newContent="new")
    client.next()
    client.hang_up()
    assert until(lambda: views.clients == 0)
    companion.accept(PATH)
    client.open_stream()
    assert client.next(ACCEPTED)["content"] == "new"


def test_an_editor_may_spell_the_path_differently(companion: Companion, client: Client, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    asked, told = str(tmp_path / "link" / "a"), str(tmp_path / "real" / "a")
    client.call("openDiff", filePath=asked, newContent="new")
    assert companion.accept(told)
    assert client.next(ACCEPTED)["filePath"] == asked


def test_an_editor_that_cannot_show_a_diff_says_why(companion: Companion, client: Client) -> None:
    answer = client.call("openDiff", filePath="/broken", newContent="new")
    assert answer["isError"] is True
    assert "no window is open" in answer["content"][0]["text"]
    assert not companion.accept("/broken")


def test_an_abandoned_diff_is_left_to_the_terminal(companion: Companion, client: Client) -> None:
    client.call("openDiff", filePath=PATH, newContent="new")
    assert companion.abandon(PATH)
    assert closed(client) == {}


def test_an_editor_that_hangs_stops_neither_the_context_nor_other_clients(tmp_path: Path) -> None:
    stuck = threading.Event()
    editor = Editor(lambda _path, _content: stuck.wait(30), lambda _path: None)
    options = CompanionOptions(editor_answers_within=0.3)
    with Companion(Window(), editor, options, {"TMPDIR": str(tmp_path)}) as companion:
        with Client(companion.port, companion.token).connect() as client:
            client.next()
            answer = client.call("openDiff", filePath=PATH, newContent="new")
            assert answer["isError"] is True
            companion.trust(True)
            assert client.next()["workspaceState"]["isTrusted"] is True
        stuck.set()


@pytest.mark.parametrize("patience", [0.3, 30.0])
def test_a_view_that_comes_too_late_is_closed_again(tmp_path: Path, views: Views, patience: float) -> None:
    """Too late for the companion, which has told the client so; or for the client, which has hung up."""
    asked, go = threading.Event(), threading.Event()

    def show(path: str, content: str) -> None:
        asked.set()
        go.wait(30)
        views.show(path, content)

    options = CompanionOptions(editor_answers_within=patience)
    with Companion(Window(), Editor(show, views.close), options, {"TMPDIR": str(tmp_path)}) as companion:
        with Client(companion.port, companion.token).connect() as client:
            if patience < 1:
                assert client.call("openDiff", filePath=PATH, newContent="new")["isError"]
            else:
                leave(client, asked)
        go.set()
        assert until(lambda: views.closed == [PATH])
        assert views.open == {}


def leave(client: Client, asked: threading.Event) -> None:
    """Hangs up as soon as the editor was asked, as a process that is killed does."""
    params = {"name": "openDiff", "arguments": {"filePath": PATH, "newContent": "new"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    connection = http.client.HTTPConnection("127.0.0.1", client.port, timeout=15)
    fields = {"Authorization": f"Bearer {client.token}", "Mcp-Session-Id": client.session}
    connection.request("POST", "/mcp", body, fields)
    assert asked.wait(15)
    connection.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()
    for _ in range(3):  # answered after the companion has noticed
        client.ask("ping")


def test_what_waited_when_the_companion_stopped_is_not_there_after_the_next_start(
    companion: Companion, client: Client
) -> None:
    client.call("openDiff", filePath=PATH, newContent="new")
    old = client.session
    companion.stop()
    companion.start()
    assert not companion.accept(PATH)
    with Client(companion.port, companion.token) as again:
        again.session = old
        assert again.request("GET")[0] == 404


def test_a_diff_goes_when_its_client_does(views: Views, tmp_path: Path) -> None:
    options = CompanionOptions(session_timeout=0.05, keep_alive=0.05)
    editor = Editor(views.show, views.close)
    with Companion(Window(), editor, options, {"TMPDIR": str(tmp_path)}) as companion:
        with Client(companion.port, companion.token).connect() as client:
            client.call("openDiff", filePath=PATH, newContent="new")
        assert until(lambda: views.closed == [PATH])
        with Client(companion.port, companion.token).connect() as client:
            client.call("openDiff", filePath=PATH, newContent="new")
            assert client.request("DELETE")[0] == 200
            assert until(lambda: views.closed == [PATH, PATH])


def test_ten_megabytes_go_through_in_both_directions(companion: Companion, client: Client, views: Views) -> None:
    text = 'a "line" with 🐟 and \\ in it\n' * 360_000
    assert len(text.encode()) > 10_000_000
    assert client.call("openDiff", filePath=PATH, newContent=text) == {"content": []}
    assert views.open[PATH] == text
    views.left = text + "more"
    assert closed(client) == {"content": text + "more"}
    client.call("openDiff", filePath=PATH, newContent="new")
    companion.accept(PATH, text)
    assert client.next(ACCEPTED)["content"] == text


@pytest.mark.parametrize("arguments", [{}, {"filePath": 1, "newContent": ""}, {"filePath": PATH}, None, []])
def test_arguments_that_are_not_text_are_refused(client: Client, arguments: Any) -> None:
    answer = client.ask("tools/call", name="openDiff", arguments=arguments)
    assert answer["error"]["code"] == -32602
