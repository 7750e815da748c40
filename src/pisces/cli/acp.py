"""`pisces acp`: our agent for editors that speak the Agent Client Protocol, on stdin and stdout."""

from __future__ import annotations

import asyncio

from pisces.by_name import export_of
from pisces.cli._shell_command import COULD_NOT_RUN, FINE, ShellCommand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--model", default="", metavar="NAME", help="provider/model; else the first that is there")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    try:
        serve = export_of("pisces.acp", "agent", "serve_acp")
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("pisces"):
            raise
        screen.failed("editors need a library that is not installed", "pip install 'pisces-agent[acp,agent]'")
        return COULD_NOT_RUN
    asyncio.run(serve(places, arguments.model))
    return FINE


_EXAMPLES = (
    ("pisces acp", "what an editor starts: it speaks JSON on stdin and stdout"),
    ("pisces acp --model anthropic/claude-sonnet-4-5", "with a model of your choice"),
)

_SUMMARY = "the agent for editors that speak the Agent Client Protocol: Zed, JetBrains, Neovim, Emacs"
COMMAND = ShellCommand("acp", _SUMMARY, _EXAMPLES, _arguments, _run)
