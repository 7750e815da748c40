"""A Markdown command in a workspace of its own, and a gate that remembers what it was asked."""

from __future__ import annotations

import os
from pathlib import Path

from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.prompt_file import expanded_prompt
from pisces.places import Places
from pisces.shapes.command import Command
from pisces.shapes.prompt import Prompt
from pisces.shapes.request import Request
from pisces.shapes.verdict import ALLOW, DENY, Judged
from tests.gates.judges import judged


class Workspace:
    """`asked` are the lines that the gate saw; lines that hold `denied` are denied."""

    def __init__(self, folder: Path, denied: str = "\0") -> None:
        self.folder = folder
        self.denied = denied
        self.asked: list[str] = []

    def file(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def run(self, dialect: str, text: str, args: str = "", *, name: str = "commands/do.md") -> Prompt:
        path = self.file(name, text)
        return self.prompt(Command("do", "do", "", str(path), dialect, {}), args)

    def prompt(self, command: Command, args: str) -> Prompt:
        env = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        places = Places(str(self.folder.parent / "home"), str(self.folder), env)
        raw = f"/{command.final_name} {args}".strip()
        return expanded_prompt(Expansion(command, raw, args, places, self._gate))

    def _gate(self, request: Request) -> Judged:
        self.asked.append(request.exact)
        if self.denied in request.exact:
            return judged(request, DENY, "no")
        return judged(request, ALLOW)


def codes(prompt: Prompt) -> list[str]:
    return [each.code for each in prompt.diagnostics]
