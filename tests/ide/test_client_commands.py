"""`pisces ide status` says what was found and why; `pisces ide watch` shows live what the model would be told."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.ide.client_room import PATIENCE, Room
from tests.ide.vscode_like import VsCodeLike, open_file

GONE = 2**22 + 7
FULL = "Here is the user's editor context as a JSON object. This is for your information only."
DELTA = "Here is a summary of changes in the user's editor context, in JSON format. This is for your information only."


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def _start(room: Room, *words: str, **env: str) -> subprocess.Popen[str]:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "PYTHONDONTWRITEBYTECODE") if name in os.environ}
    return subprocess.Popen(
        [sys.executable, "-m", "pisces", "ide", *words],
        cwd=room.project,
        env={**kept, **room.env, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _pisces(room: Room, *words: str, **env: str) -> tuple[int, str, str]:
    with _start(room, *words, **env) as started:
        out, err = started.communicate(timeout=60)
        return started.returncode, out, err


def test_status_without_an_editor_says_what_is_missing(room: Room) -> None:
    status, out, err = _pisces(room, "status")
    assert status == 1
    assert "no companion was found" in out
    assert "pisces ide install" in out
    assert "Traceback" not in err


def _rows(text: str) -> dict[str, str]:
    """What stands behind each title."""
    return dict(re.split("  +", line, maxsplit=1) for line in text.splitlines())


def _stale(room: Room) -> tuple[Path, int]:
    """The file of an editor that has gone, and the port where it was."""
    with VsCodeLike(room.folder, room.project) as editor:
        file, port = editor.file, editor.port
    file.write_text(json.dumps({"port": port, "workspacePath": str(room.project), "authToken": "sesame"}))
    return file, port


def test_status_without_a_connection_says_so_and_why(room: Room) -> None:
    status, out, err = _pisces(room, "status")
    rows = _rows(out)
    assert (status, err) == (1, "")
    assert rows["connection"] == f"disconnected: {rows['problem']}"
    assert rows["problem"].startswith("no companion was found")
    assert rows["terminal of"] == "no editor that is known"
    assert not rows.keys() & {"chosen", "not chosen", "tries", "failed", "context", "active"}


def test_status_without_a_connection_is_there_for_programs_too(room: Room) -> None:
    status, out, err = _pisces(room, "status", "--output-format", "json")
    found = json.loads(out)
    assert (status, err) == (1, "")
    assert found["connection"] == {
        "state": "disconnected",
        "reason": found["problem"],
        "editor": None,
        "source": None,
        "port": None,
        "host": None,
        "diffs": False,
        "failed": [],
        "hidden": 0,
        "context": None,
    }
    assert found["problem"].startswith("no companion was found")
    assert (found["files"], found["ways"], found["diagnostics"]) == ([], [], [])


def test_status_that_only_looks_ends_with_1_where_there_is_nothing(room: Room) -> None:
    status, out, _ = _pisces(room, "status", "--no-connect")
    assert status == 1
    assert "connection" not in _rows(out)
    status, out, _ = _pisces(room, "status", "--no-connect", "--output-format", "json")
    assert status == 1
    assert json.loads(out)["connection"] is None


def test_status_with_an_editor_that_does_not_answer_is_not_connected(room: Room) -> None:
    file, port = _stale(room)
    status, out, err = _pisces(room, "status")
    rows = _rows(out)
    assert status == 1
    assert rows["tries"].startswith(f"port {port} with its token, from ")
    assert f"port {port}" in rows["failed"]
    assert rows["connection"].startswith("disconnected: ")
    status, as_json, _ = _pisces(room, "status", "--output-format", "json")
    found = json.loads(as_json)
    assert status == 1
    assert [each["path"] for each in found["files"] if each["chosen"]] == [str(file)]
    assert (found["problem"], found["connection"]["state"]) == (None, "disconnected")
    assert f"disconnected: {found['connection']['reason']}" == rows["connection"]
    assert found["connection"]["failed"] == [rows["failed"]]
    assert "sesame" not in out + err + as_json


def test_status_says_what_was_chosen_and_why_the_others_were_not(room: Room) -> None:
    other = room.folder / "other"
    other.mkdir()
    with VsCodeLike(room.folder, room.project) as editor, VsCodeLike(room.folder, other) as stranger:
        editor.show(open_file(room.main, isActive=True), open_file(room.project / ".env"))
        folder = editor.file.parent
        (folder / f"gemini-ide-server-{GONE}-1.json").write_text("{")
        status, out, err = _pisces(room, "status", TERM_PROGRAM="vscode")
    assert status == 0, out + err
    lines = {line.split("  ")[0]: line for line in out.splitlines()}
    assert f"{editor.file.name}: covers this folder; process {os.getpid()} is an ancestor" in lines["chosen"]
    assert f"{stranger.file.name}: its workspace does not cover this folder: {other}" in lines["not chosen"]
    assert f"port {editor.port} takes the token, and nothing without it" in lines["connection"]
    assert "watch --once" in lines["context"]
    assert editor.greetings == 0, "another agent may be connected"
    assert ".env, .env.*, *.pem" in lines["never told"]
    assert "[ide-file-unreadable]" in err
    assert editor.token not in out + err


def test_status_is_there_for_programs_too_and_holds_no_token(room: Room) -> None:
    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main, isActive=True))
        status, out, err = _pisces(room, "status", "--output-format", "json", **editor.env)
    assert status == 0, err
    told = json.loads(out)
    assert [each["chosen"] for each in told["files"]] == [True]
    assert told["ways"] == [{"source": str(editor.file), "port": editor.port, "token": True, "command": None}]
    assert told["connection"]["state"] == "connected"
    assert (told["connection"]["checks_token"], told["connection"]["sessions"]) == (True, "unknown")
    assert (told["connection"]["diffs"], told["connection"]["context"]) == (None, None), "a session would tell"
    assert editor.greetings == 0
    assert os.getpid() in [each["pid"] for each in told["ancestors"]]
    assert all(set(each) == {"pid", "name"} for each in told["ancestors"]), "command lines may hold secrets"
    assert editor.token not in out + err


@pytest.mark.parametrize("words", ["status", "watch --once", "watch --once --output-format json", "probe --no-diff"])
def test_what_a_companion_calls_things_does_nothing_to_a_terminal(room: Room, words: str) -> None:
    odd = "\x1b]0;title\x07\x9b31m\x7f\u202e\u2028\x85"
    with VsCodeLike(room.folder, room.project) as editor:
        told = json.loads(editor.file.read_text())
        editor.file.write_text(json.dumps({**told, "ideInfo": {"name": odd, "displayName": odd}}))
        editor.show(open_file(f"/w/{odd}", 1, isActive=True, selectedText=odd))
        status, out, err = _pisces(room, *words.split())
    assert not [char for char in out + err if not char.isprintable() and char != "\n"]
    if "json" in words:
        told = json.loads(out.splitlines()[-1])
        assert told["context"]["workspaceState"]["openFiles"][0]["path"] == f"/w/{odd}"
    assert status == (1 if "probe" in words else 0), "a probe says that there is no such file"


def test_status_names_a_program_but_not_its_arguments(room: Room) -> None:
    env = {
        "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND": "no-such-program",
        "GEMINI_CLI_IDE_SERVER_STDIO_ARGS": '["--token", "sesame"]',
        "GEMINI_CLI_IDE_WORKSPACE_PATH": str(room.project),
    }
    for output_format in ("text", "json"):
        status, out, err = _pisces(room, "status", "--output-format", output_format, **env)
        assert status == 1
        assert "program `no-such-program` on this machine cannot be started" in out
        assert "sesame" not in out + err


def test_status_can_only_look(room: Room) -> None:
    with VsCodeLike(room.folder, room.project) as editor:
        status, out, _ = _pisces(room, "status", "--no-connect")
        assert status == 0
        assert "chosen" in out
        assert not editor.sessions


def test_status_says_which_way_failed(room: Room) -> None:
    with VsCodeLike(room.folder, room.project) as editor:
        port, file = editor.port, editor.file
    file.write_text(json.dumps({"port": port, "workspacePath": str(room.project), "authToken": "x"}))
    status, out, _ = _pisces(room, "status")
    assert status == 1
    assert f"port {port} on 127.0.0.1 cannot be reached: nobody listens there" in out


def test_watching_once_shows_what_a_one_shot_run_would_get(room: Room) -> None:
    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main, 2, isActive=True, selectedText="answer\u202e\u009b31m"))
        status, out, err = _pisces(room, "watch", "--once")
    assert status == 0, err
    assert out.startswith(f'{FULL}\n```json\n{{\n  "activeFile": {{\n    "path": "{room.main}"')
    assert "\\u202e\\x9b31m" in out, "what an editor sends cannot drive the terminal"
    assert "connected to" in err


def test_watching_once_without_an_editor_ends_with_1(room: Room) -> None:
    status, out, err = _pisces(room, "watch", "--once")
    assert (status, out) == (1, "")
    assert "no companion was found" in err


def test_private_files_are_hidden_and_counted(room: Room) -> None:
    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.project / ".env", 3, isActive=True, selectedText="KEY"), open_file(room.main))
        status, out, err = _pisces(room, "watch", "--once", "--private", "main.*")
    assert status == 0
    assert out == ""
    assert "2 private files not told" in err


def test_watching_goes_on_until_it_is_interrupted(room: Room) -> None:
    other = room.project / "other.py"
    other.touch()
    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main, isActive=True))
        watching = _start(room, "watch", "--output-format", "json")
        guard = threading.Timer(PATIENCE, watching.kill)
        guard.start()
        try:
            assert watching.stdout
            state, first = json.loads(watching.stdout.readline()), json.loads(watching.stdout.readline())
            editor.show(open_file(room.main), open_file(other, 2, isActive=True))
            second = json.loads(watching.stdout.readline())
            watching.send_signal(signal.SIGINT)
            out, err = watching.communicate(timeout=PATIENCE)
        finally:
            guard.cancel()
    assert watching.returncode == 0
    assert (out, err) == ("", "")
    assert (state["event"], first["event"], second["event"]) == ("state", "context", "context")
    assert first["text"].startswith(FULL)
    assert second["text"].startswith(DELTA)
    assert str(other) in second["text"]


def test_watching_says_when_the_editor_goes_and_comes_back(room: Room) -> None:
    watching = _start(room, "watch", "--output-format", "json")
    guard = threading.Timer(2 * PATIENCE, watching.kill)
    guard.start()
    try:
        _until(watching, state="disconnected")
        for _ in range(2):
            with VsCodeLike(room.folder, room.project) as editor:
                editor.show(open_file(room.main))
                _until(watching, state="connected")
                assert _until(watching, event="context")[-1]["text"].startswith(FULL)
            _until(watching, state="disconnected")
    finally:
        watching.send_signal(signal.SIGINT)
        watching.communicate(timeout=PATIENCE)
        guard.cancel()


def _until(watching: subprocess.Popen[str], **wanted: str) -> list[dict[str, Any]]:
    """The events up to the one that is wanted."""
    assert watching.stdout
    told: list[dict[str, Any]] = []
    while not told or any(told[-1].get(name) != value for name, value in wanted.items()):
        told.append(json.loads(watching.stdout.readline()))
    return told
