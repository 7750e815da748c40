"""Asking whether something may run: answered by options of this call, else at a terminal, else with no."""

from __future__ import annotations

import sys

from pisces.gates.lines import line_gate
from pisces.gates.programs import program_gate
from pisces.shapes.request import NEVER, NO, ONCE, PROGRAM, SESSION
from pisces.ui.plain import counted
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from pisces.places import Places
    from pisces.shapes.request import Gate, Request, Verdict
    from pisces.ui.screen import Screen

_FEW_LINES, _FEW_CHARACTERS = 12, 800  # what any window shows together with the question

_YES = {"y": ONCE, "yes": ONCE}
_OF_LINES = {**_YES, "s": SESSION, "never": NEVER}


def add_answers(parser: ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="allow what the command runs, and confirm where it asks")
    parser.add_argument("--accept", metavar="HASH", help="trust a program with exactly this content: sha256:...")


def gate_of(arguments: Namespace, places: Places, screen: Screen) -> Gate:
    """The gate of one call of the shell: command lines and programs, each by its own rules."""

    def allow(request: Request, about: str) -> str:
        return ONCE if arguments.yes else _asked(request, about, places, screen)

    def trust(request: Request, about: str) -> str:
        if arguments.accept:
            return ONCE if arguments.accept == f"sha256:{request.sha256}" else NO
        return _asked(request, about, places, screen)

    lines, programs = line_gate(allow, places), program_gate(trust, allow, places)

    def decide(request: Request) -> Verdict:
        return programs(request) if request.kind == PROGRAM else lines(request)

    return decide


def _asked(request: Request, about: str, places: Places, screen: Screen) -> str:
    if not (sys.stdin and sys.stdin.isatty() and screen.err_is_terminal):
        return NO
    for line in _card(request, about, places):
        screen.note(line)
    choices = "[y]es, [n]o" if request.kind == PROGRAM else "[y]es, for this [s]ession, [n]o, or never"
    typed = _typed(f"Allow it? {choices}: ", screen)
    return (_YES if request.kind == PROGRAM else _OF_LINES).get(typed, NO)  # what was not offered is a no


def _card(request: Request, about: str, places: Places) -> list[str]:
    what = "start a program" if request.kind == PROGRAM else "run a command line"
    lines = [f"{visible(request.command)} wants to {what} in {visible(places.shown(request.cwd))}", ""]
    exact = request.exact.split("\n")
    lines += [f"    {visible(line)}" for line in exact]
    lines += ["", f"  asked by  {visible(places.shown(request.path))}"]
    if len(exact) > _FEW_LINES or len(request.exact) > _FEW_CHARACTERS:
        size = f"{counted(len(exact), 'line')}, {counted(len(request.exact), 'character')}"
        lines.append(f"  length    {size}: scroll up, it may begin above what you see")
    if request.sha256:
        lines.append(f"  content   sha256:{request.sha256}")
        lines.append("  covers    this file alone; others that it loads from its package may change")
    if request.env:
        lines.append(f"  gets      {visible(', '.join(request.env))}")
    if about:
        lines.append(f"  because   {about}")
    return lines


def _typed(question: str, screen: Screen) -> str:
    """Ctrl-C is no answer: it stops everything."""
    typed = ""
    try:
        screen.progress(question)
        typed = sys.stdin.readline()
    finally:
        if not typed.endswith("\n"):
            screen.note()
    return typed.strip().lower()
