"""One line for the shell, run to its end: what it wrote, without what only terminals understand, and how it ended.

Gemini CLI's shell is used: `bash` (`sh` where there is none), PowerShell on Windows. No line may ask for input.
"""

from __future__ import annotations

import os
import shutil
import signal

from pisces.commands.prompts.shell_quoting import BASH, POWERSHELL
from pisces.formats.js_text import trimmed
from pisces.processes.clean import cleaned
from pisces.processes.environment import child_env, search_path
from pisces.processes.launch import Launch, Limits
from pisces.processes.run import captured
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

LIMITS = Limits(seconds=600, output=16 * 1024 * 1024)
_QUIET = {"PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0", "TERM": "xterm-256color"}
_BINARY_SHOWS = 512  # a NUL among so many bytes, and the output is not text


class Shell(Value):
    """`kind` says how words are quoted for it; a line is the last argument."""

    kind: str
    argv: tuple[str, ...]


class ShellOutput(Value):
    """`reason` is set where we ended the line, `failure` where it could not be started; `signal` is a number."""

    text: str = ""
    code: int | None = None
    signal: int = 0
    reason: str = ""
    failure: str = ""

    def reported(self, line: str) -> str:
        """What of it becomes text of a prompt, in the words of Gemini CLI, which others took over."""
        if self.reason:
            return f"{self.text}\n[Shell command '{line}' aborted]"
        if self.code:
            return f"{self.text}\n[Shell command '{line}' exited with code {self.code}]"
        if self.signal:
            return f"{self.text}\n[Shell command '{line}' terminated by signal {self.signal}]"
        return self.text


def user_shell(env: Mapping[str, str]) -> Shell:
    path = search_path(env.get("PATH") or os.defpath)
    if os.name == "nt":
        program = shutil.which("pwsh", path=path) or "powershell.exe"
        return Shell(POWERSHELL, (program, "-NoProfile", "-NonInteractive", "-Command"))
    return Shell(BASH, (shutil.which("bash", path=path) or "/bin/sh", "-c"))


def shell_output(
    line: str,
    cwd: str,
    env: Mapping[str, str],
    limits: Limits = LIMITS,
    fence: Callable[[Launch], Launch] | None = None,
) -> ShellOutput:
    argv = (*user_shell(env).argv, line)
    launch = Launch(argv, cwd, {**child_env(env, {}), **_QUIET}, limits, merged=True)
    data, _, ended = captured(fence(launch) if fence else launch)
    number = signal.Signals[ended.signal].value if ended.signal in signal.Signals.__members__ else 0
    return ShellOutput(_text(data), ended.code, number, ended.reason, ended.failure)


def _text(data: bytes) -> str:
    return "" if b"\0" in data[:_BINARY_SHOWS] else trimmed(cleaned(data))
