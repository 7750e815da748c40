"""`pisces mcp test`: starts one server and checks it rule by rule. Exit 1 if a rule is broken that is an error."""

from __future__ import annotations

import asyncio
import os
from time import monotonic

from pisces.cli._mcp import is_address, plan_for, server_named, typed_server
from pisces.cli._mcp_arguments import object_in
from pisces.cli._mcp_consent import add_start_consent, agree_to_start
from pisces.cli._packages import add_packages
from pisces.cli._run_limits import seconds_of
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.harness import Run
from pisces.discovery.named_packages import named_packages
from pisces.mcp.probe.check import BROKEN, PASSED, SKIPPED, CheckOutcome, checked
from pisces.mcp.probe.subject import NOT_STARTED, ServerTarget
from pisces.ui.plain import counted, place_text
from pisces.ui.progress import PATIENCE, reporter
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.discovery.found import Found
    from pisces.shapes.mcp_server import McpServer

_SECONDS = 10.0
_INDENT = 9


def _arguments(parser: ArgumentParser) -> None:
    meaning = "really call this tool, with these arguments (repeatable); no other tool is called"
    parser.add_argument("--call", action="append", metavar="TOOL[=JSON]", help=meaning)
    parser.add_argument("--timeout", metavar="SECONDS", help=f"for each answer (default: {_SECONDS:g})")
    add_packages(parser)
    add_start_consent(parser)
    add_output_format(parser)
    meaning = "the name of a server, its address, or behind `--` its command line"
    parser.add_argument("server", nargs="*", metavar="SERVER", help=meaning)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    found = _meant(arguments, places)
    plan = plan_for(found, places)
    brought = _brought(arguments, places) if found.folder and arguments.package else None
    calls = tuple(_call(text) for text in arguments.call or ())
    target = ServerTarget(plan, places, found.source.path, calls, seconds_of(arguments) or _SECONDS, brought)
    agree_to_start(plan, arguments, places, screen)
    outcomes = asyncio.run(checked(target, _progress(screen)))
    if screen.err_is_terminal:
        screen.progress("")
    if arguments.output_format == "json":
        screen.json(_as_json(target, outcomes))
    else:
        _show(target, outcomes, places, screen)
    return PROBLEMS if any(each.is_violation for each in outcomes) else FINE


def _meant(arguments: Namespace, places: Places) -> Found[McpServer]:
    """One word is a name, unless it is an address or a path. Several words are a command line."""
    words = arguments.server
    is_typed = len(words) > 1 or (len(words) == 1 and (is_address(words[0]) or os.path.basename(words[0]) != words[0]))
    return typed_server(words) if is_typed else server_named(words[0] if words else "", arguments, places)


def _brought(arguments: Namespace, places: Places) -> tuple[Found, ...]:
    """All that the named packages bring beside the server."""
    packages, run = named_packages(arguments.package, places), Run()
    return tuple(each for kind in CAPABILITIES for each in packages.found(kind.id, places, run)[0])


def _call(text: str) -> tuple[str, dict[str, Any]]:
    name, equals, given = text.partition("=")
    return name, object_in(given, f"--call {text}") if equals else {}


def _progress(screen: Screen) -> Callable[[str], None]:
    report, started = reporter(screen), monotonic()

    def said(title: str) -> None:
        if monotonic() - started > PATIENCE:
            report(f"is it so? {title}\r")

    return said


def _as_json(target: ServerTarget, outcomes: list[CheckOutcome]) -> dict[str, Any]:
    return {
        "server": target.plan.name,
        "transport": target.plan.transport,
        "launch": target.plan.exact,
        "path": target.path or None,
        "rules": [
            {
                "code": each.check.rule.code,
                "severity": each.check.rule.severity,
                "title": each.check.title,
                "verdict": each.verdict,
                "why": each.why or None,
                "problems": [problem.as_json() for problem in each.problems],
            }
            for each in outcomes
        ],
    }


def _show(target: ServerTarget, outcomes: list[CheckOutcome], places: Places, screen: Screen) -> None:
    screen.note(f"asked {visible(target.plan.exact)}")
    every, outcomes = outcomes, [each for each in outcomes if each.why != NOT_STARTED]
    rows = [[each.verdict, each.check.rule.severity, each.check.rule.code, each.check.title] for each in outcomes]
    for each, line in zip(outcomes, table(rows), strict=True):
        styles = {PASSED: "", SKIPPED: "dim", BROKEN: "red" if each.is_violation else "yellow"}
        screen.line(screen.styled(line, styles[each.verdict]) if styles[each.verdict] else line)
        for text in _details(each, target, places):
            screen.line(f"{'':{_INDENT}}{text}")
    verdicts = [each.verdict for each in every]
    counts = [f"{verdicts.count(each)} {each}" for each in (PASSED, BROKEN, SKIPPED) if each in verdicts]
    screen.note(f"{counted(len(every), 'rule')}: {', '.join(counts)}; pisces explain CODE says more")


def _details(outcome: CheckOutcome, target: ServerTarget, places: Places) -> list[str]:
    problems = [
        f"{place_text(each, places) if each.path != target.path or each.line else ''}{visible(each.message)}"
        for each in outcome.problems
    ]
    return [*problems, *([visible(outcome.why)] if outcome.why else [])]


_EXAMPLES = (
    ("pisces mcp test github", "a server that is configured here"),
    ("pisces mcp test -- node dist/server.js", "one that you are writing"),
    ("pisces mcp test --package ./my-extension", "the server of a package, and all that the package says of its tools"),
    ("pisces mcp test https://example.com/mcp", "one at an address"),
    ('pisces mcp test notes --call \'search={"query": "fish"}\'', "with a real call of a tool"),
)
_SUMMARY = "start one MCP server and check it rule by rule: the protocol, its tools, how it ends"
COMMAND = ShellCommand("mcp test", _SUMMARY, _EXAMPLES, _arguments, _run)
