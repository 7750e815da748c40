"""Claude Code: plugins with `.claude-plugin/plugin.json`, and bare skills in a skills folder."""

from __future__ import annotations

from pisces.checking.acceptance import Acceptance, CheckedPart, refused_as
from pisces.checking.subject import Subject
from pisces.harnesses.claude.manifest_shape import VERSION
from pisces.harnesses.claude.refusals import plugin_refusals

_WHERE = {
    "commands": "it reads `.md` files below `commands/` only",
    "policies": "it has no policy files",
    "context-files": "plugins bring no context files",
    "mcp-servers": "it reads the servers in `.mcp.json` or its own manifest only",
    "settings": "it reads `userConfig` in its own manifest only",
    "themes": "it reads themes of its own",
    "hooks": "it reads `hooks/hooks.json` and what its own manifest names, and has events of its own",
}


def _refusal(part: CheckedPart, subject: Subject) -> str:
    verdict = refused_as(part, ("claude-plugin", "claude"))
    if verdict is not None:
        return verdict
    if part.kind == "skills" and subject.is_bare:
        return ""  # no field is required, and an invalid YAML header is repaired
    if "claude-plugin" not in subject.formats:
        return "there is no .claude-plugin/plugin.json" if subject.formats else "it reads other files"
    return _WHERE.get(part.kind, "it looks elsewhere")


def _whole(subject: Subject) -> str:
    if "claude-plugin" not in subject.formats:
        return ""
    manifest = subject.manifest("claude-plugin")
    refusals = plugin_refusals(subject.folder, manifest[1] if manifest else {})
    return next((refusal.message for _, refusal in refusals), "")


ACCEPTANCE = Acceptance(("claude-plugin",), _refusal, whole=_whole, version=VERSION)
