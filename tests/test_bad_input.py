"""Bad input gets a diagnostic, never a traceback, a hang or a lost neighbour."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.warm_shell import pisces

GOOD = '{"name": "good", "version": "1.0.0"}'
TIMEOUT = 90

COMMANDS = (["extensions", "list", "--all"], ["list", "--all"], ["doctor"], ["check", "."], ["why", "good"])


def run(home: Path, cwd: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "HOME": str(home), "USERPROFILE": str(home), "NO_COLOR": "1"}
    return pisces(*words, cwd=cwd, env=env, timeout=TIMEOUT)


def put_bytes(content: bytes) -> Callable[[Path], None]:
    def put(path: Path) -> None:
        path.write_bytes(content)

    return put


def fifo(path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("named pipes and sockets are made the POSIX way")
    os.mkfifo(path)


def unix_socket(path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("named pipes and sockets are made the POSIX way")
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(path.parent)  # socket paths are limited to about a hundred characters
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(path.name)
    finally:
        os.fchdir(here)
        os.close(here)


def folder(path: Path) -> None:
    path.mkdir()


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def loop(path: Path) -> None:
    path.symlink_to(path.name)


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(200 * 1024 * 1024)


def unreadable(path: Path) -> None:
    path.write_text(GOOD)
    path.chmod(0)


BAD: dict[str, Callable[[Path], None]] = {
    "a syntax error": put_bytes(b'{"name": "bad",}'),
    "nothing at all": put_bytes(b""),
    "null": put_bytes(b"null"),
    "a list": put_bytes(b"[1, 2]"),
    "a number": put_bytes(b"42"),
    "a byte order mark": put_bytes(b"\xef\xbb\xbf" + GOOD.encode()),
    "latin-1": put_bytes('{"name": "b\xe4d", "version": "1"}'.encode("latin-1")),
    "NUL bytes": put_bytes(b'{"name": "b\x00d", \x00"version": "1"}'),
    "utf-16": put_bytes(GOOD.encode("utf-16")),
    "10,000 levels of lists": put_bytes(b'{"name": "x", "version": "1", "a": ' + b"[" * 10_000 + b"]" * 10_000 + b"}"),
    "10,000 levels of objects": put_bytes(b'{"a":' * 10_000 + b"1" + b"}" * 10_000),
    "lone surrogates": put_bytes(rb'{"name": "\ud800", "version": "\udfff"}'),
    "a name with newlines": put_bytes(rb'{"name": "a\nb\r\u001b[31mred\u202e", "version": "1"}'),
    "a very long number": put_bytes(b'{"name": "n", "version": ' + b"9" * 10_000 + b"}"),
    "a named pipe": fifo,
    "a socket": unix_socket,
    "a folder": folder,
    "a device": device,
    "a link to itself": loop,
    "a file of 200 MB": huge,
    "an unreadable file": unreadable,
}

# Every kind of file that some reader opens: relative to home.
READ_BY_SOMEBODY = (
    ".gemini/extensions/bad/gemini-extension.json",
    ".gemini/extensions/good/commands/bad.toml",
    ".gemini/extensions/good/skills/bad/SKILL.md",
    ".gemini/extensions/good/agents/bad.md",
    ".gemini/extensions/good/hooks/hooks.json",
    ".gemini/extensions/good/policies/bad.toml",
    ".gemini/extensions/extension-enablement.json",
    ".gemini/settings.json",
    ".claude/settings.json",
    ".claude/commands/bad.md",
    ".claude/agents/bad.md",
    ".claude/skills/bad/SKILL.md",
    ".claude/plugins/installed_plugins.json",
    ".claude.json",
    ".codex/config.toml",
    ".cursor/mcp.json",
    ".config/opencode/opencode.json",
    ".pisces/agent/config.yml",
)


def good_neighbour(home: Path) -> None:
    manifest = home / ".gemini" / "extensions" / "good" / "gemini-extension.json"
    manifest.parent.mkdir(parents=True)
    manifest.write_text(GOOD)
    command = manifest.parent / "commands" / "fine.toml"
    command.parent.mkdir()
    command.write_text('prompt = "fine"')
    trusted = home / ".gemini" / "trustedFolders.json"
    trusted.write_text(json.dumps({str(home.parent): "TRUST_FOLDER"}))


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes, sockets and devices are made the POSIX way")
@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_never_takes_its_neighbour_down(kind: str, tmp_path: Path) -> None:
    home = tmp_path / "home"
    good_neighbour(home)
    for name in READ_BY_SOMEBODY:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        BAD[kind](path)
    for words in COMMANDS:
        done = run(home, home, *words)
        assert "Traceback" not in done.stderr, (words, done.stderr)
        assert done.returncode in (0, 1), (words, done.stdout, done.stderr)
        assert "\x1b" not in done.stdout + done.stderr
        assert "provider-failed" not in done.stdout + done.stderr
    assert re.search(r"^good +1\.0\.0", run(home, home, "extensions", "list").stdout, re.MULTILINE)
    assert "/fine" in run(home, home, "list", "commands").stdout


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_fifty_thousand_entries_are_no_problem(words: list[str], tmp_path: Path) -> None:
    home = tmp_path / "home"
    good_neighbour(home)
    commands = home / ".gemini" / "extensions" / "good" / "commands"
    for number in range(50_000):
        os.link(commands / "fine.toml", commands / f"c{number}.toml")
    done = run(home, home, *words)
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 1), done.stderr


def test_a_link_loop_of_folders_ends(tmp_path: Path) -> None:
    home = tmp_path / "home"
    good_neighbour(home)
    extensions = home / ".gemini" / "extensions"
    (extensions / "good" / "commands" / "again").symlink_to(extensions / "good" / "commands", target_is_directory=True)
    (extensions / "good" / "skills").symlink_to(extensions, target_is_directory=True)
    (extensions / "circle").symlink_to(extensions, target_is_directory=True)
    done = run(home, home, "list", "commands", "--output-format", "json")
    names = [item["name"] for item in json.loads(done.stdout)["items"]]
    assert names.count("fine") == 1
    assert len(names) < 10
