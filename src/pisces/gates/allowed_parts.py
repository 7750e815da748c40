"""A line whose commands are all allowed, some by rules and the others because they only read: `cd src && npm test`.

A rulebook allows a line only where its rules allow every command, and the approval mode only where all of it reads.
Neither should ask about a line of which each command alone would run without a question.
"""

from __future__ import annotations

from pisces.discovery import tool_names as to
from pisces.gates.approval_mode import facts_in, folders_of, is_near, stay_here
from pisces.gates.reading_commands import command_reads
from pisces.gates.rules import verdict_of
from pisces.gates.shell import shell_line
from pisces.gates.tool_effects import effects_of
from pisces.shapes.session_facts import MODE_PLAN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.gates.rulebook import Rulebook, ToolUse
    from pisces.shapes.shell_line import LineCommand


def allowed_in_parts(use: ToolUse, books: Sequence[Rulebook]) -> bool:
    """Asked after all rulebooks had nothing to say about the whole line."""
    effects = effects_of(use.call)
    line = effects.line
    if use.server or line is None or effects.meaning != to.SHELL or use.facts.mode == MODE_PLAN:
        return False
    if not line.is_plain or line.has_groups or len(line.commands) < 2:
        return False
    places = folders_of(line, facts_in(use.facts, effects.folder))
    if not stay_here(places):
        return False
    folders = [each.cwd for each in places]
    return all(
        command_reads(each, lambda file: is_near(file, places), folders)
        or all(_is_allowed(each, use.replace(facts=place), books) for place in places)
        for each in line.commands
    )


def _is_allowed(command: LineCommand, use: ToolUse, books: Sequence[Rulebook]) -> bool:
    """By a rule, for this very command alone, in the folder of the facts: the line may have moved to it."""
    if command.redirects or None in command.words or shell_line(command.text).commands != (command,):
        return False
    words = to.words_of(use.call.tool, use.call.input)
    name, folder = words.get(to.COMMAND, ""), words.get(to.FOLDER, "")
    if not isinstance(use.call.input.get(name), str):
        return False
    given = {key: value for key, value in use.call.input.items() if key != folder}
    alone = use.replace(call=use.call.replace(input={**given, name: command.text}))
    found = verdict_of(books, alone)
    return bool(found) and all(each.is_allowed for each in found)
