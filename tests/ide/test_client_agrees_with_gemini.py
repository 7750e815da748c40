"""Where the reference is right, our client and an installed Gemini CLI agree: generated cases, asked of both.

What differs on purpose is not generated here and has a test by name in `test_choosing.py`.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import groupby, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pisces.ide.choosing import choice_here
from pisces.ide.client.model_text import ModelText
from pisces.ide.detect import detected
from pisces.ide.process_tree import RunningProcess, posix_rule, process_tree
from pisces.ide.shared_context import normalised
from pisces.ide.workspace import covers
from pisces.places import Places
from pisces.shapes.ide_context import context_from_json
from tests.ide.gemini_oracle import Oracle, needs_gemini, oracle_command

pytestmark = needs_gemini

GONE = 2**22 + 100
VSCODE = {"TERM_PROGRAM": "vscode"}


@pytest.fixture(scope="module")
def gemini() -> Iterator[Oracle]:
    with Oracle() as oracle:
        yield oracle


@pytest.fixture
def living() -> Iterator[list[int]]:
    """Pids of two processes that have nothing to do with this one."""
    started = [subprocess.Popen(["sleep", "300"]) for _ in range(2)]
    yield [each.pid for each in started]
    for each in started:
        each.kill()
        each.wait()


# ---- what the model is told

PATHS = [
    "/w/a.py",
    "/w/b.py",
    "/w/sub/c d.md",
    "/w/grüße.txt",
    "/w/語.rs",
    "/w/🐟.go",
    '/w/"quoted"\\.c',
    "/w/\x7f\u2028.x",
]
PATHS += [f"/w/more/{number}.txt" for number in range(12)]
SELECTIONS = ["", "x", "def f():\n\treturn 'ä' \\ \"q\"", "🐟" * 8192, "a" + "🐟" * 8192, "x" * 16384, "x" * 16385]


def _file(random: Random, path: str) -> dict[str, Any]:
    file: dict[str, Any] = {"path": path, "timestamp": random.choice([1, 2, 3, 1.5, 1_794_000_000_000])}
    if random.random() < 0.6:
        file["isActive"] = random.random() < 0.8
    if random.random() < 0.6:
        file["cursor"] = {"line": random.randint(1, 3), "character": random.randint(1, 3)}
    if random.random() < 0.6:
        file["selectedText"] = random.choice(SELECTIONS)
    return file


def _context(random: Random) -> dict[str, Any] | None:
    kind = random.random()
    if kind < 0.06:
        return None
    if kind < 0.12:
        empty: list[dict[str, Any]] = [{}, {"workspaceState": {}}, {"workspaceState": {"isTrusted": True}}]
        return random.choice(empty)
    paths = random.sample(PATHS[:4] if kind < 0.7 else PATHS, random.randint(0, 4 if kind < 0.7 else 14))
    return {"workspaceState": {"openFiles": [_file(random, path) for path in paths], "isTrusted": False}}


def _contexts(random: Random) -> Iterator[dict[str, Any] | None]:
    """Half of them are the one before, with the newest file looked at elsewhere."""
    context: dict[str, Any] | None = None
    for _ in range(150):
        files = (context or {}).get("workspaceState", {}).get("openFiles", [])
        if files and random.random() < 0.5:
            newest = {**_file(random, files[0]["path"]), "timestamp": 1_795_000_000_000, "isActive": True}
            context = {"workspaceState": {"openFiles": [newest, *files[1:]]}}
        else:
            context = _context(random)
        yield context


@pytest.mark.parametrize("seed", range(3))
def test_the_model_is_told_the_same_in_full_and_in_changes(gemini: Oracle, seed: int) -> None:
    contexts = list(_contexts(Random(seed)))
    text = ModelText()
    ours = [text.next(normalised(context_from_json(each), ()) if each is not None else None) for each in contexts]
    theirs = gemini.ask(kind="context", contexts=contexts)
    for context, our, their in zip(contexts, ours, theirs, strict=True):
        assert our == their, context
    forms = "activeFile otherOpenFiles filesOpened filesClosed cursorMoved selectionChanged previousPath".split()
    assert [each for each in forms if not any(f'"{each}"' in told for told in theirs)] == [], "all forms occur"


# ---- which workspace covers which folder


def test_the_same_folders_are_covered(gemini: Oracle, tmp_path: Path) -> None:
    top = tmp_path.resolve()
    for name in ("a/b", "a b/c", "ä%20x", "100%", "ab"):
        (top / name).mkdir(parents=True)
    (top / "link").symlink_to(top / "a")
    (top / "dangling").symlink_to(top / "missing" / "deep")
    names = [
        "",
        "a",
        "a/",
        "a/b",
        "a/../ab",
        "a%20b",
        "a%2520b",
        "ä%20x",
        "100%",
        "link",
        "link/b",
        "dangling",
        "missing",
        "A",
    ]
    prefixes = [f"{top}/", f"file://{top}/", f"/elsewhere{os.pathsep}{top}/"]
    folders = ["", "a", "a/b", "a b", "a b/c", "ä x", "ä%20x", "100%", "link/b", "ab", "missing/deep/er"]
    cases = [(prefix + name, f"{top}/{folder}") for prefix in prefixes for name in names for folder in folders]
    verdicts = [
        (roots, cwd, covers(roots, cwd), gemini.ask(kind="covers", roots=roots, cwd=cwd)) for roots, cwd in cases
    ]
    assert [each for each in verdicts if each[2] != each[3]] == []
    assert {each[2] for each in verdicts} == {True, False}


# ---- which companion is dialled


class Doors:
    """Ports that write down who knocks, with which token, and let nobody in."""

    def __init__(self, count: int) -> None:
        self.knocks: list[tuple[int, str]] = []
        doors = self

        class Requests(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                doors.knocks.append((self.server.server_address[1], self.headers.get("authorization", "")))  # type: ignore[arg-type,index]
                self.send_response(401)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                return

        self._servers = [ThreadingHTTPServer(("127.0.0.1", 0), Requests) for _ in range(count)]
        self.ports = [server.server_address[1] for server in self._servers]
        self._threads = [threading.Thread(target=each.serve_forever, args=(0.02,)) for each in self._servers]

    def __enter__(self) -> Doors:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for server in self._servers:
            server.shutdown()
            server.server_close()
        for thread in self._threads:
            thread.join()

    def taken(self) -> list[tuple[int, str]]:
        knocks, self.knocks[:] = list(self.knocks), []
        return [each for each, _ in groupby(knocks)]


def _write(folder: Path, random: Random, ports: list[int], cwd: Path, living: list[int]) -> tuple[dict[str, str], int]:
    """Some discovery files; the environment that goes with them, and the pid of the target."""
    place = folder / "gemini" / "ide"
    place.mkdir(parents=True)
    pids = random.sample([GONE, GONE + 1, GONE + 2, *living], len(ports))
    target = random.choice([*pids, GONE + 50])
    fitting = []
    for pid, port in zip(pids, ports, strict=True):
        workspace = random.choice([str(cwd), str(cwd.parent), f"/elsewhere{os.pathsep}{cwd}", "/elsewhere", "", None])
        told: dict[str, Any] = {"port": random.choice([port, str(port)]), "authToken": f"token-{port}"}
        told |= {} if workspace is None else {"workspacePath": workspace}
        fitting += [port] if workspace and covers(workspace, str(cwd)) else []
        text = random.choice([json.dumps(told)] * 6 + ["{", "7"])
        fitting = [each for each in fitting if each != port or text.startswith('{"')]
        (place / f"gemini-ide-server-{pid}-{port}.json").write_text(text)
    if random.random() < 0.15:
        old = {"port": ports[-1], "workspacePath": str(cwd), "authToken": "old"}
        (place / f"gemini-ide-server-{target}.json").write_text(json.dumps(old))
    env = {"TMPDIR": str(folder), "GEMINI_CLI_IDE_PID": str(target), **VSCODE}
    if fitting and random.random() < 0.5:
        env["GEMINI_CLI_IDE_SERVER_PORT"] = str(random.choice(fitting))
    return env, target


def test_the_same_ports_are_dialled_in_the_same_order(gemini: Oracle, tmp_path: Path, living: list[int]) -> None:
    random = Random(5)
    cwd = (tmp_path / "project" / "deep").resolve()
    cwd.mkdir(parents=True)
    counts: list[int] = []
    compared = 0
    with Doors(4) as doors:
        for number in range(50):
            ports = random.sample(doors.ports, random.randint(0, 4))
            env, _ = _write(tmp_path / str(number), random, ports or doors.ports[:1], cwd, living)
            gemini.ask(kind="find", env=env, cwd=str(cwd))
            choice = choice_here(Places(str(tmp_path), str(cwd), env), process_tree(env))
            knocks = doors.taken()
            counts.append(len(knocks))
            ours = [(endpoint.port, f"Bearer {endpoint.token}") for endpoint in choice.endpoints]
            gone = [each.file for each in choice.candidates if each.why.endswith(" is gone")]
            sources = {endpoint.source for endpoint in choice.endpoints}
            assert not sources & {file.path for file in gone}, "Gemini CLI dials them if there is nothing better"
            if not {file.port for file in gone} & {port for port, _ in knocks}:
                same = ours[: len(knocks)]  # after those, we also try the other windows of this folder
                assert [port for port, _ in same] == [port for port, _ in knocks], (env, choice.candidates)
                assert ours[:1] == knocks[:1] or not knocks
                compared += bool(knocks)
    assert {0, 1} <= set(counts)
    assert compared > 10


def test_the_environment_alone_is_dialled_by_both(gemini: Oracle, tmp_path: Path) -> None:
    with Doors(1) as doors:
        env = {
            "TMPDIR": str(tmp_path / "none"),
            "GEMINI_CLI_IDE_SERVER_PORT": str(doors.ports[0]),
            "GEMINI_CLI_IDE_WORKSPACE_PATH": str(tmp_path),
            "GEMINI_CLI_IDE_AUTH_TOKEN": "secret",
            **VSCODE,
        }
        gemini.ask(kind="find", env=env, cwd=str(tmp_path))
        choice = choice_here(Places(str(tmp_path), str(tmp_path), env))
        assert [(endpoint.port, f"Bearer {endpoint.token}") for endpoint in choice.endpoints] == doors.taken()


# ---- which process is the editor


def test_the_rule_is_the_same_for_any_chain_of_processes(gemini: Oracle, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "ps").write_text('#!/bin/sh\nexec cat "$PS_TABLE/$4"\n')
    (tools / "ps").chmod(0o755)
    random = Random(3)
    own = gemini.ask(kind="find", env={}, cwd=str(tmp_path))["own"]
    words = [
        "bash",
        "-zsh",
        "/bin/sh -c x",
        "/usr/bin/zsh",
        "node",
        "/opt/My Editor/code --x",
        "fish",
        "nu",
        "",
        "npm exec",
        "login -fp",
    ]
    names = set()
    for number in range(25):
        table = tmp_path / str(number)
        table.mkdir()
        env = {
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PS_TABLE": str(table),
            "TMPDIR": "/nonexistent",
            **VSCODE,
        }
        chain = [own, *random.sample(range(2, 60_000), random.choice([0, 1, 2, 3, 5, 36])), random.choice([0, 1])]
        processes = {pid: _listed(pid, parent, random.choice(words)) for pid, parent in pairwise(chain)}
        for pid, process in processes.items():
            (table / str(pid)).write_text(f"{process.parent:>7} {process.command}\n")
        told = gemini.ask(kind="find", env=env, cwd=str(tmp_path))
        ours, by = posix_rule(own, _lookup(processes))
        assert ours.pid == told["pid"], (by, processes)
        names.add(by.split(" ")[0])
    assert names == {"grandparent", "parent", "no"}


def _lookup(known: dict[int, RunningProcess]) -> Callable[[int], RunningProcess]:
    return lambda pid: known.get(pid, RunningProcess(pid))


def _listed(pid: int, parent: int, command: str) -> RunningProcess:
    return RunningProcess(pid, parent, os.path.basename(command.split(" ")[0]), command)


def test_in_a_real_chain_both_find_the_same_process(tmp_path: Path) -> None:
    (tmp_path / "case.json").write_text(
        json.dumps({"kind": "find", "env": {"TMPDIR": "/nonexistent"}, "cwd": "/"}) + "\n"
    )
    program = "import os; from pisces.ide.process_tree import process_tree; print(process_tree(os.environ).ide.pid)"
    theirs = f"{shlex.join(oracle_command())} < {shlex.quote(str(tmp_path / 'case.json'))}"
    line = f"{theirs}; {shlex.join([sys.executable, '-c', program])}"
    chain = f"exec -a -bash bash -c {shlex.quote(f'sh -c {shlex.quote(line)}; :')}"
    printed = subprocess.check_output(["bash", "-c", chain], text=True, timeout=60).splitlines()
    assert json.loads(printed[0])["pid"] == int(printed[1])


# ---- which editor it is

SIGNS = [
    ("TERM_PROGRAM", "vscode"),
    ("TERM_PROGRAM", "sublime"),
    ("TERM_PROGRAM", "Zed"),
    ("TERM_PROGRAM", "iTerm.app"),
    ("ZED_SESSION_ID", "1"),
    ("XCODE_VERSION_ACTUAL", "1500"),
    ("TERMINAL_EMULATOR", "JetBrains-JediTerm"),
    ("ANTIGRAVITY_CLI_ALIAS", "agy"),
    ("__COG_BASHRC_SOURCED", "1"),
    ("REPLIT_USER", "me"),
    ("CURSOR_TRACE_ID", "x"),
    ("CODESPACES", "true"),
    ("EDITOR_IN_CLOUD_SHELL", "1"),
    ("CLOUD_SHELL", "1"),
    ("TERM_PRODUCT", "Trae"),
    ("TERM_PRODUCT", "trae"),
    ("MONOSPACE_ENV", "1"),
    ("POSITRON", "1"),
    ("POSITRON", "0"),
]
COMMANDS = [
    "/opt/idea/bin/idea",
    "/opt/WebStorm",
    "pycharm",
    "GoLand",
    "/opt/android-studio/x",
    "clion",
    "rustrover",
    "datagrip",
]
COMMANDS += ["phpstorm", "/usr/share/code/code", "/opt/windsurf/windsurf", "jetbrains-gateway"]


def test_editors_have_the_same_names(gemini: Oracle, tmp_path: Path) -> None:
    random = Random(11)
    started = [subprocess.Popen([name, "300"], executable="/bin/sleep") for name in COMMANDS]
    try:
        seen = set()
        cases = [[sign] for sign in SIGNS] + [random.sample(SIGNS, random.randint(0, 4)) for _ in range(30)]
        cases += [[("TERMINAL_EMULATOR", "JetBrains")], [("TERM_PROGRAM", "vscode")]] * len(COMMANDS)
        for number, case in enumerate(cases):
            pid = started[number // 2 % len(started)].pid
            env = {**dict(case), "GEMINI_CLI_IDE_PID": str(pid), "TMPDIR": str(tmp_path)}
            theirs = gemini.ask(kind="find", env=env, cwd=str(tmp_path))["ide"]
            ours = detected(env, process_tree(env).ide.command)
            assert (ours and {"name": ours.name, "displayName": ours.display_name}) == theirs, (env, COMMANDS)
            seen.add(ours.name if ours else "")
        assert len(seen) > 20
    finally:
        for each in started:
            each.kill()
            each.wait()
