"""Why a program cannot be started: one rule for each reason that can be seen before it is tried."""

from __future__ import annotations

from pisces.diagnostics import ERROR, Rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic

MISSING = Rule(
    "program-missing",
    ERROR,
    "The program of a command is not there",
    "Its package does not have it, or not for this system and processor.",
    "bin/linux/x64/gallery, on a Mac",
    "bin/darwin/arm64/gallery beside it",
)
OUTSIDE = Rule(
    "program-outside",
    ERROR,
    "The program of a command lies outside of its package",
    "A link leads away from what was reviewed and agreed to, so it is not followed.",
    "bin/gallery -> /usr/local/bin/gallery",
    "bin/gallery, a file of the package",
)
NOT_A_FILE = Rule(
    "program-not-a-file",
    ERROR,
    "What a command names is not a file",
    "A folder, a pipe or a device cannot be run.",
    '"binary": "${extensionPath}/bin"',
    '"binary": "${extensionPath}/bin/gallery"',
)
UNREADABLE = Rule(
    "program-unreadable",
    ERROR,
    "The program of a command cannot be read",
    "What cannot be read cannot be checked, and what is not checked is not run.",
    "---x--x--x bin/gallery",
    "-rwxr-xr-x bin/gallery",
)
SWAPPED = Rule(
    "program-swapped",
    ERROR,
    "The program of a command changed while it was checked",
    "The file that was opened is not the one that lies there. An update may be under way, or somebody plays tricks.",
    "bin/gallery, replaced in the middle of the check",
    "Run the command again once nothing writes to the package.",
)
NOT_EXECUTABLE = Rule(
    "program-not-executable",
    ERROR,
    "The program of a command must not be run",
    "Linux and macOS run only files with the run bit. It gets lost in archives made on Windows, for example.",
    "-rw-r--r-- bin/gallery",
    "-rwxr-xr-x bin/gallery",
)
NOEXEC = Rule(
    "program-noexec",
    ERROR,
    "The program of a command lies on a disk from which nothing may be run",
    "The file system is mounted with `noexec`, as it is usual for temporary folders on servers.",
    "a package linked from a folder below /mnt/shared, mounted with noexec",
    "the same package, installed into the home folder",
)
ARCHITECTURE = Rule(
    "program-architecture",
    ERROR,
    "The program of a command is built for another machine",
    "Its first bytes name a system or a processor that is not this one.",
    "bin/gallery, built for arm64, on x64",
    '"binary": "${extensionPath}/bin/${platform}/${arch}/gallery", with a build for each',
)
FORMAT = Rule(
    "program-format",
    ERROR,
    "The program of a command is neither a program nor a script",
    "It is empty, damaged, or a script whose first line does not say what runs it.",
    "print('hello')",
    "#!/usr/bin/env python3\nprint('hello')",
)
LINE_ENDS = Rule(
    "program-line-ends",
    ERROR,
    "A script's first line ends as on Windows",
    "Linux and macOS take the carriage return for a part of the interpreter's name, and find no such interpreter.",
    "#!/bin/sh\\r\\n",
    "#!/bin/sh\\n",
)
INTERPRETER = Rule(
    "program-interpreter",
    ERROR,
    "What runs a script is not installed",
    "The first line of a script names the program that reads the rest, and it is not on this machine.",
    "#!/usr/bin/env ruby, without Ruby",
    "Install it, or ask the author for a program that needs nothing.",
)
LOADER = Rule(
    "program-loader",
    ERROR,
    "A program was built for another family of Linux systems",
    "It wants a dynamic loader that is not here: musl's (Alpine) and glibc's (most others) do not run each other's "
    "programs. The system itself only says that there is no such file.",
    "a program for glibc in an Alpine container",
    "a static build, or one for each",
)


def noexec(path: str) -> Diagnostic:
    message = "the program lies on a disk that is mounted with `noexec`"
    return NOEXEC.at(path, message, hint="install the package into another folder, or mount the disk with `exec`")
