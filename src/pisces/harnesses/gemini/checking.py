"""Gemini CLI: extensions with `gemini-extension.json`, and bare skills in a skills folder."""

from __future__ import annotations

import os

from pisces.checking.acceptance import Acceptance, CheckedPart, is_program, refused_as
from pisces.checking.header_rules import header_flaw
from pisces.checking.subject import Subject
from pisces.diagnostics import Diagnostic
from pisces.discovery.finders.event_hooks import EVENTS
from pisces.harnesses.gemini.manifest import FILE, MANIFEST_MISSING

_FOLDERS = ("commands", "agents", "hooks", "policies")
_WHERE = {
    "commands": "it reads `.toml` files below `commands/` only",
    "skills": "it reads `skills/SKILL.md` and `skills/NAME/SKILL.md` only",
    "subagents": "it reads `.md` files directly in `agents/` only",
    "hooks": "it reads `hooks/hooks.json` only",
    "mcp-servers": "it reads the servers in its own manifest only",
    "settings": "it reads the settings in its own manifest only",
    "context-files": "it reads GEMINI.md, or what `contextFileName` names",
    "themes": "it reads the themes in its own manifest only",
}


def _refusal(part: CheckedPart, subject: Subject) -> str:
    if is_program(part):
        return "it knows no executable commands; pisces does"
    verdict = refused_as(part, ("gemini",))
    if verdict is not None:
        return verdict
    if part.kind == "skills" and (not subject.formats or subject.is_bare):
        return header_flaw(part, subject, needs=("name", "description"))
    if "gemini" not in subject.formats:
        return "there is no gemini-extension.json" if subject.formats else "it reads other files"
    if part.kind == "hooks" and part.path == subject.inside("hooks", "hooks.json"):
        return "the definition is not understood" if part.name in EVENTS else f"it has no event `{part.name}`"
    return _WHERE.get(part.kind, "it reads none of these")


def _without_manifest(folder: str) -> Diagnostic | None:
    if not any(os.path.isdir(os.path.join(folder, name)) for name in _FOLDERS):
        return None
    message = "there is no manifest, so nothing in this folder is loaded as an extension"
    return MANIFEST_MISSING.at(os.path.join(folder, FILE), message, about=os.path.basename(folder))


ACCEPTANCE = Acceptance(("gemini",), _refusal, without_manifest=_without_manifest)
