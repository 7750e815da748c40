"""Drives the real Gemini CLI as an editor's terminal has it: editor (this process), pty host, bash, gemini."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from types import ModuleType, TracebackType
from typing import Any

import pytest

PEERS = Path(os.environ.get("PISCES_PEERS") or Path(__file__).resolve().parents[2] / ".peers")
GEMINI = PEERS / "node_modules" / "@google" / "gemini-cli" / "bundle" / "gemini.js"
LOOPBACK_ONLY = Path(__file__).with_name("loopback_only.mjs").as_uri()
PATIENCE = 60.0
PLAIN_HOST = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)"
PTY_HOST = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
if sys.platform == "win32":
    KILL = signal.SIGTERM
else:
    KILL = signal.SIGKILL
SETTINGS = {
    "ide": {"enabled": True, "hasSeenNudge": True},
    "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
    "privacy": {"usageStatisticsEnabled": False},
    "general": {"enableAutoUpdate": False, "disableAutoUpdate": True},
}


def why_missing() -> str:
    if sys.platform == "win32":
        return "needs pseudoterminals"
    if not shutil.which("node") or not GEMINI.is_file():
        return "needs the real Gemini CLI: npm install --prefix .peers @google/gemini-cli@0.61.0, or PISCES_PEERS"
    if not _fake_gemini_path().is_file():
        return f"needs a Gemini API on loopback: {_fake_gemini_path().name} next to the folder of PISCES_CORPUS"
    return ""


def _fake_gemini_path() -> Path:
    corpus = os.environ.get("PISCES_CORPUS")
    folder = Path(corpus).resolve().parent if corpus else Path(__file__).resolve().parents[3] / "shared"
    return folder / "fake_gemini.py"


def fake_gemini() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fake_gemini", _fake_gemini_path())
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["fake_gemini"] = module  # its dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


class Home:
    """A throwaway home and temporary folder, and the variables of a terminal in them."""

    def __init__(self, folder: Path, api: Any) -> None:
        self.home = folder / "home"
        self.tmp = folder / "tmp"
        settings = self.home / ".gemini"
        settings.mkdir(parents=True)
        self.tmp.mkdir()
        (settings / "settings.json").write_text(json.dumps(SETTINGS))
        (settings / "state.json").write_text(json.dumps({"terminalSetupPromptShown": True}))
        self.env = {
            "HOME": str(self.home),
            "TMPDIR": str(self.tmp),
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "GOOGLE_GEMINI_BASE_URL": api.base_url,
            "GEMINI_API_KEY": "dummy",
            "REMOTE_CONTAINERS": "1",  # else, in a container, it dials host.docker.internal
            "GEMINI_DEBUG_LOG_FILE": str(folder / "debug.log"),
            "GEMINI_CLI_NO_RELAUNCH": "true",
            "NODE_OPTIONS": f"--import={LOOPBACK_ONLY}",
            "NO_BROWSER": "1",
        }


class Terminal:
    """`gemini` with these arguments below a host and a bash; its input stays open until `close_input`."""

    def __init__(self, home: Home, cwd: Path, *arguments: str, host: str = PLAIN_HOST, **env: str) -> None:
        line = 'stty rows 45 cols 120 2>/dev/null; node "$0" "$@"; exit $?'  # not the last: bash must stay
        command = [sys.executable, "-c", host, "bash", "-c", line, str(GEMINI), "-m", "gemini-2.5-pro", *arguments]
        self._process = subprocess.Popen(
            command,
            cwd=cwd,
            env={**home.env, **env},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self.output = bytearray()
        self.fed: Callable[[bytes], None] = lambda _data: None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _at: TracebackType | None
    ) -> None:
        for pid in (*_below(self._process.pid), self._process.pid):
            try:
                os.kill(pid, KILL)
            except ProcessLookupError:
                continue
        self._process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def type(self, keys: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(keys.encode())
        self._process.stdin.flush()

    def close_input(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()

    def wait(self) -> int:
        return self._process.wait(PATIENCE)

    def _read(self) -> None:
        assert self._process.stdout
        while data := os.read(self._process.stdout.fileno(), 65536):
            self.output += data
            self.fed(data)


def _below(pid: int) -> list[int]:
    """All descendants, the youngest first: bash has started a group of its own on its pty."""
    shown = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, encoding="utf-8", check=True).stdout
    parents = {int(child): int(parent) for child, parent in map(str.split, shown.splitlines())}
    found: list[int] = [pid]
    for each in found:
        found += [child for child, parent in parents.items() if parent == each]
    return found[:0:-1]


def until(is_true: Callable[[], Any], seconds: float = PATIENCE, *, every: float = 0.02) -> Any:
    """What the question answers once it is true; None when it never was."""
    pause = threading.Event()
    end = monotonic() + seconds
    while not (answer := is_true()):
        if monotonic() > end:
            return None
        pause.wait(every)
    return answer


needs_gemini = pytest.mark.skipif(bool(why_missing()), reason=why_missing() or "it is there")
