"""One rule of Claude Code's `permissions`: `Bash(rm:*)`, `Read(./.env)`, `WebFetch(domain:x)`, `mcp__server`, `*`.

A rule that denies or asks is read liberally, one that allows to the letter (2.1.325).
"""

from __future__ import annotations

import re
from functools import lru_cache

from pisces.discovery import tool_names as to
from pisces.formats.wildcard import wildcard_matches
from pisces.gates.path_rule import PathRule
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pisces.shapes.shell_line import LineCommand

DENY, ASK, ALLOW = "deny", "ask", "allow"
YES, MAYBE, NO = "yes", "maybe", "no"

BASH, READ, EDIT, WRITE = "Bash", "Read", "Edit", "Write"
FETCH, AGENT, SKILL = "WebFetch", "Agent", "Skill"
_FORM = re.compile(r"\s*([^()\s]+)\s*(?:\((.*?)\)?)?\s*\Z", re.DOTALL)
_EXACT_FORM = re.compile(r"([^()\s]+)(?:\((.*)\))?\Z", re.DOTALL)
_KINDS = {
    to.SHELL: BASH,
    to.TYPE: BASH,
    to.READ: READ,
    to.LIST: READ,
    to.FIND: READ,
    to.SEARCH: READ,
    to.EDIT: EDIT,
    to.PATCH: EDIT,
    to.WRITE: WRITE,
    to.FETCH: FETCH,
    to.SUBAGENT: AGENT,
    to.SKILL: SKILL,
}
SEARCHES = (to.FIND, to.SEARCH, to.LIST)
_PARAMETER = re.compile(r"([A-Za-z_]\w*):\s*(.+?)\s*\Z", re.DOTALL)
_BLANKS = re.compile(r"[ \t]+")
_UNKNOWN = "\0"
_IGNORED = str.maketrans("", "", "\t\n\r")
_SCHEME = re.compile(r"\A[A-Za-z][A-Za-z0-9+.-]*:[/\\]*")
_PLAIN_ADDRESS = re.compile(r"https?://(?:[^/\\@\s?#]*@)?([A-Za-z0-9.-]+)(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)


class PermissionRule(Value):
    """`content` is what stands in the brackets, None without them. `kind` is what the tool does; empty for others.

    `is_search` is set for tools that look for files and into them, but do not print them whole. `parameter` is the
    argument that a rule may be about, and the pattern for its value: `Agent(model:op*)`.
    """

    decision: str
    text: str
    tool: str
    content: str | None
    kind: str
    path: PathRule | None = None
    is_search: bool = False
    parameter: tuple[str, str] = ("", "")

    @property
    def is_bare(self) -> bool:
        """Whether it is about every call of its tool."""
        if self.content == "*":
            return self.decision != ALLOW or self.kind in (BASH, EDIT, WRITE, FETCH, AGENT, SKILL)
        return self.content is None


def rule_of(decision: str, text: str, folder: str) -> PermissionRule | None:
    """None where nothing can be read from it. `folder` is that of the settings file."""
    found = (_EXACT_FORM if decision == ALLOW else _FORM).match(text)
    if not found:
        return None
    tool, content = found[1], found[2]
    if decision != ALLOW and content is not None:
        content = content.strip() or None
    kind = _kind(tool, decision)
    path = PathRule(content, folder) if content is not None and kind in (READ, EDIT, WRITE) else None
    is_search = kind == READ and to.meaning_of(tool) in SEARCHES
    parameter = _PARAMETER.match(content or "") if decision != ALLOW else None
    about = (parameter[1], parameter[2]) if parameter else ("", "")
    return PermissionRule(decision, text, tool, content, kind, path, is_search, about)


def _kind(tool: str, decision: str) -> str:
    """Names of other harnesses, and small letters, are understood where a rule narrows."""
    own = {"Task": AGENT, "NotebookEdit": EDIT, "MultiEdit": EDIT}.get(tool, tool)
    if own in _KINDS.values() or decision == ALLOW:
        return own if own in _KINDS.values() else ""
    by_letters = {name.lower(): name for name in (*_KINDS.values(), "Task", "MultiEdit", "NotebookEdit")}
    named = by_letters.get(tool.lower(), "")
    return _kind(named, decision) if named else _KINDS.get(to.meaning_of(tool), "")


def names_tool(rule: PermissionRule, names: Iterable[str]) -> bool:
    """Whether the tool's name in the rule is one of these: as it is, a server of MCP, or a pattern."""
    return any(_is_named(rule, name) for name in names)


def _is_named(rule: PermissionRule, name: str) -> bool:
    tool = rule.tool
    if tool == name or (tool == "Task" and name == AGENT) or (tool == AGENT and name == "Task"):
        return True
    if tool.startswith("mcp__") and "*" not in tool:
        return tool.count("__") == 1 and name.startswith(f"{tool}__")
    if "*" not in tool:
        return rule.decision != ALLOW and tool.lower() == name.lower()
    server, star, _ = tool.removeprefix("mcp__").partition("__")
    is_narrow = tool.startswith("mcp__") and bool(star) and "*" not in server
    return (rule.decision != ALLOW or is_narrow) and wildcard_matches(tool.replace("?", "\0"), name)


def parameter_fits(rule: PermissionRule, given: Mapping[str, Any]) -> bool:
    """`Bash(run_in_background:true)`, `Agent(model:op*)`. What is not given is false."""
    name, wanted = rule.parameter
    if not name or (name not in given and wanted != "false"):
        return False
    value = given.get(name, False)
    if not isinstance(value, str | int | float):
        return False
    return wildcard_matches(wanted, str(value).lower() if isinstance(value, bool) else str(value))


def domain_fits(rule: PermissionRule, host: str) -> bool:
    """`domain:x`; a star stands for one label where the rule allows, at its start for several, else for anything."""
    content = rule.content or ""
    if rule.decision != ALLOW:
        wanted = content.removeprefix("domain:").strip().lower().rstrip(".")
        wanted = re.sub(r"\A[a-z]+:(?://)?", "", wanted).split("/")[0]
        return wildcard_matches(_in_ascii(wanted), _in_ascii(host.lower().rstrip(".")))
    wanted = content.removeprefix("domain:").lower()
    if not content.startswith("domain:") or not wanted:
        return False
    labels = r"(?:[^.]+\.)+" if wanted.startswith("*.") else ""
    pattern = labels + r"[^.]+".join(re.escape(part) for part in wanted.removeprefix("*." if labels else "").split("*"))
    return wanted == "*" or re.fullmatch(pattern, host.lower().rstrip(".")) is not None


def _in_ascii(host: str) -> str:
    """A name in letters of any language as programs ask for it: `bücher.example` is `xn--bcher-kva.example`."""
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        return host


def host_of(address: str) -> str:
    """The host of an address, as far as a browser would still find one."""
    text = address.strip().translate(_IGNORED)
    authority = re.split(r"[/\\?#]", _SCHEME.sub("", text), maxsplit=1)[0]
    return re.sub(r":\d*\Z", "", authority.rpartition("@")[2]).lower()


def exact_host_of(address: str) -> str:
    """The host of an address that is written plainly; empty for any other."""
    found = _PLAIN_ADDRESS.fullmatch(address)
    return found[1].lower() if found else ""


def name_fits(rule: PermissionRule, name: str) -> bool:
    """`Agent(name)` and `Skill(name)`, `Skill(name:*)`, `Skill(/name)`."""
    wanted = (rule.content or "").removeprefix("/")
    if rule.decision == ALLOW:
        return wanted.removesuffix(":*") == name
    start = re.sub(r"(?::\*| \*|\*)\Z", "", wanted)
    return name.lower() == wanted.lower() or (start != wanted and name.lower().startswith(start.lower()))


def command_denied(rule: PermissionRule, command: LineCommand) -> str:
    """YES, MAYBE or NO: whether a rule that denies or asks is about a command, read in every way."""
    content = _with_single_blanks(rule.content or "")
    found = NO
    for words in (command.words, *command.readings):
        text = " ".join(_UNKNOWN if word is None else word for word in words)
        if _line_fits(content, text):
            return YES
        unknown = any(word is None for word in words) or bool(command.patterns and words is command.words)
        if unknown and _may_fit(content, words, command.patterns if words is command.words else ()):
            found = MAYBE
    return YES if _line_fits(content, _with_single_blanks(command.text)) else found


@lru_cache(maxsize=1024)  # the same rules are compared with every call, and a call with every rule
def _with_single_blanks(text: str) -> str:
    return _BLANKS.sub(" ", text)


def _may_fit(content: str, words: tuple[str | None, ...], patterns: tuple[int, ...]) -> bool:
    """Whether what is not known yet could make it fit."""
    end = next((at for at, word in enumerate(words) if word is None or at in patterns), len(words))
    known = " ".join(word or "" for word in words[:end])
    start = re.split(r":\*|\*", content, maxsplit=1)[0].strip()
    return not end or start == known or start.startswith(f"{known} ")


def command_allowed(rule: PermissionRule, command: LineCommand) -> bool:
    """Whether a rule that allows covers a command whose words are all known. No name but its own will do."""
    words = [word for word in command.words if word is not None]
    content = rule.content or ""
    text = " ".join(words)
    if not content.replace(":*", "").strip() or content.endswith(" :*") or not words or not _line_fits(content, text):
        return False
    start = re.split(r":\*|\*", content, maxsplit=1)[0].strip() if "*" in content else content
    behind = start.partition(" ")[2]
    if "*" not in content:
        return content in command.text
    return f" {behind}" in _BLANKS.sub(" ", command.text) if behind else True


def _line_fits(content: str, text: str) -> bool:
    if content.endswith(":*"):
        start = content[:-2].rstrip()
        return bool(start) and (text == start or text.startswith(f"{start} "))
    if "*" not in content:
        return text == content
    if content.endswith(" *") and content.count("*") == 1 and text == content[:-2]:
        return True
    return wildcard_matches(content.replace("?", "\1"), text.replace("?", "\1"))
