"""`pisces ide status`: which companions were found, which one was chosen, why not the others, and does it answer.

It opens no session: some companions answer only their newest client, and another agent may be connected.
"""

from __future__ import annotations

import asyncio

from pisces.cli._ide import add_private, private_of
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.ide.choosing import Choice, choice_here
from pisces.ide.client.client import CONNECTED, DISCONNECTED
from pisces.ide.client.reach import ReachedEndpoint, reached
from pisces.ide.detect import detected
from pisces.ide.discovery_file import discovery_folder
from pisces.ide.process_tree import ProcessTree, process_tree
from pisces.ui.plain import show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.ide.endpoint import Endpoint


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--no-connect", action="store_true", help="only look, do not talk to the editor")
    add_private(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    tree = process_tree(places.env)
    choice = choice_here(places, tree)
    connection = {} if arguments.no_connect else asyncio.run(_asked(choice, places))
    report = _report(choice, tree, places) | {"connection": connection or None, "private": list(private_of(arguments))}
    if arguments.output_format == "json":
        screen.json({**report, "diagnostics": [each.as_json() for each in choice.diagnostics]})
    else:
        _show(report, places, screen)
        show_diagnostics(choice.diagnostics, places, screen)
    is_fine = bool(choice.endpoints) if arguments.no_connect else connection["state"] == CONNECTED
    return FINE if is_fine else PROBLEMS


async def _asked(choice: Choice, places: Places) -> dict[str, Any]:
    """`diffs` is None where it takes a session to know, and so is the context: `pisces ide watch --once` opens one."""
    found, failed = await reached(choice, places.env)
    attempts = list(map(str, failed))
    reason = choice.problem or f"the companion cannot be reached: {'; '.join(attempts)}"
    return {
        "state": CONNECTED if found else DISCONNECTED,
        "reason": None if found else reason,
        "editor": (_editor_name(found, choice) or None) if found else None,
        "source": found.endpoint.source if found else None,
        "port": found.endpoint.port or None if found else None,
        "host": found.host or None if found else None,
        "diffs": found.can_diff if found else False,
        "failed": attempts,
        "hidden": 0,
        "context": None,
        **({"checks_token": found.checks_token, "sessions": found.sessions} if found else {}),
    }


def _editor_name(found: ReachedEndpoint, choice: Choice) -> str:
    """As the discovery file has it, else as the program calls itself."""
    files = [each.file for each in choice.candidates if each.file.path == found.endpoint.source]
    return "".join(file.ide_display_name for file in files) or found.server


def _report(choice: Choice, tree: ProcessTree, places: Places) -> dict[str, Any]:
    """Never a token, and of programs and processes no more than the name: their command lines may hold secrets."""
    file = choice.file
    names = (file.ide_name, file.ide_display_name) if file else ("", "")
    editor = detected(places.env, tree.ide.command, names)
    return {
        "editor": editor.name if editor else None,
        "display_name": editor.display_name if editor else None,
        "process": {"pid": tree.ide.pid, "name": tree.ide.name, "by": tree.by},
        "ancestors": [{"pid": each.pid, "name": each.name} for each in tree.ancestors],
        "folder": discovery_folder(places.env),
        "files": [
            {
                "path": each.file.path,
                "pid": each.file.pid,
                "port": each.file.port or None,
                "workspace": each.file.workspace_path,
                "editor": each.file.ide_display_name or None,
                "chosen": each.is_chosen,
                "why": each.why,
            }
            for each in choice.candidates
        ],
        "ways": [_endpoint(endpoint) for endpoint in choice.endpoints],
        "problem": choice.problem or None,
    }


def _endpoint(endpoint: Endpoint) -> dict[str, Any]:
    return {
        "source": endpoint.source,
        "port": endpoint.port or None,
        "token": bool(endpoint.token),
        "command": endpoint.command[0] if endpoint.command else None,
    }


def _show(report: dict[str, Any], places: Places, screen: Screen) -> None:
    process, above = report["process"], [f"{each['name'] or '?'} {each['pid']}" for each in report["ancestors"]]
    rows = [
        ["terminal of", report["display_name"] or "no editor that is known"],
        ["process", f"{process['pid']} {process['name']}: {process['by']}"],
        ["runs inside", " < ".join(above)],
        ["looked in", places.shown(report["folder"])],
    ]
    for each in report["files"]:
        name = each["path"].rpartition("/")[2] if "/" in each["path"] else each["path"]
        rows.append(["chosen" if each["chosen"] else "not chosen", f"{name}: {each['why']}"])
    for each in report["ways"]:
        rows.append(["tries", f"{_endpoint_text(each)}, from {places.shown(each['source'])}"])
    rows += [["problem", report["problem"]]] if report["problem"] else []
    rows += _connection_rows(report["connection"] or {})
    rows.append(["never told", ", ".join(report["private"])])
    screen.lines(table([[title, visible(text)] for title, text in rows]))


def _endpoint_text(endpoint: dict[str, Any]) -> str:
    if endpoint["command"]:
        return f"program `{endpoint['command']}`"
    return f"port {endpoint['port']} {'with its token' if endpoint['token'] else 'without a token'}"


def _connection_rows(found: dict[str, Any]) -> list[list[str]]:
    if not found:
        return []
    rows = [["failed", each] for each in found["failed"]]
    if found["state"] != CONNECTED:
        return [*rows, ["connection", f"{found['state']}: {found['reason']}"]]
    who = found["editor"] or "the companion"
    if not found["port"]:
        diffs = "shows diffs" if found["diffs"] else "shows no diffs"
        return [*rows, ["connection", f"connected: the program of {who} answers, and {diffs}"]]
    tokens = {True: "takes the token, and nothing without it", False: "answers without the token too"}
    token = tokens.get(found["checks_token"], "asks for no token")
    rows.append(["connection", f"connected: {who} at port {found['port']} {token}"])
    return [*rows, ["context", "no session was opened: `pisces ide watch --once` shows what is open"]]


_EXAMPLES = (
    ("pisces ide status", "for people"),
    ("pisces ide status --no-connect", "only look"),
    ("pisces ide status --output-format json", "for a bug report: no token is in it"),
)
_SUMMARY = "which editor answers, which companions were found, and why the others were not chosen"
COMMAND = ShellCommand("ide status", _SUMMARY, _EXAMPLES, _arguments, _run)
