"""`pisces mcp review`: what servers say to the model now and did not say before, as a difference; then a question.

It works on what was seen last. No server is started.
"""

from __future__ import annotations

from shlex import quote

from pisces.audit.record import ChangedRecord, RefusedRecord
from pisces.cli._audit import audit_of
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.diagnostics import PiscesError
from pisces.gates.judge import USER
from pisces.mcp.fingerprint_store import forget, memories, remember
from pisces.mcp.review import NOT_REVIEWED, accepted, difference_lines, review_hash, waiting
from pisces.ui.asking import answer_to, can_ask, shown_by_pages
from pisces.ui.plain import counted, show_diagnostics
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.diagnostics import Diagnostic
    from pisces.mcp.fingerprint_store import ServerMemory

ACCEPTED, REJECTED, LEFT = "reviewed", "rejected", "held"


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="the server; default: all with something to review")
    parser.add_argument("--yes", action="store_true", help="say yes to what is shown, for scripts")
    parser.add_argument("--accept", metavar="HASH", help="say yes to exactly this difference: sha256:...")
    parser.add_argument("--reject", action="store_true", help="say no: it stays held, and nobody asks again")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    every = [each for each in memories(places) if arguments.name in (None, each.name)]
    if arguments.name and not every:
        hint = "`pisces mcp list` has all servers; one is remembered when it is first used"
        message = f"nothing is remembered of a server `{arguments.name}`"
        raise PiscesError(NOT_REVIEWED.at("", message, hint=hint))
    held = [each for each in every if each.problem or waiting(each)]
    done = [(each, *_reviewed(each, arguments, places, screen)) for each in held]
    if not held:
        what = (
            f"`{visible(arguments.name)}` says" if arguments.name else counted(len(every), "server says", "servers say")
        )
        screen.note(f"nothing to review: {what} what was remembered")
    problems = [problem for _, _, problem in done if problem is not None]
    show_diagnostics(problems, places, screen)
    if arguments.output_format == "json":
        screen.json({"servers": [_json(memory, outcome) for memory, outcome, _ in done]})
    return PROBLEMS if problems else FINE


def _reviewed(
    memory: ServerMemory, arguments: Namespace, places: Places, screen: Screen
) -> tuple[str, Diagnostic | None]:
    """What became of it, and why nothing was decided."""
    was_read = shown_by_pages(_card(memory, places), screen)
    outcome, who = _answer(memory, arguments, screen) if was_read else (LEFT, USER)
    log, which = audit_of(places, screen), review_hash(memory)
    if outcome == ACCEPTED:
        _accept(memory, which, places)
        log.write(ChangedRecord(ACCEPTED, "tools", memory.name, memory.seen_version, memory.path, which, who=who))
        screen.note(f"reviewed: from now on `{visible(memory.name)}` may say that")
        return outcome, None
    if outcome == REJECTED:
        remember(memory, places, lambda now: now.replace(rejected=which))
        log.write(ChangedRecord(REJECTED, "tools", memory.name, memory.seen_version, memory.path, which, who=who))
        screen.note(f"rejected: it stays held, and nobody asks before `{visible(memory.name)}` says something else")
        return outcome, None
    hint = f"a terminal asks; --accept {which} agrees to exactly this, --yes to whatever is here, --reject refuses it"
    problem = NOT_REVIEWED.at(memory.path, f"nobody agreed, so it stays held: `{memory.name}`", hint=hint)
    log.write(RefusedRecord("tools", memory.name, memory.path, code=problem.code, why=problem.message))
    return outcome, problem


def _accept(memory: ServerMemory, which: str, places: Places) -> None:
    """What was shown is what is remembered: another pisces may have seen something else meanwhile."""
    if memory.problem:
        forget(memory, places)
        return
    after = remember(memory, places, lambda now: accepted(now) if review_hash(now) == which else now)
    if waiting(after):
        message = f"what `{memory.name}` says changed while you were asked, so it stays held"
        raise PiscesError(NOT_REVIEWED.at(memory.path, message, hint=f"`pisces mcp review {quote(memory.name)}` again"))


def _answer(memory: ServerMemory, arguments: Namespace, screen: Screen) -> tuple[str, str]:
    if arguments.reject:
        return REJECTED, "--reject"
    if arguments.accept:
        return (ACCEPTED if arguments.accept == review_hash(memory) else LEFT), "--accept"
    if arguments.yes:
        return ACCEPTED, "--yes"
    if not can_ask(screen):
        return LEFT, USER
    typed = answer_to("May it say that? [y]es, [r]eject for good, [N]ot now: ", screen).strip().lower()
    return {"y": ACCEPTED, "yes": ACCEPTED, "r": REJECTED, "reject": REJECTED}.get(typed, LEFT), USER


def _card(memory: ServerMemory, places: Places) -> Iterator[str]:
    yield f"{visible(memory.name)}  in {visible(places.shown(memory.path))}"
    if memory.problem:
        yield f"  what is remembered cannot be used: {visible(memory.problem)}"
        yield "  yes forgets it: the next list of the server is its first one"
        yield f"  content   {review_hash(memory)}"
        return
    if memory.seen_version != memory.version:
        yield f"  version   {visible(memory.version)} -> {visible(memory.seen_version)}"
    for line in difference_lines(memory):
        yield f"  {line}"
    yield f"  content   {review_hash(memory)}"


def _json(memory: ServerMemory, outcome: str) -> dict[str, Any]:
    seen, why = memory.seen or {}, waiting(memory)
    gone = [key for key in memory.listed if key not in seen] if memory.seen is not None else []
    return {
        "server": memory.name,
        "path": memory.path,
        "problem": memory.problem or None,
        "hash": review_hash(memory),
        "version": {"before": memory.version, "after": memory.seen_version},
        "items": [
            {"item": key, "why": why.get(key, "it is gone"), "before": memory.items.get(key), "after": seen.get(key)}
            for key in (*why, *gone)
        ],
        "outcome": outcome,
    }


_EXAMPLES = (
    ("pisces mcp review", "what servers say now and did not say before; then a question for each"),
    ("pisces mcp review weather", "of one server"),
    ("pisces mcp review weather --reject", "it stays held, and nobody asks again"),
)
COMMAND = ShellCommand("mcp review", "shows what servers changed in their tools, and asks", _EXAMPLES, _arguments, _run)
