"""Runs a program that wants a terminal: on a pseudoterminal of its own where the system has them.

On Windows it shares the console with us instead: its keys, its Ctrl-C and its output are then not ours to guard.
"""

from __future__ import annotations

import sys

from pisces.processes.systems.terminals import UserTerminal

if sys.platform == "win32":
    from pisces.processes.systems.windows import run_in_terminal
else:
    from pisces.processes.systems.pseudoterminal import run_in_terminal

__all__ = ["UserTerminal", "run_in_terminal"]
