"""Prompt files expanded twice: by an installed Gemini CLI, and by us."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.prompt_file import expanded_prompt
from pisces.diagnostics import PiscesError
from pisces.places import Places
from pisces.shapes.command import Command
from pisces.shapes.prompt import TEXT, Part
from tests.conformance.test_gemini_differential import GEMINI
from tests.gates.judges import deciding

ORACLE = Path(__file__).with_name("expansion_oracle.mjs")
_START, _END = "--- Start of content for directory: ", "--- End of content for directory: "

Told = dict[str, Any]
Compared = tuple[dict[str, str], Told, Told]


class Bench:
    """Cases are added by topic and then asked about together: starting Node takes longer than answering."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home / ".gemini" / "commands"
        self.folder.mkdir(parents=True)
        self.cases: list[dict[str, str]] = []

    def add(self, topic: str, workspace: Path, prompt: str, args: str = "") -> None:
        name = f"c{len(self.cases)}"
        (self.folder / f"{name}.toml").write_text(f"prompt = {json.dumps(prompt)}\n", encoding="utf-8")
        raw = f"/{name} {args}" if args else f"/{name}"
        self.cases.append({"topic": topic, "command": name, "args": args, "raw": raw, "workspace": str(workspace)})

    def compared(self) -> list[Compared]:
        """Each case with our answer and theirs."""
        return list(zip(self.cases, map(_in_order, map(self._ours, self.cases)), self._theirs(), strict=True))

    def _theirs(self) -> list[Told]:
        listed = self.home / "cases.json"
        listed.write_text(json.dumps(self.cases), encoding="utf-8")
        command = ["node", str(ORACLE), str(GEMINI), str(self.home), str(listed)]
        answers = self.home / "answers.jsonl"
        with answers.open("wb") as file:  # a pipe may take less than a line at a time
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=file, check=True, timeout=120)
        return [_in_order(json.loads(line)) for line in answers.read_text("utf-8").strip().split("\n")]

    def _ours(self, case: dict[str, str]) -> Told:
        command = Command(case["command"], case["command"], "", str(self._file(case)), "gemini", {})
        places = Places(str(self.home), case["workspace"], dict(os.environ))
        try:
            prompt = expanded_prompt(Expansion(command, case["raw"], case["args"], places, deciding(lambda _: True)))
        except PiscesError as error:
            return {"error": error.diagnostic.code}
        codes = [diagnostic.code for diagnostic in prompt.diagnostics]
        told = [{"prompt-file-missing": "error", "prompt-file-ignored": "info"}.get(code, "") for code in codes]
        return {"parts": [_shown(part) for part in prompt.parts], "told": list(filter(None, told))}

    def _file(self, case: dict[str, str]) -> Path:
        return self.folder / f"{case['command']}.toml"


def _shown(part: Part) -> dict[str, str]:
    if part.mime == TEXT:
        return {"text": part.text}
    return {"mime": part.mime, "data": base64.b64encode(part.data).decode()}


def _in_order(told: Told) -> Told:
    """Gemini CLI lists the files of a folder as they come from the disk, so both are sorted."""
    if "error" in told:
        unclosed = "Unclosed injection" in told["error"] or told["error"].startswith("command-")
        return {"error": "unclosed" if unclosed else told["error"]}
    parts = list(told["parts"])
    starts = [at for at, part in enumerate(parts) if part.get("text", "").startswith(_START)]
    ends = [at for at, part in enumerate(parts) if part.get("text", "").startswith(_END)]
    for start, end in zip(starts, ends, strict=True):
        blocks = sorted(_blocks(parts[start + 1 : end]), key=str)
        parts[start + 1 : end] = [part for block in blocks for part in block]
    return {**told, "parts": parts}


def _blocks(parts: list[dict[str, str]]) -> Iterator[list[dict[str, str]]]:
    """A heading, the content and a line end; of a file that is skipped, the heading alone."""
    while parts:
        size = 1 if parts[0]["text"].startswith("--- Skipped ") else 3
        yield parts[:size]
        parts = parts[size:]


def difference(case: dict[str, str], ours: Told, theirs: Told) -> str:
    """The first part that differs, or all where there are none to compare."""
    for us, they in zip(ours.get("parts", []), theirs.get("parts", []), strict=False):
        if us != they:
            return f"{case}\n  ours:   {us}\n  theirs: {they}"
    return f"{case}\n  ours:   {ours}\n  theirs: {theirs}"
