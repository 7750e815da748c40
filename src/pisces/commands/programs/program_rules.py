"""Why a program cannot be started: one rule for each reason that can be seen before it is tried."""

from __future__ import annotations

from pisces.diagnostics import ERROR, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic

MISSING = Rule("program-missing", ERROR, "The program of a command is not there")
OUTSIDE = Rule("program-outside", ERROR, "The program of a command lies outside of its package")
NOT_A_FILE = Rule("program-not-a-file", ERROR, "What a command names is not a file")
UNREADABLE = Rule("program-unreadable", ERROR, "The program of a command cannot be read")
SWAPPED = Rule("program-swapped", ERROR, "The program of a command changed while it was checked")
NOT_EXECUTABLE = Rule("program-not-executable", ERROR, "The program of a command must not be run")
NOEXEC = Rule("program-noexec", ERROR, "The program of a command lies on a disk from which nothing may be run")
ARCHITECTURE = Rule("program-architecture", ERROR, "The program of a command is built for another machine")
FORMAT = Rule("program-format", ERROR, "The program of a command is neither a program nor a script")
LINE_ENDS = Rule("program-line-ends", ERROR, "A script's first line ends as on Windows")
INTERPRETER = Rule("program-interpreter", ERROR, "What runs a script is not installed")
LOADER = Rule("program-loader", ERROR, "A program was built for another family of Linux systems")


def noexec(path: str) -> Diagnostic:
    message = "the program lies on a disk that is mounted with `noexec`"
    return NOEXEC.at(path, message, hint="install the package into another folder, or mount the disk with `exec`")
