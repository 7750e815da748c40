"""TOML prompt files: `{{args}}`, `@{path}` and `!{line}`; without `{{args}}`, the typed line comes last.

As Gemini CLI does it: inside `!{}` the arguments are one quoted word.
"""

from __future__ import annotations

import os
import re

from pisces.commands.prompts.brace_prompts import ARGS, SHELL, BracePrompt, parts_of
from pisces.commands.prompts.line_arguments import Given
from pisces.diagnostics import Diagnostic, PiscesError
from pisces.discovery.finders.toml_commands import read_command
from pisces.discovery.injection_rules import BALANCE_HINT, COMMAND_FILE_IN_SHELL, COMMAND_INJECTION
from pisces.files import read_text
from pisces.formats.injections import UNCLOSED, injections, offset_in_file
from pisces.formats.malformed import place_at
from pisces.formats.position import toml_place
from pisces.formats.toml import parse
from pisces.shapes.prompt import TEXT, Part, Prompt
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.commands.prompts.expansion import Expansion
    from pisces.shapes.command import Command

_PLACEHOLDER = re.compile(re.escape(ARGS))


class _TomlFile(Value):
    """`text` is the file as written, `prompt` the value in it."""

    command: Command
    text: str
    prompt: str

    def place(self, offset: int) -> tuple[int, int]:
        """Of a character of the prompt; of the key `prompt` where escapes hide it."""
        at = offset_in_file(self.text, self.prompt, offset)
        return place_at(self.text, at) if at >= 0 else toml_place(self.text, ("prompt",))

    def unclosed(self, start: int) -> Diagnostic:
        path, name, place = self.command.path, self.command.name, self.place(start)
        if any(begin == start and end != UNCLOSED for begin, end in injections(self.prompt, SHELL)):
            message = "a `@{...}` stands inside `!{...}`, which tears the command line apart"
            hint = "name the file in the command line itself"
            return COMMAND_FILE_IN_SHELL.at(path, message, place=place, hint=hint, about=name)
        message = f"`{self.prompt[start : start + 2]}` is not closed"
        return COMMAND_INJECTION.at(path, message, place=place, hint=BALANCE_HINT, about=name)


def expand(expansion: Expansion) -> Prompt:
    file, args = _file_of(expansion.command), expansion.args
    given = Given(args, (args,) if args else ())
    template = BracePrompt(file.prompt, _PLACEHOLDER, lambda _: given, file.place, file.unclosed)
    parts, diagnostics = parts_of(template, expansion)
    if args and ARGS not in file.prompt:
        parts = _appended(parts, expansion.raw)
    return Prompt(tuple(parts), tuple(diagnostics))


def _file_of(command: Command) -> _TomlFile:
    """The command's file; its finder's diagnostic where it has no prompt."""
    read = read_command(command.path, os.path.dirname(command.path))
    if isinstance(read, Diagnostic):
        raise PiscesError(read)
    text = read_text(command.path)
    return _TomlFile(command, text, str(parse(text)["prompt"]))


def _appended(parts: list[Part], raw: str) -> list[Part]:
    if not parts:
        return [Part(raw)]
    last = parts[-1]
    if last.mime != TEXT:
        return [*parts, Part(f"\n\n{raw}")]
    return [*parts[:-1], last.replace(text=f"{last.text}\n\n{raw}")]
