"""The answer to `initialize`. It is the same whatever is found here, so that it needs no host and comes at once."""

from __future__ import annotations

from pisces import __version__
from pisces.serving.choices import AGENTS, COMMANDS, CONTEXT, SKILLS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.serving.choices import ServeChoices

NAME = "pisces"  # as which we know ourselves again
VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")  # the first is what others get
INSTRUCTIONS = (
    "Tools, skills and prompts that pisces found for this workspace. The user's rules and hooks judge every call. "
    "A refused call returns an error that says who refused it and why: do not try the same by other means."
)
_SKILLS = " If there is a tool `activate_skill`, call it before a task that one of its skills is meant for."


def greeting(params: Any, choices: ServeChoices) -> dict[str, Any]:
    wanted = params.get("protocolVersion") if isinstance(params, dict) else None
    capabilities: dict[str, Any] = {"logging": {}, "tools": {"listChanged": True}}
    if choices.has(COMMANDS):
        capabilities["prompts"] = {"listChanged": True}
    if choices.has(SKILLS, AGENTS, CONTEXT):
        capabilities["resources"] = {}
    if choices.has(COMMANDS, SKILLS):
        capabilities["completions"] = {}
    return {
        "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
        "capabilities": capabilities,
        "serverInfo": {"name": NAME, "version": __version__},
        "instructions": INSTRUCTIONS + (_SKILLS if choices.has(SKILLS) else ""),
    }
