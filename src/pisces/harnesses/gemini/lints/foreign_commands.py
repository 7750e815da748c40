"""Claude Code's syntax in a Gemini extension: its placeholders, its shell syntax and its Markdown commands."""

from __future__ import annotations

import os
import re

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import WARNING, Diagnostics, Rule
from pisces.discovery.denied import left_over
from pisces.discovery.package_format import all_formats
from pisces.files import walk
from pisces.harnesses.gemini.lints._command_prompts import CommandPrompt, command_prompts

COMMAND_ARGUMENTS = Rule("command-arguments", WARNING, "A Gemini command uses Claude Code's placeholder for arguments")
COMMAND_SHELL = Rule("command-shell", WARNING, "A Gemini command uses Claude Code's syntax for shell commands")
COMMAND_MARKDOWN = Rule("command-markdown", WARNING, "A Markdown command in a Gemini extension")

# `$5` may be a price; arguments begin with `$1`.
_ARGUMENTS = re.compile(r"\$ARGUMENTS\b|\$\{ARGUMENTS\}|(?<![\w$\\'\"{(])\$1(?![\w.,])")
_SHELL = re.compile(r"(?<![\w`!\[])!`[^`\n]+`")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|!\{[^}]*\}", re.DOTALL)


def _find(subject: Subject) -> Diagnostics:
    for command in command_prompts(subject):
        if found := _placeholder(command):
            hint = "write `{{args}}`"
            message = f"`{found[0]}` is not filled in"
            place = command.place(found.start())
            yield COMMAND_ARGUMENTS.at(command.path, message, place=place, hint=hint, about=command.name)
        if "!`" in command.prompt and (found := _SHELL.search(command.prompt)):
            hint = f"write `!{{{found[0][2:-1]}}}`"
            place = command.place(found.start())
            yield COMMAND_SHELL.at(command.path, f"`{found[0]}` is not run", place=place, hint=hint, about=command.name)
    markdown = list(_markdown(subject)) if "gemini" in subject.formats else []
    if markdown and not _is_for_others(subject):
        yield from markdown


def _is_for_others(subject: Subject) -> bool:
    """Whether the package is for another harness with commands too: its manifest, or the manifest's folder, exists."""
    others = [each for each in all_formats() if each.id != "gemini" and "/" in each.manifest]
    manifests = [each.manifest for each in others if "commands" in each.looks]
    return any(os.path.lexists(subject.inside(each.split("/")[0])) for each in manifests)


def _placeholder(command: CommandPrompt) -> re.Match[str] | None:
    """`$1` in code belongs to a shell or to awk; `$ARGUMENTS` is Claude Code's everywhere."""
    prompt = command.prompt
    if "$1" not in prompt and "ARGUMENTS" not in prompt:
        return None
    plain = _CODE.sub(lambda code: re.sub(r"\$\d", "  ", code[0]), prompt)
    return _ARGUMENTS.search(plain)


def _markdown(subject: Subject) -> Diagnostics:
    cuts: list[str] = []
    for entry in walk(subject.inside("commands"), cut=cuts.append):
        stem, extension = os.path.splitext(entry.name)
        if extension != ".md" or stem.isupper() or stem.lower() == "readme":
            continue
        if not os.path.lexists(entry.path[: -len(extension)] + ".toml"):
            message = f"`{entry.name}` is not a command for Gemini CLI"
            hint = "write a `.toml` file with a `prompt`, or move a text that is only read elsewhere"
            yield COMMAND_MARKDOWN.at(entry.path, message, hint=hint, about=stem)
    yield from left_over(cuts)


LINT = Lint("what was brought along from Claude Code", _find, "gemini")
