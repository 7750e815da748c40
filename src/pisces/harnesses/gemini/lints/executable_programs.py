"""The programs of executable commands: there for this platform, executable, and with the header of a program."""

from __future__ import annotations

import os
import stat

from pisces.checking.executables import executable_place, executables
from pisces.checking.lint import Lint
from pisces.checking.spelling import did_you_mean
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.discovery.containment import stays_inside
from pisces.discovery.finders.executable_commands import KEYS
from pisces.discovery.shipped_platforms import shipped_platforms
from pisces.formats.program_header import EMPTY, ENOUGH, TEXT, UNKNOWN, program_header
from pisces.harnesses.gemini.lints.commands import COMMAND_TAKEN
from pisces.shapes.binary_template import filled
from pisces.shapes.command import Command
from pisces.shapes.platform_names import this_platform

EXECUTABLE_MISSING = Rule("executable-missing", WARNING, "The program of a command is not there")
EXECUTABLE_OUTSIDE = Rule(
    "executable-outside", ERROR, "The program of a command is a link that leads out of its package"
)
EXECUTABLE_NOT_RUNNABLE = Rule("executable-not-runnable", WARNING, "The program of a command must not be run")
EXECUTABLE_FORMAT = Rule("executable-format", WARNING, "The program of a command is neither a program nor a script")
EXECUTABLE_LINE_ENDS = Rule("executable-line-ends", ERROR, "A script's first line ends as on Windows")
EXECUTABLE_KEY = Rule("executable-key", WARNING, "A key of an executable command that nobody reads")
EXECUTABLE_SUBCOMMAND_TWICE = Rule("executable-subcommand-twice", WARNING, "A subcommand is listed twice")


def _find(subject: Subject) -> Diagnostics:
    for command in executables(subject):
        yield from _entry_flaws(subject, command)
        yield from _program_flaws(subject, command)


def _entry_flaws(subject: Subject, command: Command) -> Diagnostics:
    commands = (subject.pages.json(command.path) or {}).get("commands") or {}
    entry = commands.get(command.name) or {}
    for key in entry:
        if key not in KEYS:
            place, hint = executable_place(subject, command, key), did_you_mean(key, KEYS)
            yield EXECUTABLE_KEY.at(command.path, f"`{key}` has no effect", place=place, hint=hint, about=command.name)
    words = entry.get("subcommands") or ()
    for index, word in enumerate(words):
        if word in words[:index]:
            place = executable_place(subject, command, "subcommands", index)
            message = f"`{word}` is listed twice"
            yield EXECUTABLE_SUBCOMMAND_TWICE.at(command.path, message, place=place, about=command.name)
    if command.final_name != command.name:
        message = f"`/{command.name}` is taken: users type `/{command.final_name}`"
        yield COMMAND_TAKEN.at(command.path, message, place=executable_place(subject, command), about=command.name)


def _program_flaws(subject: Subject, command: Command) -> Diagnostics:
    if command.executable is None:
        return
    template, here = command.executable.binary, this_platform()
    path = filled(template, subject.folder, here)
    if os.name == "nt" and not os.path.isfile(path):
        path += ".exe"
    if os.path.isfile(path):
        yield from _file_flaws(subject, command, path)
        return
    others = shipped_platforms(template, subject.folder)
    relative = os.path.relpath(path, subject.folder).replace(os.sep, "/")
    message = f"`{relative}` is a folder" if os.path.isdir(path) else f"`{relative}` does not exist"
    hint = f"it is there for {', '.join(others)}" if others else "if it is built, check what is released"
    place = executable_place(subject, command, "binary")
    yield EXECUTABLE_MISSING.at(command.path, message, place=place, hint=hint, about=command.name)


def _file_flaws(subject: Subject, command: Command, path: str) -> Diagnostics:
    if not stays_inside(path, subject.folder):
        place = executable_place(subject, command, "binary")
        message = "the program is a link that leads out of the package"
        hint = "put the program itself into the package"
        yield EXECUTABLE_OUTSIDE.at(command.path, message, place=place, hint=hint, about=command.name)
        return
    if os.name != "nt" and not os.stat(path).st_mode & stat.S_IXUSR:
        relative = os.path.relpath(path, subject.folder).replace(os.sep, "/")
        hint = f"chmod +x {relative}, or git update-index --chmod=+x {relative}"
        yield EXECUTABLE_NOT_RUNNABLE.at(path, "the file has no run bit", hint=hint, about=command.name)
    header = program_header(_beginning(path))
    if header.flaw == "crlf":
        hint = "save the file with LF line ends, and say so in .gitattributes: `bin/* text eol=lf`"
        message = "the first line ends with a carriage return"
        yield EXECUTABLE_LINE_ENDS.at(path, message, place=(1, 1), hint=hint, about=command.name)
    elif header.kind in (TEXT, EMPTY, UNKNOWN) or header.flaw:
        hint = "begin with `#!/usr/bin/env python3`, or what else runs it" if header.kind == TEXT else ""
        yield EXECUTABLE_FORMAT.at(path, _what(header.kind, header.flaw), place=(1, 1), hint=hint, about=command.name)


def _what(kind: str, flaw: str) -> str:
    if flaw == "mark":
        return "a byte order mark stands before the `#!`"
    if flaw == "empty":
        return "nothing stands behind the `#!`"
    messages = {TEXT: "the script does not begin with `#!`", EMPTY: "the file is empty"}
    return messages.get(kind, "the file is no program of Linux, macOS or Windows")


def _beginning(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(ENOUGH)
    except OSError:
        return b""


LINT = Lint("the programs of executable commands", _find, "gemini")
