"""Gemini CLI: extensions with `gemini-extension.json`, and bare skills in a skills folder."""

from __future__ import annotations

from pisces.check.header_rules import BARE, header_flaw
from pisces.check.host import Host, Part, is_program, refused_as
from pisces.discovery.finders.event_hooks import EVENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.check.subject import Subject

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


def _refusal(part: Part, subject: Subject) -> str:
    if is_program(part):
        return "it knows no executable commands; pisces does"
    told = refused_as(part, ("gemini",))
    if told is not None:
        return told
    if part.kind == "skills" and (not subject.formats or BARE & set(subject.formats)):
        return header_flaw(part, subject, needs=("name", "description"))
    if "gemini" not in subject.formats:
        return "there is no gemini-extension.json" if subject.formats else "it reads other files"
    if part.kind == "hooks" and part.path == subject.inside("hooks", "hooks.json"):
        return "the definition is not understood" if part.name in EVENTS else f"it has no event `{part.name}`"
    return _WHERE.get(part.kind, "it reads none of these")


HOST = Host("gemini", "Gemini CLI", ("gemini", *BARE), _refusal)
