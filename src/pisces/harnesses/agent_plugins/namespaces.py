"""The folders and manifest entries of Agent Plugins that belong to one client, by the namespace that the client claims.

GitHub Copilot and VS Code: documentation, November 2026. OpenHands: its source, autumn 2026. Codex reads nothing but
the manifest's entry: source, August 2026. A folder of another namespace stays unread, and that is reported.
"""

from __future__ import annotations

from pisces.discovery.harness import Look
from pisces.discovery.options import ContextWalk, FlatHooks, GroupedHooks, MarkdownAgents, MarkdownCommands

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.harness import FinderOptions, Looks

_PREFIX = "{package}:"
_COMMANDS = MarkdownCommands(dialect="claude", prefix=_PREFIX, lenient=True)
_AGENTS = MarkdownAgents(needs=(), name_from="file", prefix=_PREFIX, lenient=True)
OURS = "dev.pisces"  # what converting puts there, and pisces reads
_HOOK_FILE = "hooks/hooks.json"

# By namespace: kind of component, place below the namespace's folder, and how it is read.
_READ: dict[str, tuple[tuple[str, str, FinderOptions], ...]] = {
    "com.github.copilot": (
        ("commands", "commands", _COMMANDS),
        ("subagents", "agents", _AGENTS.replace(needs=("description",), suffixes=(".agent.md",))),
        ("hooks", _HOOK_FILE, FlatHooks(None, ("bash", "command", "powershell"), groups=True, dialect="copilot")),
        ("context-files", "", ContextWalk(("rules/*",), (".instructions.md",))),
    ),
    "dev.openhands": (
        ("commands", "commands", _COMMANDS),
        ("subagents", "agents", _AGENTS),
        ("hooks", _HOOK_FILE, GroupedHooks(dialect="claude")),
    ),
    "com.openai": (),
    OURS: (
        ("commands", "commands", _COMMANDS),
        ("subagents", "agents", _AGENTS),
        ("hooks", _HOOK_FILE, GroupedHooks(dialect="claude")),
    ),
}
NAMESPACES = tuple(_READ)


def namespace_looks() -> Looks:
    """By capability, where the clients look."""
    kinds = dict.fromkeys(kind for read in _READ.values() for kind, _, _ in read)
    return {kind: lambda kind=kind: _looks(kind) for kind in kinds}  # type: ignore[misc]  # bound early


def _looks(kind: str) -> tuple[Look, ...]:
    return tuple(
        Look(options, f"package:{namespace}/{inside}".rstrip("/"))
        for namespace, read in _READ.items()
        for each, inside, options in read
        if each == kind
    )
