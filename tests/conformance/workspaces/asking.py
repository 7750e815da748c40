"""Starting other people's programs: without a network where possible, with a throwaway home, bounded in time."""

from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from tests.conformance.workspaces.workspace import Workspace

T = TypeVar("T")
R = TypeVar("R")

SECONDS = 120


@functools.cache
def cut_off() -> list[str]:
    """What starts a program without a network; nothing where the system does not let us."""
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-rn", "true"], capture_output=True, check=False).returncode:
        return []
    return [unshare, "-rn"]


def command_line(argv: Sequence[str | Path]) -> list[str]:
    return [*cut_off(), *map(str, argv)]


def environment(workspace: Workspace, **env: str) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(workspace.home), "LANG": "C.UTF-8", **env, **workspace.env}


def said(argv: Sequence[str | Path], workspace: Workspace, **env: str) -> subprocess.CompletedProcess[str]:
    """What a program says in a workspace, whatever its status. Into a file: some end before a pipe is empty."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as output:
        ran = subprocess.run(
            command_line(argv),
            cwd=workspace.folder,
            env=environment(workspace, **env),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        output.seek(0)
        ran.stdout = output.read()
        return ran


def answers(
    argv: Sequence[str | Path], questions: Iterable[dict[str, Any]], workspace: Workspace, **env: str
) -> Generator[dict[str, Any], None, None]:
    """What a program answers to lines of JSON, line by line. It is ended when the caller has heard enough."""
    process = subprocess.Popen(
        command_line(argv),
        cwd=workspace.folder,
        env=environment(workspace, **env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    timer = threading.Timer(SECONDS, process.kill)
    timer.start()
    assert process.stdin
    assert process.stdout
    try:
        process.stdin.write("".join(json.dumps(each) + "\n" for each in questions))
        process.stdin.flush()
        yield from map(json.loads, process.stdout)
    finally:
        process.terminate()
        timer.cancel()
        with process:
            pass  # closes its pipes and waits for its end


def at_once(ask: Callable[[T], R], many: Iterable[T]) -> list[R]:
    """Answers in the order of the questions; as many at a time as there are processors."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(ask, many))
