"""Promise 1: finding, listing and checking start no process, open no socket, import nothing found, write nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.corpus import unpack, why_missing

# Runs in a process of its own, because an audit hook stays for ever.
WATCHER = r"""
import io, json, os, pkgutil, sys
import pisces
from pisces.__main__ import main
for found in pkgutil.walk_packages(pisces.__path__, "pisces."):  # our own modules are loaded before the watch begins
    if not found.name.startswith(("pisces.adapters.", "pisces.models.pydantic_ai")):  # their frameworks are not here
        __import__(found.name)
for name in ("list", "extensions_list", "why", "check", "inspect", "doctor", "report", "explain", "scan", "cost"):
    __import__(f"pisces.cli.{name}")
import difflib, json.encoder, unicodedata, encodings.idna, pkgutil

FORBIDDEN = ("subprocess.", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.fork", "os.startfile", "pty.",
             "socket.", "urllib.", "http.", "ftplib.", "ctypes.", "os.remove", "os.rename", "os.mkdir", "os.rmdir",
             "os.chmod", "os.chown", "os.link", "os.symlink", "os.truncate", "os.utime", "shutil.", "tempfile.",
             "webbrowser.", "code.__new__", "exec", "compile")
seen, watching = [], [True]
ROOTS = tuple(json.loads(os.environ["WATCHED_ROOTS"]))

def watch(event, args):
    if not watching[0]:
        return
    writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT
    if event == "open" and len(args) > 2 and isinstance(args[2], int) and args[2] & writes:
        seen.append(["write", str(args[0])])
    elif event == "import" and isinstance(args[1], str) and args[1].startswith(ROOTS):
        seen.append(["import", args[1]])
    elif event in ("exec", "compile"):
        name = getattr(args[0], "co_filename", None) if event == "exec" else args[1]
        if isinstance(name, str) and name.startswith(ROOTS):
            seen.append([event, name])
    elif event.startswith(FORBIDDEN):
        seen.append([event, repr(args)[:200]])

sys.addaudithook(watch)
out, err = sys.stdout, sys.stderr
sys.stdout = sys.stderr = io.StringIO()
codes = [main(words) for words in json.loads(os.environ["WATCHED_COMMANDS"])]
watching[0] = False
sys.stdout, sys.stderr = out, err
print(json.dumps({"seen": seen, "codes": codes, "imported": [m for m in sys.modules.values()
      if str(getattr(m, "__file__", "") or "").startswith(ROOTS)] and ["something"]}))
"""


def watched(home: Path, cwd: Path, commands: list[list[str]]) -> dict[str, list[object]]:
    env = {
        **os.environ,
        "HOME": str(home),
        "USERPROFILE": str(home),
        "WATCHED_ROOTS": json.dumps([str(home), str(cwd)]),
        "WATCHED_COMMANDS": json.dumps(commands),
    }
    done = subprocess.run(
        [sys.executable, "-c", WATCHER], cwd=cwd, env=env, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, list[object]] = json.loads(done.stdout)
    return report


def test_the_watch_sees_what_it_must_not_miss(tmp_path: Path) -> None:
    """The watcher itself is tested: a module that starts a process is seen when somebody imports it."""
    (tmp_path / "found.py").write_text("import subprocess; subprocess.run(['true'], check=False)")
    spied = WATCHER.replace(
        '[main(words) for words in json.loads(os.environ["WATCHED_COMMANDS"])]', "[__import__('found')]"
    )
    spied = spied.replace('"codes": codes', '"codes": []')
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "WATCHED_ROOTS": json.dumps([str(tmp_path)])}
    env |= {"WATCHED_COMMANDS": "[]", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", spied], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60
    )
    events = {event for event, _ in json.loads(done.stdout)["seen"]}
    assert "subprocess.Popen" in events
    assert "exec" in events


@pytest.mark.skipif(bool(why_missing()), reason=why_missing())
def test_nothing_of_the_whole_corpus_runs(tmp_path: Path) -> None:
    unpack(tmp_path / "corpus")
    home, project = tmp_path / "home", tmp_path / "project"
    (home / ".gemini").mkdir(parents=True)
    project.mkdir()
    (tmp_path / "corpus" / "gemini-extensions" / "corpus").rename(home / ".gemini" / "extensions")
    (tmp_path / "corpus" / "synthetic" / "synthetic").rename(project / "packages")
    some = sorted(entry.name for entry in (home / ".gemini" / "extensions").iterdir() if entry.is_dir())[:3]
    commands = [
        ["list", "--all"],
        ["list", "--output-format", "json"],
        ["extensions", "list", "--all"],
        ["doctor"],
        ["report", "-"],
        ["why", "plan"],
        ["check", str(home / ".gemini" / "extensions"), str(project / "packages")],
        ["check", str(project / "packages"), "--output-format", "sarif"],
        *(["inspect", str(home / ".gemini" / "extensions" / name), "--output-format", "json"] for name in some),
        ["explain"],
        ["cost", "--all", "--output-format", "json"],
    ]
    report = watched(home, project, commands)
    assert report["seen"] == []
    assert report["imported"] == []
    assert set(report["codes"]) <= {0, 1}
