"""What `shell` does: starts the line, shows its output while it comes, and says how it ended."""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import sys
from typing import TYPE_CHECKING, Any

from pisces.processes.ended import TIMEOUT, TOO_MUCH_OUTPUT
from pisces.processes.environment import child_env, search_path
from pisces.processes.launch import Launch, Limits, Terminal
from pisces.processes.process import run
from pisces.shapes.tool import ToolFailed
from pisces.tools.command_output import CommandOutput
from pisces.tools.named_path import failed, path_of
from pisces.tools.workbench import text_result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.processes.ended import Ended
    from pisces.shapes.tool import ToolContext
    from pisces.tools.workbench import Workbench

_SECONDS = 120.0
_MOST_OUTPUT = 256 << 20  # bytes; `yes` would fill the disk
_MOST_PROCESSES = 2000
_QUIET = {"PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0"}  # nobody can answer
_TERMINAL = Terminal(24, 120)
_PAUSES = (0.1, 0.5)  # seconds between two updates, in the first ten seconds and later
_EARLY = 10.0


async def run_line(bench: Workbench, given: Mapping[str, Any], context: ToolContext | None) -> dict[str, Any]:
    launch = _launch(bench, given)
    output = CommandOutput()
    updates = _Updates(context, output)

    def take(_name: str, chunk: bytes) -> None:
        output.add(chunk)
        updates.soon()

    try:
        ended = await run(launch, take)
    finally:
        updates.stop()
        output.close()
    if ended.failure:
        raise ToolFailed(f"the shell cannot be started: {ended.failure}")
    return _result(output, ended, launch.limits.seconds)


def _launch(bench: Workbench, given: Mapping[str, Any]) -> Launch:
    folder = path_of(bench, given.get("cwd", ""))
    if "\0" in folder + given["command"]:
        raise ToolFailed("no command line has a NUL in it")
    if not os.path.isdir(folder):
        raise failed(given.get("cwd", "."), NotADirectoryError(20, "there is no such folder"), folder)
    is_tty = given.get("tty") is True
    if is_tty and sys.platform == "win32":
        raise ToolFailed("there are no terminals for commands on this system: leave `tty` out")
    env = {**child_env(bench.places.env, {}), **_QUIET, "TERM": "xterm-256color" if is_tty else "dumb"}
    limits = Limits(given.get("timeout", _SECONDS), _MOST_OUTPUT, _MOST_PROCESSES)
    argv = (*_shell(bench.places.env), _line(given["command"], bench.env_files()))
    terminal = _TERMINAL if is_tty else None
    return Launch(argv, folder, env, limits, merged=True, terminal=terminal, is_brief=True)


def _shell(env: Mapping[str, str]) -> tuple[str, ...]:
    path = search_path(env.get("PATH") or os.defpath)
    if sys.platform == "win32":
        return (shutil.which("pwsh", path=path) or "powershell.exe", "-NoProfile", "-NonInteractive", "-Command")
    return (shutil.which("bash", path=path) or "/bin/sh", "-c")


def _line(command: str, env_files: Sequence[str]) -> str:
    """Files with variables of hooks are sourced first, each if it is there."""
    sourced = (f"[ -r {shlex.quote(each)} ] && . {shlex.quote(each)}" for each in env_files)
    return "\n".join((*sourced, command))


class _Updates:
    """Shows the end of the output to the screen, a few times a second."""

    def __init__(self, context: ToolContext | None, output: CommandOutput) -> None:
        self._context, self._output = context, output
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._timer: asyncio.TimerHandle | None = None

    def soon(self) -> None:
        if self._context is not None and self._timer is None:
            pause = _PAUSES[self._loop.time() - self._began > _EARLY]
            self._timer = self._loop.call_later(pause, self._show)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _show(self) -> None:
        self._timer = None
        if self._context is not None:
            self._context.update(text_result(self._output.end, bytes=self._output.size))


def _result(output: CommandOutput, ended: Ended, seconds: float) -> dict[str, Any]:
    text = "\n".join(filter(None, (output.text.rstrip("\n"), _how(ended, seconds))))
    details = {
        "code": ended.code,
        "signal": ended.signal,
        "reason": ended.reason,
        "seconds": round(ended.seconds, 3),
        "bytes": output.size,
        "cut": output.is_cut,
        "file": output.path,
    }
    return {**text_result(text or "[no output]", **details), "is_error": ended.code != 0 or bool(ended.reason)}


def _how(ended: Ended, seconds: float) -> str:
    if ended.reason == TIMEOUT:
        return f"[ended after {seconds:g} s: give a longer `timeout` if it needs one]"
    if ended.reason == TOO_MUCH_OUTPUT:
        return "[ended: it wrote too much output]"
    if ended.reason:
        return f"[ended: {ended.reason}]"
    if ended.signal:
        return f"[killed by {ended.signal}]"
    return f"[exit code {ended.code}]" if ended.code else ""
