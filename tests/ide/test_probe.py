"""`pisces ide probe` finds nothing wrong with good companions, and every defect that is planted in a bad one."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pisces.ide import Companion, CompanionOptions, Editor, Window
from pisces.ide.probe.probe import BROKEN, MUST, PASSED, SKIPPED, Probed, probe_rules, probed
from pisces.ide.probe.subject import ProbeTarget
from pisces.shapes.ide_context import Cursor
from tests.ide.client_room import Room
from tests.ide.vscode_like import VsCodeLike, open_file


@pytest.fixture
def room(tmp_path: Path) -> Room:
    return Room(tmp_path)


def _probe(editor: VsCodeLike, room: Room, **changes: Any) -> list[Probed]:
    target = ProbeTarget(editor.port, editor.token, str(editor.file), env=room.env, quiet=0.05)
    return asyncio.run(probed(target.replace(**changes)))


def _broken(results: list[Probed]) -> list[str]:
    return [each.rule.id for each in results if each.finding.verdict == BROKEN]


def _pisces(room: Room, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    full = {**os.environ, **room.env, **env}
    command = [sys.executable, "-m", "pisces", "ide", "probe", *words]
    return subprocess.run(command, cwd=room.project, env=full, capture_output=True, text=True, check=False, timeout=60)


def test_our_companion_keeps_every_rule(room: Room) -> None:
    shown: dict[str, str] = {}
    editor = Editor(shown.__setitem__, shown.get)
    window = Window((str(room.project),), "desk", "Desk")
    with Companion(window, editor, CompanionOptions(keep_alive=0.2), env=room.env) as companion:
        companion.open_files.focus(str(room.main), Cursor(1, 1), "answer")
        target = ProbeTarget(companion.port, companion.token, companion.files[0], env=room.env, patience=5)
        results = asyncio.run(probed(target))
    assert [(each.rule.id, each.finding.detail) for each in results if each.finding.verdict == BROKEN] == []
    assert {each.finding.verdict for each in results} == {PASSED}


def test_the_official_companion_only_says_nothing_about_the_editor(room: Room) -> None:
    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main, isActive=True, cursor={"line": 1, "character": 1}))
        results = _probe(editor, room)
    assert _broken(results) == ["file-ide-info"]
    assert not any(each.is_violation for each in results)


PLANTED = """
file-name file-private file-process file-port file-workspace file-token
loopback-only token-required token-checked token-not-in-query token-every-request origin-refused host-checked
handshake session-own session-required stream bad-body
diff-round diff-silent diff-unknown diff-empty
""".split()


@pytest.mark.parametrize("defect", PLANTED)
def test_a_planted_defect_is_found(room: Room, defect: str) -> None:
    if defect == "loopback-only" and not sys.platform.startswith("linux"):
        pytest.skip("can be told apart on Linux only")
    with VsCodeLike(room.folder, room.project, [defect]) as editor:
        editor.show(open_file(room.main))
        results = _probe(editor, room)
    found = {each.rule.id: each.finding for each in results}
    assert found[defect].verdict == BROKEN
    assert found[defect].detail
    assert editor.token not in "".join(each.finding.detail for each in results), "a report can be shown around"


def test_text_that_is_not_json_is_found_for_what_it_costs(room: Room) -> None:
    with VsCodeLike(room.folder, room.project, ["raw-text"]) as editor:
        editor.show(open_file(room.main))
        results = _probe(editor, room)
    found = {each.rule.id: each.finding.detail for each in results}
    assert "loses the user's edits" in found["diff-round"]


@pytest.mark.parametrize(
    ("files", "rule"),
    [
        ([{"path": "/w/a.py"}], "context-valid"),
        ([{"path": "/w/a.py", "timestamp": None}], "context-valid"),
        ([{"path": "/nowhere/at/all.py", "timestamp": 1}], "context-files"),
        ([{"path": "relative.py", "timestamp": 1}], "context-files"),
        ([{"path": "/", "timestamp": 1, "isActive": True}, {"path": "/", "timestamp": 2}], "context-active"),
        ([{"path": "/", "timestamp": 1, "isActive": True}] * 2, "context-active"),
        ([{"path": "/", "timestamp": 1, "selectedText": "x"}], "context-cursor"),
        ([{"path": "/", "timestamp": 1, "isActive": True, "cursor": {"line": 0, "character": 1}}], "context-from-1"),
        ([{"path": "/", "timestamp": 1}] * 11, "context-limits"),
        ([{"path": "/", "timestamp": 1, "isActive": True, "selectedText": "🐟" * 8193}], "context-limits"),
    ],
)
def test_a_context_that_is_no_good_is_found(room: Room, files: list[dict[str, Any]], rule: str) -> None:
    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(*files)
        assert rule in _broken(_probe(editor, room, with_diffs=False))


def test_a_companion_that_sends_no_context_is_told_so(room: Room) -> None:
    with VsCodeLike(room.folder, room.project) as editor:
        results = _probe(editor, room)
    assert "context-first" in _broken(results)
    assert not any(each.is_violation for each in results), "an editor may have nothing to say"


def test_a_silent_stream_is_found_by_waiting(room: Room) -> None:
    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main))
        assert "keep-alive" in _broken(_probe(editor, room, patience=0.6))


def test_every_rule_explains_itself() -> None:
    rules = probe_rules()
    assert len({rule.id for rule in rules}) == len(rules)
    assert all(rule.title and not rule.title.endswith(".") for rule in rules)
    assert {"must", "should"} == {rule.level for rule in rules}


def test_where_nobody_listens_one_rule_says_so(room: Room) -> None:
    with VsCodeLike(room.folder, room.project) as editor:
        port = editor.port
    results = asyncio.run(probed(ProbeTarget(port, "token")))
    assert _broken(results) == ["reachable"]
    assert {each.finding.verdict for each in results} == {BROKEN, SKIPPED}


def test_the_command_asks_the_companion_of_this_folder(room: Room) -> None:
    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main))
        done = _pisces(room, "--output-format", "json")
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout)
    assert told["file"] == str(editor.file)
    assert {each["verdict"] for each in told["rules"] if each["level"] == MUST} == {PASSED, SKIPPED}


def test_the_command_ends_with_1_where_a_rule_is_broken(room: Room) -> None:
    with VsCodeLike(room.folder, room.project, ["origin-refused"]) as editor:
        editor.show(open_file(room.main))
        done = _pisces(room, "--file", str(editor.file), "--no-diff")
    assert done.returncode == 1
    assert "broken   must    origin-refused" in done.stdout
    assert "got 200, not 403" in done.stdout
    assert "diff-round" in done.stdout
    assert not editor.calls, "no diff was opened"


def test_a_port_and_a_token_can_be_named(room: Room) -> None:
    with VsCodeLike(room.folder, room.project) as editor:
        editor.show(open_file(room.main))
        from_env = _pisces(room, "--port", str(editor.port), GEMINI_CLI_IDE_AUTH_TOKEN=editor.token)
        wrong = _pisces(room, "--port", str(editor.port), "--token", "wrong")
    assert (from_env.returncode, wrong.returncode) == (0, 1)
    assert "does not accept the token (401)" in wrong.stdout


@pytest.mark.parametrize("text", [None, "{", "[]", '{"port": "soon"}'])
def test_without_a_companion_there_is_nothing_to_probe(room: Room, text: str | None) -> None:
    file = room.folder / "some.json"
    if text is not None:
        file.write_text(text)
    done = _pisces(room, "--file", str(file))
    assert done.returncode == 1
    assert "[ide-nothing-to-probe]" in done.stderr


@pytest.mark.parametrize("words", [("--port", "70000"), ("--port", "1", "--host", "no\\such..host"), ("--port", "-1")])
def test_an_address_that_is_none_is_not_reachable(room: Room, words: tuple[str, ...]) -> None:
    done = _pisces(room, *words)
    assert done.returncode == 1
    assert "cannot be reached" in done.stdout, done.stderr


def test_without_an_editor_the_command_says_what_to_do(room: Room) -> None:
    done = _pisces(room)
    assert done.returncode == 1
    assert "[ide-nothing-to-probe]" in done.stderr
    assert "--port" in done.stderr
