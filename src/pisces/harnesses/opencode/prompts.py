"""OpenCode's commands: `$ARGUMENTS`, `$1` and so on, `` !`line` ``, `@path`; the highest number takes all that is left.

A number without an argument is nothing, arguments without any placeholder are appended, and a line that fails says so
in its place. A command may also stand in `opencode.json`, as `template`.
"""

from __future__ import annotations

import re

from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.line_arguments import Given
from pisces.commands.prompts.markdown_prompt import Template, cut, joined, markdown_of
from pisces.diagnostics import Diagnostic, PiscesError
from pisces.discovery.config_file import LENIENT, config_at
from pisces.discovery.harness import Run
from pisces.harnesses.opencode.finders.entries import OPENCODE_ENTRY
from pisces.shapes.prompt import Part, Prompt
from pisces.value import Value

_PLACEHOLDER = re.compile(r"\$(?P<number>\d{1,9})|\$ARGUMENTS", re.ASCII)
_SPECIAL = re.compile(rf"!`(?P<line>[^`]+)`|(?<![\w`])@(?P<at>[^\s`,]+)|{_PLACEHOLDER.pattern}", re.ASCII)
_WORD = re.compile(r""""[^"]*"|'[^']*'|[^\s"']+""")
_QUOTE = re.compile(r"""\A["']|["']\Z""")


class NumberedWords(Value):
    """`last` is the highest number in the template."""

    typed: str
    words: tuple[str, ...]
    last: int

    def fill(self, match: re.Match[str]) -> Given | None:
        if not match["number"]:
            return Given(self.typed, self.words)
        number = int(match["number"])
        if number == 0:
            return None
        end = None if number == self.last else number
        chosen = self.words[number - 1 : end]
        return Given(" ".join(chosen), chosen)


def expand(expansion: Expansion) -> Prompt:
    text = _template(expansion).strip()
    placeholders = list(_PLACEHOLDER.finditer(text))
    last = max((int(found["number"] or 0) for found in placeholders), default=0)
    words = NumberedWords(expansion.args, tuple(_QUOTE.sub("", word) for word in _WORD.findall(expansion.args)), last)
    pieces = cut(Template(text, _SPECIAL, _PLACEHOLDER, words.fill), expansion)
    if not placeholders and words.typed.strip():
        pieces.append(f"\n\n{words.typed}")
    prompt = joined(pieces, expansion, lambda line, output: output.reported(line))
    return prompt.replace(parts=(Part(prompt.parts[0].text.strip()), *prompt.parts[1:]))


def _template(expansion: Expansion) -> str:
    path = expansion.command.path
    if path.endswith(".md"):
        return markdown_of(expansion).body
    file = config_at(path, LENIENT, Run())
    if isinstance(file, Diagnostic):
        raise PiscesError(file)
    entry = file.part(("command", expansion.command.name)) if file else None
    template = entry.get("template") if isinstance(entry, dict) else None
    if not isinstance(template, str):
        message = f"command `{expansion.command.name}` has no text `template`"
        raise PiscesError(OPENCODE_ENTRY.at(path, message, about=expansion.command.name))
    return template
