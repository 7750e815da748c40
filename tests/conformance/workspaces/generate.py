"""Writes made-up workspaces, to look at one or to try a program in it by hand.

    python -m tests.conformance.workspaces.generate PROGRAM FOLDER COUNT [FIRST]

PROGRAM is gemini, claude, codex or opencode, or one of them as in odd-gemini.
A line for each: where to start the program, its environment, what is odd.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from tests.conformance.workspaces.claude_workspaces import claude_workspace
from tests.conformance.workspaces.codex_workspaces import codex_workspace
from tests.conformance.workspaces.gemini_workspaces import gemini_workspace
from tests.conformance.workspaces.odd_workspaces import (
    odd_claude_workspace,
    odd_codex_workspace,
    odd_gemini_workspace,
    odd_opencode_workspace,
)
from tests.conformance.workspaces.opencode_workspaces import opencode_workspace
from tests.conformance.workspaces.workspace import Workspace

WRITERS: dict[str, Callable[[int, Path], Workspace]] = {
    "gemini": gemini_workspace,
    "claude": claude_workspace,
    "codex": codex_workspace,
    "opencode": opencode_workspace,
    "odd-gemini": odd_gemini_workspace,
    "odd-claude": odd_claude_workspace,
    "odd-codex": odd_codex_workspace,
    "odd-opencode": odd_opencode_workspace,
}


def main(program: str, folder: str, count: str, first: str = "0") -> None:
    for seed in range(int(first), int(first) + int(count)):
        workspace = WRITERS[program](seed, Path(folder).resolve())
        env = " ".join(f"{name}={value}" for name, value in {"HOME": workspace.home, **workspace.env}.items())
        print(f"cd {workspace.folder} && env {env}  # {', '.join(dict.fromkeys(workspace.traits))}")


if __name__ == "__main__":
    main(*sys.argv[1:])
