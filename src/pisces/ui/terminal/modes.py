"""Approval modes at the terminal, and what each means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.shapes.session_facts import MODE_ALL, MODE_ASK, MODE_EDITS, MODE_PLAN
from pisces.ui.terminal.listing import say

if TYPE_CHECKING:
    from pisces.session.session import Session
    from pisces.ui.terminal.panel import TerminalScreen

MEANINGS = {
    MODE_ASK: "what only reads the workspace runs, anything else is asked about",
    MODE_EDITS: "files of the workspace may be changed without a question",
    MODE_PLAN: "nothing is changed but the plan",
    MODE_ALL: "everything runs that nobody denies",
}


def choose_mode(session: Session, screen: TerminalScreen, mode: str) -> None:
    session.host.mode = mode
    say(screen, f"mode `{mode}`: {MEANINGS[mode]}", "warn" if mode == MODE_ALL else "dim")
