"""What the real Gemini CLI makes of converted extensions, through the oracle beside the corpus, in a throwaway home."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conformance.corpus import corpus_folder
from tests.conformance.workspaces.asking import command_line
from tests.peer_programs import GEMINI

ORACLE = corpus_folder().parent / "oracle" / "extension-verdicts.mjs"
SECONDS = 300
FAULTS = ("warn", "error")
EXPECTED = "has missing settings"  # of every extension that asks for some, before anybody was asked


def why_missing() -> str:
    if not GEMINI.is_dir():
        return "needs Gemini CLI: ./scripts/test, or PISCES_PEERS"
    return "" if ORACLE.is_file() else "needs oracle/extension-verdicts.mjs beside PISCES_CORPUS"


@dataclass(frozen=True)
class GeminiView:
    """`agents` are headers by name, `skills` and `commands` the files that loaded; `errors` are all complaints."""

    verdict: dict[str, Any]

    @property
    def extension(self) -> dict[str, Any]:
        found: dict[str, Any] = self.verdict.get("extension") or {}
        return found

    @property
    def agents(self) -> dict[str, dict[str, Any]]:
        return {each["name"]: each for each in self.extension.get("agents") or ()}

    @property
    def skill_files(self) -> set[str]:
        inside = "/.gemini/extensions/"
        found = (each["location"] for each in self.extension.get("skills") or ())
        return {each.partition(inside)[2].partition("/")[2] for each in found}

    @property
    def skill_names(self) -> list[str]:
        return [each["name"] for each in self.extension.get("skills") or ()]

    @property
    def command_files(self) -> set[str]:
        return {each["file"] for each in self.verdict.get("commands") or () if each.get("file")}

    @property
    def command_names(self) -> list[str]:
        return [each["name"] for each in self.verdict.get("commands") or ()]

    @property
    def hooks(self) -> list[dict[str, Any]]:
        return list(self.verdict.get("hooks") or ())

    @property
    def servers(self) -> dict[str, dict[str, Any]]:
        return dict(self.extension.get("mcpServers") or {})

    @property
    def settings(self) -> list[dict[str, Any]]:
        return list(self.extension.get("settings") or ())

    @property
    def errors(self) -> list[str]:
        found = [self.verdict[key] for key in ("install_error", "driver_error") if self.verdict.get(key)]
        for part in ("install", "command", "hook", "tail"):
            found += [text for level, text in self.verdict.get(f"{part}_log") or () if level in FAULTS]
            found += [" ".join(filter(None, each[1:])) for each in self.verdict.get(f"{part}_feedback") or ()]
        found += [each["message"] for each in (self.verdict.get("agents") or {}).get("errors", ())]
        found += [
            f"{each['name']}: {each['expand_error']}"
            for each in self.verdict.get("commands") or ()
            if "expand_error" in each
        ]
        return [each for each in found if EXPECTED not in each]


def gemini_view(extension: Path, scratch: Path) -> GeminiView:
    answer = scratch / "verdict.jsonl"
    env = {"PATH": os.environ["PATH"], "HOME": str(scratch), "LANG": "C.UTF-8", "GEMINI_PKG": str(GEMINI)}
    argv = command_line(["node", ORACLE, answer, extension])
    subprocess.run(
        argv, env=env, cwd=scratch, capture_output=True, timeout=SECONDS, check=True, stdin=subprocess.DEVNULL
    )
    return GeminiView(json.loads(answer.read_text("utf-8")))
