"""What every item costs in tokens: before it is used, in each prompt, and once it is used.

Costs are estimates (see `tokens_of`). What an MCP server or a module adds is known only when it runs: None. What does
not load costs nothing.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import Diagnostic
from pisces.discovery.capabilities import COMMANDS, CONTEXT_FILES, MCP_SERVERS, MODULES, SKILLS, SUBAGENTS
from pisces.discovery.found import Candidate
from pisces.discovery.harness import HARNESSES, Run
from pisces.discovery.markdown_file import markdown_at
from pisces.discovery.registry import Switches, discover, harnesses_for
from pisces.discovery.state import ACTIVE
from pisces.instructions import skills, subagents
from pisces.instructions.context import context, context_of
from pisces.instructions.context_reader import ContextReader
from pisces.instructions.index_lines import index_line
from pisces.instructions.part import tokens_of
from pisces.instructions.rooms import Rooms
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Found
    from pisces.discovery.harness import Harness
    from pisces.discovery.inventory import Inventory
    from pisces.instructions.part import Instructions
    from pisces.places import Places
    from pisces.shapes.command import Command
    from pisces.shapes.skill import Skill

    Tokens = tuple[int | None, int | None]  # before and after

_FREE = (0, 0)
_UNKNOWN = (None, None)


class ItemCost(Value):
    """`before` and `after` are tokens; None where only a run would tell. `kind` is the id of a capability."""

    kind: str
    candidate: Candidate
    before: int | None
    after: int | None


class Costs(Value):
    items: tuple[ItemCost, ...]
    diagnostics: tuple[Diagnostic, ...]


def costs(places: Places, switches: Switches = Switches(), run: Run | None = None) -> Costs:  # noqa: B008  # a value
    """Of everything that pisces would load here once the project is trusted, and of what does not load: nothing."""
    run = run or Run()
    telling = {each.id for each in harnesses_for(places, switches, run) if each.skills_are_commands}
    found = {kind: discover(kind, places, switches, run=run) for kind in _KINDS}
    read = context(places, switches, run=run, trusted=True)
    items = _items({kind: each.all for kind, each in found.items()}, read, telling)
    problems = (problem for each in found.values() for problem in each.diagnostics)
    return Costs(tuple(items), tuple(dict.fromkeys((*problems, *read.diagnostics))))


def package_costs(inventory: Inventory, places: Places) -> Costs:
    """Of a package that is installed nowhere: what it would cost if it were, and all of it were on."""
    made, package = inventory.format, inventory.package
    harness: Harness = export_of(HARNESSES, made.harness.replace("-", "_"), "HARNESS")
    found = {kind: [Candidate(each, ACTIVE) for each in inventory.of(kind)] for kind in _KINDS}
    packages = {(made.id, str(package.name)): [package]} if package else {}
    rooms = Rooms((inventory.folder, os.path.realpath(inventory.folder)), packages)
    read = context_of(found[CONTEXT_FILES], rooms, ContextReader(places, Run()))
    items = _items(found, read, {made.id} if harness.skills_are_commands else set())
    return Costs(tuple(items), (*inventory.diagnostics, *read.diagnostics))


def _items(
    found: Mapping[Capability, Sequence[Candidate]], read: Instructions, telling: set[str]
) -> Iterator[ItemCost]:
    """`telling` are the harnesses whose models are told about commands."""
    of_files = _context_costs(read)
    skill_files = {each.found.item.path for each in found[SKILLS]}
    of_kind: dict[Capability, Callable[[Candidate], Tokens]] = {
        CONTEXT_FILES: lambda each: of_files.get(each.found.item.path, _FREE),
        SKILLS: _skill,
        SUBAGENTS: lambda each: (tokens_of(subagents.line_of(each.found)), tokens_of(each.found.item.prompt)),
        COMMANDS: lambda each: _command(each.found, is_listed=each.found.source.harness in telling),
        MCP_SERVERS: lambda _: _UNKNOWN,
        MODULES: lambda _: _UNKNOWN,
    }
    for kind, candidates in found.items():
        for each in candidates:
            if kind is not COMMANDS or each.found.item.path not in skill_files:  # a skill is counted once
                yield ItemCost(kind.id, each, *(of_kind[kind](each) if each.state == ACTIVE else _FREE))


_KINDS: tuple[Capability, ...] = (CONTEXT_FILES, SKILLS, SUBAGENTS, COMMANDS, MCP_SERVERS, MODULES)


def total(items: Iterable[ItemCost]) -> tuple[int, int, int]:
    """Tokens before and after, and the number of items that nobody knows the cost of."""
    every = list(items)
    unknown = sum(each.before is None for each in every)
    return sum(each.before or 0 for each in every), sum(each.after or 0 for each in every), unknown


def _context_costs(read: Instructions) -> dict[str, Tokens]:
    """By context file, with all that it imports. What waits for a condition costs nothing before."""
    importers = {part.source: part.importer for part in read.parts if part.importer}
    found: dict[str, Tokens] = {}
    for part in (*read.parts, *read.conditional):
        path = part.source
        while path in importers:
            path = importers[path]
        before, after = found.get(path, _FREE)
        tokens = part.tokens
        found[path] = (before, (after or 0) + tokens) if part.condition else ((before or 0) + tokens, after)
    return found


def _skill(candidate: Candidate[Skill]) -> Tokens:
    before = 0 if skills.is_for_user(candidate) else tokens_of(skills.line_of(candidate))
    return before, _body(candidate.found.item.path)


def _command(found: Found[Command], *, is_listed: bool) -> Tokens:
    command = found.item
    if command.executable:
        return _FREE  # a program, which calls no model
    line = index_line(command.final_name, command.description)
    prompt = command.fields.get("prompt")
    after = tokens_of(prompt) if isinstance(prompt, str) else _body(command.path)
    return tokens_of(line) if is_listed and not command.disable_model_invocation else 0, after


def _body(path: str) -> int:
    file = markdown_at(path, "", lenient=True)
    return 0 if isinstance(file, Diagnostic) else tokens_of(file.body)
