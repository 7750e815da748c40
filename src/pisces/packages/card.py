"""The consent card: everything that a package can do, named exactly, bound to the hash of every file in it."""

from __future__ import annotations

import json
import os
import re

from pisces.diagnostics import ERROR, Rule
from pisces.discovery import capabilities
from pisces.discovery.acts import AT_START, LOADED
from pisces.discovery.package_acts import PACKAGE, package_acts
from pisces.formats.visible import visible
from pisces.packages.launches import floating_of
from pisces.processes.blocked_env import is_blocked
from pisces.shapes.act import ENVIRONMENT, EXECUTABLE, FILE, GRANT, HOOK, LINE, MODULE, PROGRAM
from pisces.shapes.settings import PackageSetting
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.discovery.inventory import Inventory
    from pisces.packages.store.tree import Tree
    from pisces.shapes.act import Act
    from pisces.shapes.policy import PolicyRule

CONSENT_NEEDED = Rule("consent-needed", ERROR, "Nobody has agreed to this package yet")
CONSENT_REFUSED = Rule("consent-refused", ERROR, "The consent that was asked for was not given")
WRONG_HASH = Rule("consent-hash-differs", ERROR, "The hash that was agreed to is not the hash of what was fetched")

# In the order in which a careful reader asks: what runs, what talks to whom, what it changes, what it says.
KINDS = (
    ("hook", "runs on events, without asking"),
    ("server", "starts or calls servers"),
    ("started", "starts other programs"),
    ("module", "carries code modules"),
    ("file", "puts files where something else runs them"),
    ("executable", "runs programs when you type a command"),
    ("line", "runs command lines in its prompts"),
    ("program", "carries programs"),
    ("grant", "gets permissions without asking"),
    ("policy", "sets policies"),
    ("host", "talks to hosts"),
    ("env", "reads or sets environment variables"),
    ("source", "takes more from elsewhere"),
    ("command", "adds slash commands"),
    ("subagent", "adds subagents"),
    ("skill", "adds skills"),
    ("excluded tool", "takes tools away"),
    ("setting", "asks for settings"),
    ("context", "puts text before every prompt"),
    ("theme", "adds themes"),
)
_SHOWN_OF_RULES = ("toolName", "decision", "priority", "argsPattern", "denyMessage", "deny_message")
_PLAIN_HOST = re.compile(r"[\w.:$%{}\[\]*-]+", re.ASCII)
_ODD_HOST = "its letters may look like others"
_KIND_OF = {PROGRAM: "started", ENVIRONMENT: "env"}
_LOOPBACK = re.compile(r"(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)(?::.*)?", re.IGNORECASE)


class CardLine(Value):
    """One thing that a package can do, such as a server that it starts. `danger` says why to look at it first.

    Texts are safe to be printed: control characters, and those that hide or reorder text, are escapes.
    """

    kind: str
    text: str
    danger: str = ""


class Card(Value):
    """`hash` is what `--accept` takes. Two cards with the same hash are the same package to the last byte.

    `acts` are what its lines about running and reaching out were made from; `act_lines` gives the lines of one.
    """

    name: str
    version: str
    format: str
    source: str
    hash: str
    lines: tuple[CardLine, ...]
    files: int
    bytes: int
    acts: tuple[Act, ...] = ()
    folder: str = ""

    def of_kind(self, kind: str) -> list[str]:
        return [line.text for line in self.lines if line.kind == kind]


def card_of(inventory: Inventory, tree: Tree, source: str) -> Card:
    package, folder = inventory.package, inventory.folder
    manifest = package.fields if package else {}
    acts = package_acts(inventory)
    found = dict.fromkeys(
        (
            *(line for act in acts for line in act_lines(act, folder)),
            *(_line("program", file.path) for file in tree.files if file.kind == "program"),
            *_lines(inventory, manifest),
        )
    )
    lines = tuple(sorted(found, key=lambda line: (line.kind, line.text)))
    name = str(package.name) if package else os.path.basename(folder)
    version = str(manifest.get("version") or "")
    form = inventory.format.id
    return Card(name, version, form, source, tree.hash, lines, len(tree.files), tree.size, acts, folder)


def card_changes(old: tuple[CardLine, ...], new: tuple[CardLine, ...]) -> tuple[list[CardLine], list[CardLine]]:
    """Lines that are new, and lines that are gone."""
    before, after = set(old), set(new)
    return [line for line in new if line not in before], [line for line in old if line not in after]


def act_lines(act: Act, folder: str) -> tuple[CardLine, ...]:
    """An act as lines of a card: what it is, then the hosts and variables that it names."""
    danger = _danger(act)
    made = [_line(_KIND_OF.get(act.kind, act.kind), _here(_text(act, folder), folder), danger)]
    if act.kind == ENVIRONMENT:
        return tuple(made)
    made += [_line("host", host, "" if _PLAIN_HOST.fullmatch(host) else _ODD_HOST) for host in act.hosts]
    for name in act.env:
        blocked = "it changes how programs start" if is_blocked(name) else ""
        made.append(_line("env", f"{name} ({'set ' if act.kind == EXECUTABLE else ''}for {act.name})", blocked))
    return tuple(made)


def _line(kind: str, text: str, danger: str = "") -> CardLine:
    return CardLine(kind, visible(text), visible(danger))


def _text(act: Act, folder: str) -> str:
    if act.kind == HOOK:
        return f"{act.when.removeprefix('on ')}: {act.text}"
    if act.kind == MODULE:
        relative = os.path.relpath(act.path, folder).replace(os.sep, "/") if act.path == act.text else act.text
        return relative if act.when == LOADED else f"{relative} ({act.when})"
    if act.kind == EXECUTABLE:
        return f"{act.name}: {act.text}"
    if act.kind == LINE:
        return f"{act.when}: {act.text}"
    if act.kind == FILE:
        return f"{act.text} ({act.when})"
    if act.kind == ENVIRONMENT:
        return f"{act.name} (set {act.when})"
    return f"{act.name}: {act.text}" + ("" if act.when == AT_START else f" ({act.when})")


def _danger(act: Act) -> str:
    """Why an act is worth a look before all others, as far as it can be seen without a scan."""
    if act.opens:
        return "it takes a protection away"
    if act.kind == ENVIRONMENT and is_blocked(act.name):
        return "it changes how programs start"
    if act.kind in (HOOK, PROGRAM) and any(not _LOOPBACK.fullmatch(host) for host in act.hosts):
        return "it runs unasked and reaches another machine"
    if act.kind == GRANT and act.name == "trust":
        return "its tools run unasked"
    floating = floating_of(act.argv) if act.argv else None
    return f"it is not pinned: {floating.reason}" if floating else ""


def _lines(inventory: Inventory, manifest: Mapping[str, Any]) -> Iterator[CardLine]:
    """What a package adds that neither runs nor reaches out by itself."""
    for command in inventory.of(capabilities.COMMANDS):
        if not command.item.executable:
            yield _line("command", f"/{command.item.name}  {_relative(command, inventory)}")
    for agent in inventory.of(capabilities.SUBAGENTS):
        tools = "all tools" if agent.item.tools is None else ", ".join(agent.item.tools) or "no tools"
        yield _line("subagent", f"{agent.item.name} ({tools})")
    for skill in inventory.of(capabilities.SKILLS):
        yield _line("skill", f"{skill.item.name}: {_first_line(skill.item.description)}")
    for rule in inventory.of(capabilities.POLICIES):
        danger = "it allows without asking" if rule.item.decision == "allow" else ""
        yield _line("policy", _policy(rule.item), danger)
    for setting in (each.item for each in inventory.of(capabilities.SETTINGS)):
        if isinstance(setting, PackageSetting):
            secret = " (secret)" if setting.sensitive else ""
            yield _line("setting", f"{setting.env_var or setting.name}{secret}: {setting.description}")
    yield from (_line("context", _relative(each, inventory)) for each in inventory.of(capabilities.CONTEXT_FILES))
    yield from (_line("theme", theme.item.name) for theme in inventory.of(capabilities.THEMES))
    excluded = manifest.get("excludeTools")
    yield from (_line("excluded tool", str(tool)) for tool in excluded or () if isinstance(excluded, list))


def _policy(rule: PolicyRule) -> str:
    """The decision with everything that says when it holds."""
    pattern = f" where {rule.args_pattern}" if rule.args_pattern else ""
    rest = {key: value for key, value in rule.fields.items() if key not in _SHOWN_OF_RULES}
    more = f" {json.dumps(rest, default=str)}" if rest else ""
    return f"{rule.decision} {rule.tool_name or 'every tool'}{pattern}{more}"


def _here(text: str, folder: str) -> str:
    """The stage's path means nothing to a reader, and would make every card differ."""
    return text.replace(folder, PACKAGE)


def _relative(found: Found, inventory: Inventory) -> str:
    return os.path.relpath(found.item.path, inventory.folder).replace(os.sep, "/")


def _first_line(text: str) -> str:
    line = text.strip().partition("\n")[0]
    return line if len(line) <= 100 else line[:99] + "…"
