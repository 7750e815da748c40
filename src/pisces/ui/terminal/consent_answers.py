"""Which answers a question has, one letter each, and exactly what each of them stores and where."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pisces.discovery import tool_names as to
from pisces.gates.judge import DEFAULT
from pisces.gates.user_rules import rule_line, rules_file, rules_for
from pisces.shapes.request import (
    ALWAYS,
    NEVER,
    NO,
    ONCE,
    SESSION,
    LineRequest,
    ProgramRequest,
    ServerRequest,
    ToolRequest,
)
from pisces.shapes.server_requests import ToolsRequest
from pisces.shapes.verdict import ALLOW, DENY
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pisces.places import Places
    from pisces.shapes.request import Request
    from pisces.shapes.verdict import Verdict

INSTEAD = "instead"  # no, and what to do instead
CHANGE = "change"  # another command line
EXPLAIN = "explain"
_MODE = "approval mode "


class ConsentAnswer(Value):
    """`stores` are the lines that are shown before it can be chosen: each rule, and the file that it goes to.

    `rules` are what is remembered; where they are empty, `session` remembers this very request.
    """

    letter: str
    kind: str
    label: str
    stores: tuple[str, ...] = ()
    rules: tuple[Mapping[str, str], ...] = ()


def answers_to(request: Request, questions: Sequence[Verdict], places: Places) -> tuple[ConsentAnswer, ...]:
    made = [*_allowing(request, questions, places), *_refusing(request, places)]
    if isinstance(request, ToolRequest):
        made.append(ConsentAnswer("t", INSTEAD, "no, and say what to do instead"))
        if command_argument(request):
            made.append(ConsentAnswer("c", CHANGE, "change the command"))
    return (*made, ConsentAnswer("e", EXPLAIN, "explain"))


def is_by_mode(questions: Sequence[Verdict]) -> bool:
    """Whether only the approval mode asks. Where a hook or a rule asks, a rule that allows would not be heard."""
    return all(each.who in ("", DEFAULT) or each.who.startswith(_MODE) for each in questions)


def command_argument(request: ToolRequest) -> str:
    """The name of the argument that is a command line; empty for other tools."""
    if request.server or to.meaning_of(request.call.tool) != to.SHELL:
        return ""
    name = to.words_of(request.call.tool, request.call.input).get(to.COMMAND, "")
    return name if isinstance(request.call.input.get(name), str) else ""


def _allowing(request: Request, questions: Sequence[Verdict], places: Places) -> Iterator[ConsentAnswer]:
    if isinstance(request, ProgramRequest):
        yield ConsentAnswer("y", ONCE, "yes, until the program or its package changes")
        return
    if isinstance(request, ToolsRequest):
        yield ConsentAnswer("y", ONCE, "yes, it is reviewed: this text is remembered")
        return
    yield ConsentAnswer("y", ONCE, "yes, once" if not isinstance(request, ServerRequest) else "yes, for this session")
    if isinstance(request, ToolRequest):
        yield from _lasting(request, questions, places)
    elif isinstance(request, LineRequest):
        yield ConsentAnswer("s", SESSION, "yes, this line in this folder, for this session")
        bound = f"this line, while {places.shown(request.path)} stays as it is"
        yield ConsentAnswer("a", ALWAYS, "always", (bound, _stored_in(_own(places, "allowed-lines.json"), places)))
    elif isinstance(request, ServerRequest):
        bound = "exactly this start, until anything of it changes"
        yield ConsentAnswer("a", ALWAYS, "always", (bound, _stored_in(_own(places, "approved-servers.json"), places)))


def _lasting(request: ToolRequest, questions: Sequence[Verdict], places: Places) -> Iterator[ConsentAnswer]:
    rules = rules_for(request, ALLOW) if is_by_mode(questions) else ()
    if not rules:
        yield ConsentAnswer("s", SESSION, "yes, exactly this call, for this session")
        return
    lines = tuple(map(rule_line, rules))
    yield ConsentAnswer("s", SESSION, "yes, for this session", lines, rules)
    yield ConsentAnswer(
        "a", ALWAYS, "always in this workspace", (*lines, _stored_in(rules_file(places), places)), rules
    )


def _refusing(request: Request, places: Places) -> Iterator[ConsentAnswer]:
    yield ConsentAnswer("n", NO, "no (esc)")
    if isinstance(request, LineRequest):
        stores = ("this line, in any file", _stored_in(_own(places, "approvals.json"), places))
        yield ConsentAnswer("d", NEVER, "never", stores)
    if isinstance(request, ToolRequest):
        rules = rules_for(request, DENY)
        if rules:
            lines = (*map(rule_line, rules), _stored_in(rules_file(places), places))
            yield ConsentAnswer("d", NEVER, "never in this workspace", lines, rules)


def _own(places: Places, name: str) -> str:
    return os.path.join(places.agent_dir, name)


def _stored_in(path: str, places: Places) -> str:
    return f"in {places.shown(path)}"
