"""What the real Gemini CLI 0.61.0 loads in a workspace."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from tests.conformance.workspaces.asking import said
from tests.conformance.workspaces.workspace import Verdict, Workspace
from tests.peer_programs import GEMINI

SCRIPT = Path(__file__).with_name("gemini_oracle.mjs")
KINDS = ("packages", "commands", "skills", "subagents", "mcp-servers", "hooks", "context-files", "policies")


def why_missing() -> str:
    if shutil.which("node") is None:
        return "needs node"
    if not (GEMINI / "package.json").is_file():
        return "needs the real Gemini CLI: npm install --prefix .peers @google/gemini-cli@0.61.0, or PISCES_PEERS"
    return ""


class Gemini:
    """`scratch` is an empty folder: the program's main file is copied there with one more export."""

    kinds = KINDS

    def __init__(self, scratch: Path) -> None:
        self._scratch = scratch
        subprocess.run(["node", SCRIPT, "prepare", GEMINI, scratch], check=True, timeout=60)

    def verdict(self, workspace: Workspace) -> Verdict:
        ran = said(["node", SCRIPT, "ask", self._scratch], workspace, GEMINI_API_KEY="none")
        answer = json.loads(ran.stdout or json.dumps({"refused": ran.stderr}))
        if "refused" in answer:
            return {"refused": [(answer["refused"], None, "refused")]}
        return {kind: [(name, path, state) for name, path, state in answer[kind]] for kind in KINDS}
