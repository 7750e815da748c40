"""What the header and the text of a command, a skill or a subagent start, reach or are granted."""

from __future__ import annotations

import re

from pisces.discovery.addresses import hosts_in, variables_in
from pisces.discovery.hook_acts import header_hooks
from pisces.discovery.server_acts import server_acts
from pisces.files import Unreadable, read_text
from pisces.shapes.act import EXECUTABLE, GRANT, LINE, PROGRAM, SERVER, Act
from pisces.shapes.binary_template import inner_path
from pisces.shapes.executable import APPENDED, Executable
from pisces.shapes.mcp_server import McpServer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.shapes.command import Command
    from pisces.shapes.field import Keys
    from pisces.shapes.skill import Skill
    from pisces.shapes.subagent import Subagent

_OPEN_MODES = ("bypassPermissions", "acceptEdits", "yolo")
_MARKED = re.compile(r"```!((?s:.*?))```|(?<!\S)!`([^`]+)`")  # where Claude's prompts run a line
_BRACED, _BRACE = "!{", re.compile("[{}]")


def subagent_acts(agent: Subagent) -> Iterator[Act]:
    when = f"while the subagent {agent.name} works"
    for name, config in agent.mcp_servers.items():
        if isinstance(config, dict):
            yield from server_acts(McpServer(name, config, agent.path, _server_keys(agent, name)), when)
    yield from _remote(agent, when)
    if agent.permission_mode in _OPEN_MODES:
        keys = (*agent.keys, "permissionMode")
        yield Act(GRANT, "permissionMode", agent.permission_mode, when, agent.path, keys, opens=True)
    for tool, decision in agent.permission.items():
        if decision == "allow":
            keys = (*agent.keys, "permission", tool)
            yield Act(GRANT, "permission", f"{tool}: allow", when, agent.path, keys, opens=tool in ("bash", "*"))
    yield from header_hooks(agent, when)


def _server_keys(agent: Subagent, name: str) -> Keys:
    """Servers are a table, or a list of tables with a server each."""
    declared = agent.fields.get(agent.servers_key)
    listed = enumerate(declared) if isinstance(declared, list) else ()
    index = [at for at, each in listed if isinstance(each, dict) and name in each][-1:]
    return (*agent.keys, agent.servers_key, *index, name)


def skill_acts(skill: Skill) -> Iterator[Act]:
    when = f"while the skill {skill.name} is used"
    yield from header_hooks(skill, when)
    yield from _allowed(skill, when)


def command_acts(command: Command) -> Iterator[Act]:
    if not command.executable:
        when = f"while the command /{command.name} is used"
        yield from header_hooks(command, when)
        yield from _allowed(command, when)


def requested_acts(kind: str, item: Skill | Command) -> Iterator[Act]:
    """What runs when somebody types a command or uses a prompt."""
    if kind == "skills":
        yield from _lines(item, _text_of(item.path), f"when the skill {item.name} is used")
    elif kind == "commands" and getattr(item, "executable", None):
        yield _executable(item)
    elif kind == "commands":
        prompt = item.fields.get("prompt") or item.fields.get("content")
        text = prompt if isinstance(prompt, str) else _text_of(item.path)
        yield from _lines(item, text, f"when you type /{item.name}")


def _remote(agent: Subagent, when: str) -> Iterator[Act]:
    """An agent elsewhere: it gets what the model hands to it. Its key may come from a program, as `!program`."""
    card, auth = agent.agent_card_url or agent.agent_card_json, agent.auth
    if not card:
        return
    hosts = tuple(dict.fromkeys((*hosts_in(card), *hosts_in(dict(auth)))))
    env = variables_in(dict(auth))
    keys = (*agent.keys, "agent_card_url" if agent.agent_card_url else "agent_card_json")
    yield Act(SERVER, agent.name, card, when, agent.path, keys, url=card, hosts=hosts, env=env)
    for key, value in auth.items():
        if isinstance(value, str) and value.startswith("!") and not value.startswith("!!"):
            line, keys = value[1:].strip(), (*agent.keys, "auth", key)
            yield Act(PROGRAM, f"auth {key}", line, when, agent.path, keys, line, argv=("sh", "-c", line))


def _allowed(item: Skill | Command, when: str) -> Iterator[Act]:
    """Tools that need no question while it is used."""
    tools = item.allowed_tools
    if tools:
        yield Act(GRANT, "allowed-tools", f"unasked: {', '.join(tools)}", when, item.path, ("allowed-tools",))


def _executable(command: Any) -> Act:
    executable: Executable = command.executable
    modes = (
        ("asks each time", executable.require_confirm),
        ("stays running", executable.worker),
        ("takes over the terminal", executable.interactive),
        ("in a sandbox", executable.sandbox),
        ("its output goes to the model", executable.context == APPENDED),
        (f"signed by {executable.publisher or 'its key'}", executable.key),
    )
    how = ", ".join(mode for mode, is_so in modes if is_so)
    path = inner_path(executable.binary)
    text, when = f"{path}{f' ({how})' if how else ''}", f"when you type /{command.name}"
    env = tuple(executable.env)
    return Act(EXECUTABLE, f"/{command.name}", text, when, command.path, command.keys, argv=(path,), env=env)


def _lines(item: Skill | Command, text: str, when: str) -> Iterator[Act]:
    for line in dict.fromkeys(line for _, line in lines_in(text)):
        keys = getattr(item, "keys", ())  # of a command that is an entry of a file
        yield Act(LINE, item.name, line, when, item.path, keys, line, argv=("sh", "-c", line), hosts=hosts_in(line))


def lines_in(prompt: str) -> Iterator[tuple[int, str]]:
    """Every command line in a prompt and where its mark begins, by the grammar of any harness.

    Each harness takes other files for its own.
    """
    found = _MARKED.finditer(prompt) if "!`" in prompt or "```!" in prompt else ()
    for match in found:
        if line := (match[1] or match[2] or "").strip():
            yield match.start(), line
    start = prompt.find(_BRACED)
    while start >= 0:
        end = _closing(prompt, start + len(_BRACED))
        if line := prompt[start + len(_BRACED) : end].strip():
            yield start, line
        start = prompt.find(_BRACED, end)


def _closing(text: str, start: int) -> int:
    """Where the braces are balanced again; the end of the text where they never are."""
    depth = 1
    for match in _BRACE.finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    return len(text)


def _text_of(path: str) -> str:
    try:
        return read_text(path)
    except Unreadable:
        return ""
