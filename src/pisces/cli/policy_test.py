"""`pisces policy test LINE`: would this tool call run, who says so, and what do the other rules say. Nothing runs."""

from __future__ import annotations

import json
import os

from pisces.cli._policies import book_of, books_here, problems_of, scene_here
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.gates.approval_mode import mode_verdict
from pisces.gates.rulebook import ToolUse
from pisces.gates.rules import verdict_of
from pisces.gates.tool_effects import effects_of
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.session_facts import MODE_ASK, MODES, SessionFacts
from pisces.shapes.verdict import ALLOW, ASK, DENY, Verdict
from pisces.ui.plain import show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.shapes.shell_line import LineCommand, ShellLine

_SHELL_TOOL = "Bash"
_SAID = {ALLOW: "allowed", ASK: "asked", DENY: "denied"}
_STYLES = {ALLOW: "green", ASK: "yellow", DENY: "red"}


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("line", nargs="?", metavar="LINE", help="a command line, as a model would run it in a shell")
    parser.add_argument("--tool", metavar="NAME", help="another tool, by its name in any harness")
    parser.add_argument("--input", metavar="JSON", help="the input of that tool, an object")
    parser.add_argument("--server", default="", metavar="NAME", help="the MCP server that has the tool")
    parser.add_argument("--mode", choices=MODES, default=MODE_ASK, help="the approval mode (ask)")
    parser.add_argument("--agent", default="", metavar="NAME", help="a subagent of this name makes the call")
    parser.add_argument("--headless", action="store_true", help="nobody can be asked")
    parser.add_argument("--harness", metavar="ID", help="as this program alone would decide, by its own rules")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    scene = scene_here(places)
    books = book_of(arguments.harness, scene) if arguments.harness else books_here(scene)
    use = _use(arguments, places, is_trusted=scene.is_trusted)
    spoken = verdict_of(books, use)
    verdict = spoken[0] if spoken else mode_verdict(use)
    if verdict.decision == ASK and arguments.headless:
        verdict = verdict.replace(decision=DENY, why=verdict.why or "nobody can be asked here")
    line = effects_of(use.call).line
    show_diagnostics(problems_of(books), places, screen)
    if arguments.output_format == "json":
        screen.json(_json(verdict, spoken, line, use))
    else:
        _show(verdict, spoken, use, (places, screen))
        screen.lines(_reading(line))
    return FINE if verdict.decision == ALLOW else PROBLEMS


def _use(arguments: Namespace, places: Places, *, is_trusted: bool) -> ToolUse:
    if (arguments.line is None) == (arguments.tool is None):
        raise _misused("give a command line, or `--tool NAME` with `--input JSON`")
    given: Any = {"command": arguments.line}
    if arguments.tool is not None:
        given = _object(arguments.input or "{}")
    facts = SessionFacts(
        places.cwd,
        places.cwd,
        places.home,
        mode=arguments.mode,
        agent=arguments.agent,
        is_interactive=not arguments.headless,
        is_trusted=is_trusted,
    )
    return ToolUse(ToolCall(arguments.tool or _SHELL_TOOL, "", given), facts, arguments.server)


def _object(text: str) -> dict[str, Any]:
    try:
        given = json.loads(text)
    except ValueError as error:
        raise _misused(f"`--input` is no JSON: {error}") from error
    if not isinstance(given, dict):
        raise _misused("`--input` must be an object")
    return given


def _misused(message: str) -> PiscesError:
    hint = """as in: pisces policy test 'git push', or --tool Write --input '{"file_path": "a"}'"""
    return PiscesError(Diagnostic("policy-test-input", ERROR, message, hint=hint))


def _show(verdict: Verdict, spoken: tuple[Verdict, ...], use: ToolUse, where: tuple[Places, Screen]) -> None:
    places, screen = where
    home = os.path.join(places.home, "")
    said = screen.styled(_SAID[verdict.decision], _STYLES[verdict.decision])
    what = use.call.input["command"] if use.call.tool == _SHELL_TOOL and "command" in use.call.input else use.call.tool
    screen.line(f"{said}: {visible(str(what))}")
    every = spoken or (verdict,)
    screen.lines(
        table([["", each.decision, visible(each.who.replace(home, "~/")), visible(each.why)] for each in every])
    )


def _reading(line: ShellLine | None) -> Iterator[str]:
    """How each part of the line was read, where that is not plain to see."""
    if line is None:
        return
    if line.problem:
        yield f"  cannot be read: {visible(line.problem)}"
    if len(line.commands) > 1 or not line.is_plain:
        yield from (f"  runs {visible(_command(each))}" for each in line.commands if each.words)


def _command(command: LineCommand) -> str:
    words = " ".join("?" if word is None else word for word in command.words)
    more = f" (through {' '.join(command.wrappers)})" if command.wrappers else ""
    return words + more + ("" if command.is_plain else " (what it runs is known only then)")


def _json(verdict: Verdict, spoken: tuple[Verdict, ...], line: ShellLine | None, use: ToolUse) -> dict[str, Any]:
    commands = [
        {"text": each.text, "words": list(each.words), "wrappers": list(each.wrappers), "isPlain": each.is_plain}
        for each in (line.commands if line else ())
    ]
    return {
        **_said(verdict),
        "mode": use.facts.mode,
        "verdicts": [_said(each) for each in spoken],
        "commands": commands,
        "problem": line.problem if line and line.problem else None,
    }


def _said(verdict: Verdict) -> dict[str, str]:
    return {"decision": verdict.decision, "who": verdict.who, "why": verdict.why}


_EXAMPLES = (
    ("pisces policy test 'git push --force'", "would this line run, and which rule says so"),
    ("""pisces policy test --tool Write --input '{"file_path": "a.py"}' --mode edits""", "another tool, another mode"),
    ("pisces policy test --harness gemini 'rm -rf build'", "as Gemini CLI would decide by itself"),
    ("pisces policy test --headless 'npm publish' || echo no", "exit 1: it does not run without a question"),
)
_SUMMARY = "would a tool call run here, and which rule says so; nothing runs"
COMMAND = ShellCommand("policy test", _SUMMARY, _EXAMPLES, _arguments, _run)
