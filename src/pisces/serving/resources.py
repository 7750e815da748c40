"""Files of skills, subagents and the workspace's instructions as resources. An address leads to what is listed only.

A file of a skill is read where its skill may be activated: the gates are asked about that.
"""

from __future__ import annotations

import base64
import mimetypes
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from pisces.diagnostics import PiscesError
from pisces.discovery.containment import stays_inside
from pisces.files import Unreadable, read_bytes
from pisces.ide.companion import rpc
from pisces.instructions.activated_skill import activated
from pisces.instructions.part import CONTEXT as CONTEXT_PART
from pisces.serving.choices import AGENTS, CONTEXT
from pisces.serving.tools import skills_offered
from pisces.serving.wire import NO_RESOURCE, REFUSED
from pisces.shapes.events.tools import ToolCall
from pisces.tools.activate_skill import NAME as ACTIVATE_SKILL

if TYPE_CHECKING:
    from pisces.discovery.found import Found
    from pisces.host.host import Host
    from pisces.serving.choices import ServeChoices
    from pisces.shapes.skill import Skill
    from pisces.shapes.subagent import Subagent

SKILL, AGENT, INSTRUCTIONS = "skill://", "agent://", "context://instructions"
TEMPLATE = SKILL + "{name}/{+path}"
_FILE = "SKILL.md"
_MARKDOWN = "text/markdown"
_MOST = 2_000  # resources in the list; an address of any other is still read


class Resources:
    """What is listed, and what an address leads to."""

    def __init__(self, host: Host, choices: ServeChoices) -> None:
        self._host, self._choices = host, choices

    def listed(self) -> list[dict[str, Any]]:
        return [each for each, _ in zip(self._all(), range(_MOST), strict=False)]

    def templates(self) -> list[dict[str, Any]]:
        if not skills_offered(self._host, self._choices):
            return []
        return [{"uriTemplate": TEMPLATE, "name": "skill-file", "description": "A file in the folder of a skill"}]

    def _all(self) -> Iterator[dict[str, Any]]:
        """What a client should see first comes first: a list is cut where it is too long."""
        if self._choices.has(CONTEXT) and self._context():
            described = "What the context files of this workspace say to an agent"
            yield {"uri": INSTRUCTIONS, "name": "instructions", "description": described, "mimeType": _MARKDOWN}
        skills = [self._skill(name) for name in skills_offered(self._host, self._choices)]
        for each in skills:
            item = each.item
            uri = skill_uri(item.name, _FILE)
            yield {"uri": uri, "name": item.name, "description": item.description[:1000], "mimeType": _MARKDOWN}
        for agent in self._agents():
            described = agent.item.description[:1000]
            uri = f"{AGENT}{quote(agent.item.name, safe='')}"
            yield {"uri": uri, "name": agent.item.name, "description": described, "mimeType": _MARKDOWN}
        for each in skills:
            for path in _files_of(each):
                yield {"uri": skill_uri(each.item.name, path), "name": f"{each.item.name}/{path}", **_mime(path)}

    async def read(self, uri: str) -> dict[str, Any]:
        """Raises `Fault` for an address that leads to nothing, and for what a gate denies."""
        if uri == INSTRUCTIONS and self._choices.has(CONTEXT):
            return _text(uri, "\n\n".join(self._context()))
        if uri.startswith(AGENT):
            return _text(uri, self._prompt_of(uri))
        return await self._skill_file(uri)

    def completions(self, argument: str, value: str, skill: str) -> list[str]:
        names = skills_offered(self._host, self._choices)
        if argument == "name":
            return [each for each in names if each.startswith(value)]
        if argument != "path" or skill not in names:
            return []
        return [each for each in (_FILE, *_files_of(self._skill(skill))) if each.startswith(value)]

    def _context(self) -> list[str]:
        return [part.text for part in self._host.instructions if part.kind == CONTEXT_PART and not part.condition]

    def _agents(self) -> list[Found[Subagent]]:
        if not self._choices.has(AGENTS):
            return []
        return [each for each in self._host.subagents if self._choices.offers(each.item.name)]

    def _prompt_of(self, uri: str) -> str:
        name = unquote(uri.removeprefix(AGENT))
        found = next((each.item for each in self._agents() if each.item.name == name), None)
        if found is None:
            raise _missing(uri)
        return found.prompt

    def _as_named(self, name: str) -> str:
        """There are clients that write the first part of an address in small letters."""
        names = skills_offered(self._host, self._choices)
        same = [each for each in names if each.lower() == name.lower()]
        return same[0] if name not in names and len(same) == 1 else name

    def _skill(self, name: str) -> Found[Skill]:
        return self._host.skills.skills[name].found

    async def _skill_file(self, uri: str) -> dict[str, Any]:
        name, slash, path = uri.removeprefix(SKILL).partition("/")
        name, path = self._as_named(unquote(name)), unquote(path)
        if not uri.startswith(SKILL) or not slash or name not in skills_offered(self._host, self._choices):
            raise _missing(uri)
        found = self._skill(name)
        if path != _FILE and path not in _files_of(found):
            raise _missing(uri)
        call = ToolCall(ACTIVATE_SKILL, f"read-{os.urandom(6).hex()}", {"name": name})
        verdict = (await self._host.judge(call)).verdict
        if not verdict.is_allowed:
            raise rpc.Fault(REFUSED, f"Denied by {verdict.who}: {verdict.why}")
        place = found.item.path if path == _FILE else os.path.join(found.item.folder, *path.split("/"))
        return _content(uri, place, found.item.folder if path != _FILE else "")


def skill_uri(name: str, path: str) -> str:
    return f"{SKILL}{quote(name, safe='')}/{quote(path)}"


def _files_of(found: Found[Skill]) -> tuple[str, ...]:
    """As the skill itself lists them: nothing hidden, no link that leaves the folder."""
    try:
        return activated(found).resources
    except PiscesError:
        return ()


def _content(uri: str, path: str, folder: str) -> dict[str, Any]:
    """`folder` is looked at again right before the file is read: a link may have come since."""
    try:
        if folder and not stays_inside(path, folder):
            raise _missing(uri)
        data = read_bytes(path)
    except Unreadable:
        raise _missing(uri) from None
    try:
        return _text(uri, data.decode("utf-8"), **_mime(path))
    except UnicodeDecodeError:
        blob = base64.b64encode(data).decode("ascii")
        return {"contents": [{"uri": uri, "blob": blob, **_mime(path)}]}


def _text(uri: str, text: str, **fields: str) -> dict[str, Any]:
    return {"contents": [{"uri": uri, "mimeType": _MARKDOWN, "text": text, **fields}]}


def _mime(path: str) -> dict[str, str]:
    return {"mimeType": _MARKDOWN if path.endswith(".md") else mimetypes.guess_type(path)[0] or "text/plain"}


def _missing(uri: str) -> rpc.Fault:
    return rpc.Fault(NO_RESOURCE, f"there is no resource {uri[:200]!r}")
