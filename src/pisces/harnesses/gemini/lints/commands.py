"""Command files of Gemini CLI: what fails when they run, and names that users cannot type as written."""

from __future__ import annotations

import os
import re

from pisces.checking.lint import Lint
from pisces.checking.spelling import did_you_mean
from pisces.checking.subject import Subject
from pisces.diagnostics import NOTE, WARNING, Diagnostics, Rule
from pisces.discovery.injection_rules import BALANCE_HINT, COMMAND_FILE_IN_SHELL, COMMAND_INJECTION
from pisces.formats.injections import UNCLOSED, injections
from pisces.harnesses.gemini.lints._command_prompts import CommandPrompt, command_prompts

COMMAND_KEY = Rule("command-key", WARNING, "A key of a command file that Gemini CLI does not read")
COMMAND_EMPTY = Rule("command-empty", WARNING, "A command has nothing to say")
COMMAND_LONG_DESCRIPTION = Rule("command-long-description", NOTE, "A command's description is cut")
COMMAND_NAME = Rule("command-name", WARNING, "A command is called otherwise than its file")
COMMAND_TAKEN = Rule("command-taken", WARNING, "A command's name is taken")

KEYS = ("prompt", "description")
_SHOWN = 100
_BLANK = re.compile(r"\s+")


def _find(subject: Subject) -> Diagnostics:
    for command in command_prompts(subject):
        yield from _prompt_flaws(command)
        yield from _key_flaws(command)
    yield from _name_flaws(subject)


def _prompt_flaws(command: CommandPrompt) -> Diagnostics:
    prompt = command.prompt
    if not prompt.strip():
        place = command.key_place("prompt")
        yield COMMAND_EMPTY.at(command.path, "`prompt` is empty", place=place, about=command.name)
    shell = injections(prompt, "!{")
    for start, end in (*shell, *injections(prompt, "@{")):
        if end == UNCLOSED:
            message = f"`{_start_of(prompt[start:])}` is not closed: the command fails when it is run"
            place = command.place(start)
            yield COMMAND_INJECTION.at(command.path, message, place=place, hint=BALANCE_HINT, about=command.name)
    for start, end in shell:
        inner = prompt.find("@{", start, end) if end != UNCLOSED else -1
        if inner >= 0:
            message = f"`{_start_of(prompt[inner:])}` stands inside `!{{...}}`"
            place = command.place(inner)
            yield COMMAND_FILE_IN_SHELL.at(command.path, message, place=place, about=command.name)


def _start_of(text: str) -> str:
    line = text.split("\n", 1)[0]
    return line if len(line) <= 30 else line[:29] + "…"


def _key_flaws(command: CommandPrompt) -> Diagnostics:
    for key in command.values:
        if key not in KEYS:
            place = command.key_place(key)
            hint = did_you_mean(key, KEYS)
            yield COMMAND_KEY.at(command.path, f"`{key}` has no effect", place=place, hint=hint, about=command.name)
    description = command.values.get("description")
    if isinstance(description, str) and len(_BLANK.sub(" ", description).strip()) > _SHOWN:
        place = command.key_place("description")
        message = f"the description has {len(description)} characters, {_SHOWN} are shown"
        yield COMMAND_LONG_DESCRIPTION.at(command.path, message, place=place, about=command.name)


def _name_flaws(subject: Subject) -> Diagnostics:
    for found in subject.items("commands", "gemini"):
        command = found.item
        if command.executable:
            continue
        last = os.path.basename(command.path).removesuffix(".toml")
        written = command.name.rsplit(":", 1)[-1]
        if written != last:
            yield COMMAND_NAME.at(command.path, f"`{last}.toml` becomes `/{command.name}`", about=command.name)
        if command.final_name != command.name:
            message = f"`/{command.name}` is taken: users type `/{command.final_name}`"
            yield COMMAND_TAKEN.at(command.path, message, about=command.name)


LINT = Lint("command files of Gemini CLI", _find, "gemini")
