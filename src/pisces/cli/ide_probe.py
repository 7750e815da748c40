"""`pisces ide probe`: asks any companion rule by rule. Exit 1 if a MUST rule is broken."""

from __future__ import annotations

import asyncio
import os

from pisces.cli._ide import SessionConsent, add_yes
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.diagnostics import PiscesError
from pisces.ide.choosing import choice_here
from pisces.ide.endpoint import PORT_VARIABLE, TOKEN_VARIABLE, Endpoint
from pisces.ide.probe.probe import BROKEN, MUST, PASSED, SKIPPED, Probed, probed
from pisces.ide.probe.subject import NOTHING_TO_PROBE, ProbeTarget, address_in
from pisces.ui.plain import counted
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen

_STYLES = {PASSED: "green", SKIPPED: "dim"}
_PATIENCE = 90.0  # seconds: a sign of life is due every 60


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--port", type=int, metavar="N", help="who listens here; default: the companion of this folder")
    parser.add_argument("--token", metavar="TOKEN", help=f"for `--port`; default: `{TOKEN_VARIABLE}`")
    parser.add_argument("--file", metavar="FILE", help="a discovery file")
    parser.add_argument("--host", default="127.0.0.1", metavar="HOST", help="for `--port`, from inside a container")
    parser.add_argument("--no-diff", action="store_true", help="open no diff in the editor")
    parser.add_argument("--patient", action="store_true", help="also wait for a sign of life on a silent stream")
    add_yes(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    patience = _PATIENCE if arguments.patient else 0.0
    port, token, path = _address(arguments, places)
    target = ProbeTarget(port, token, path, arguments.host, places.env, not arguments.no_diff, patience)
    asyncio.run(SessionConsent(arguments, screen)(Endpoint(path, port, token), arguments.host))
    results = asyncio.run(probed(target))
    if arguments.output_format == "json":
        screen.json(_as_json(target, results))
    else:
        _show(target, results, places, screen)
    return PROBLEMS if any(each.is_violation for each in results) else FINE


def _address(arguments: Namespace, places: Places) -> tuple[int, str, str]:
    if arguments.port is not None:
        return arguments.port, arguments.token or places.env.get(TOKEN_VARIABLE, ""), ""
    if arguments.file:
        path = places.absolute(arguments.file)
        return (*address_in(path), path)
    choice = choice_here(places)
    endpoints = [endpoint for endpoint in choice.endpoints if endpoint.port]
    if not endpoints:
        message = choice.problem or "the companion of this folder is a program: only ports can be asked"
        hint = f"`--file` or `--port` names one, as does `{PORT_VARIABLE}`"
        raise PiscesError(NOTHING_TO_PROBE.at("", message, hint=hint))
    return endpoints[0].port, endpoints[0].token, endpoints[0].source if os.path.isabs(endpoints[0].source) else ""


def _as_json(target: ProbeTarget, results: list[Probed]) -> dict[str, object]:
    return {
        "host": target.host,
        "port": target.port,
        "file": target.path or None,
        "rules": [
            {
                "id": each.rule.id,
                "level": each.rule.level,
                "title": each.rule.title,
                "verdict": each.finding.verdict,
                "detail": each.finding.detail or None,
            }
            for each in results
        ],
    }


def _show(target: ProbeTarget, results: list[Probed], places: Places, screen: Screen) -> None:
    screen.note(f"asking {target.host}:{target.port}{f', {places.shown(target.path)}' if target.path else ''}")
    rows = [[each.finding.verdict, each.rule.level, each.rule.id, each.rule.title] for each in results]
    for each, line in zip(results, table(rows), strict=True):
        verdict = each.finding.verdict
        style = _STYLES.get(verdict) or ("red" if each.rule.level == MUST else "yellow")
        screen.line(screen.styled(line, style) if verdict != PASSED else line)
        if verdict != PASSED and each.finding.detail:
            screen.line(f"{'':9}{visible(each.finding.detail)}")
    verdicts = [each.finding.verdict for each in results]
    counts = [f"{verdicts.count(each)} {each}" for each in (PASSED, BROKEN, SKIPPED) if each in verdicts]
    screen.note(f"{counted(len(results), 'rule')}: {', '.join(counts)}")


_EXAMPLES = (
    ("pisces ide probe", "the companion of this folder"),
    ("pisces ide probe --port 40123 --token TOKEN", "any other"),
    ("pisces ide probe --file gemini-ide-server-1-40123.json", "with the rules about the file"),
)
_SUMMARY = "asks a companion rule by rule whether it keeps to the interface"
COMMAND = ShellCommand("ide probe", _SUMMARY, _EXAMPLES, _arguments, _run)
