"""Names inside texts: what a package calls its agents, skills and commands, and the tools that it speaks of.

Every change comes from a table of names that really exist. A short name such as `Read` is a tool only where the text
marks it as one. Code in fences is not prose: there nothing is renamed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pisces.converting.prompt_text import PromptText
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pisces.converting.prompt_text import Part

_FENCE = re.compile(r"^[ \t>]*(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})(?P<rest>[^\n]*)", re.MULTILINE)
_NAME = r"[\w-]+(?>(?::[\w-]+)*)"
_MENTION = re.compile(rf"(?<![\w@.])@agent-(?P<name>{_NAME})")
_SUBAGENT = re.compile(rf"(?P<start>subagent_type[\"'`]?\s*[:=]\s*[\"'`]?)(?P<name>{_NAME})")
_TICKED_SLASH = re.compile(rf"(?<=`)/(?P<name>{_NAME})(?=[`\s])")
_SERVER_TOOL = re.compile(r"(?<!\w)mcp__[\w.-]+(?:\*|(?<=[\w-]))")
_INNER_CAPITAL = re.compile(r"[a-z][A-Z]")


class References(Value):
    """What names are called in the target. Keys are as the source spells them without the name of the `package`.

    `slashes` has what is typed behind a `/`: commands, and skills that users start. The target has `mark` instead of
    the `/`. `server_tool` answers with nothing for a tool that it does not know.
    """

    package: str = ""
    agents: Mapping[str, str] = EMPTY
    skills: Mapping[str, str] = EMPTY
    slashes: Mapping[str, str] = EMPTY
    tools: Mapping[str, str] = EMPTY
    server_tool: Callable[[str], str | None] = lambda _tool: None
    mark: str = "/"

    def in_prompt(self, prompt: PromptText) -> PromptText:
        """Only text changes, never a place in it."""
        parts: list[Part] = []
        fence, line_start = "", True
        for part in prompt.parts:
            if isinstance(part, str):
                segments = list(_segments(part, fence, line_start))
                parts.append("".join(text if code else self.in_prose(text) for text, code in segments))
                fence, line_start = segments[-1][1], part.endswith("\n")
            else:
                parts.append(part)
                line_start = False
        return PromptText(tuple(parts))

    def in_prose(self, text: str) -> str:
        if self.package and f"{self.package}:" in text:
            text = _qualified(self.package).sub(self._qualified_name, text)
        if "@agent-" in text:
            text = _MENTION.sub(lambda found: _with("@", self.agents.get(found["name"]), found), text)
        if "subagent_type" in text:
            text = _SUBAGENT.sub(lambda found: _with(found["start"], self.agents.get(found["name"]), found), text)
        if "`/" in text:
            text = _TICKED_SLASH.sub(lambda found: _with(self.mark, self.slashes.get(found["name"]), found), text)
        if "mcp__" in text:
            text = _SERVER_TOOL.sub(lambda found: self.server_tool(found[0]) or found[0], text)
        return _tools(tuple(self.tools)).sub(lambda found: self.tools[found[0]], text) if self.tools else text

    def _qualified_name(self, found: re.Match[str]) -> str:
        mark, name = found["mark"], found["name"]
        if mark == "/":
            return _with(self.mark, self.slashes.get(name), found)
        if mark:
            return _with("@", self.agents.get(name), found)
        return self.agents.get(name) or self.skills.get(name) or self.slashes.get(name) or found[0]


def _with(start: str, name: str | None, found: re.Match[str]) -> str:
    return f"{start}{name}" if name else found[0]


def _qualified(package: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w:./@-])(?P<mark>/|@agent-|@|){re.escape(package)}:(?P<name>{_NAME})")


@lru_cache
def _tools(names: tuple[str, ...]) -> re.Pattern[str]:
    """`TodoWrite` is a tool wherever it stands, `Read` between backticks or before the word tool."""
    long = "|".join(re.escape(name) for name in names if _INNER_CAPITAL.search(name)) or "(?!)"
    short = "|".join(re.escape(name) for name in names if not _INNER_CAPITAL.search(name)) or "(?!)"
    return re.compile(rf"(?<![\w./:-])(?:(?:{long})(?![\w/-])|(?<=`)(?:{short})(?=`)|(?:{short})(?=`?\s+tools?\b))")


def _segments(text: str, fence: str, line_start: bool) -> Iterator[tuple[str, str]]:
    """Pieces of a text, each with the fence that it stands in; empty in prose. The lines of a fence belong to it."""
    last = 0
    for found in _FENCE.finditer(text):
        if found.start() == 0 and not line_start:
            continue
        mark = found["fence"]
        if not fence:
            yield text[last : found.start()], ""
            fence, last = mark, found.start()
        elif mark.startswith(fence) and not found["rest"].strip():
            yield text[last : found.end()], fence
            fence, last = "", found.end()
    yield text[last:], fence
