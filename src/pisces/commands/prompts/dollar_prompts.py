"""Markdown commands: `$ARGUMENTS`, `$ARGUMENTS[0]`, `$1`, named arguments, `` !`line` ``, ```` ```! ````, `@path`.

As Claude Code 2.1 does it: a number without an argument stays as it is, arguments that found no place are appended, a
backslash keeps a placeholder, `!` and `@` count after a blank or at the start of a line, and a line that fails fails
the command. It counts `$0`, `$1`; here `$1` is the first argument where a file has neither `$0` nor `$ARGUMENTS[...]`,
because files of that time, Anthropic's own among them, mean it so.
"""

from __future__ import annotations

import os
import re

from pisces.commands.names.argument_words import split_words
from pisces.commands.prompts.line_arguments import Given
from pisces.commands.prompts.markdown_prompt import Template, cut, joined, markdown_of
from pisces.diagnostics import ERROR, NOTE, PiscesError, Rule
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.commands.prompts.expansion import Expansion
    from pisces.commands.prompts.shell_line import ShellOutput
    from pisces.diagnostics import Diagnostic
    from pisces.discovery.markdown_file import MarkdownFile
    from pisces.shapes.prompt import Prompt

LINE_FAILED = Rule("shell-line-failed", ERROR, "A command line of a prompt file failed")
COUNTED_FROM_ONE = Rule("arguments-from-one", NOTE, "`$1` is read as the first argument")

_LINE_OR_MENTION = r'```!(?P<fence>(?s:.*?))```|(?<!\S)!`(?P<line>[^`]+)`|(?<!\S)@(?P<at>"[^"\n]+"|\S+)'
_VARIABLE = r"\$\{(?P<variable>CLAUDE_\w+)\}"
_PLUGIN = os.path.join(".claude-plugin", "plugin.json")
_FROM_ZERO = re.compile(r"\$0(?!\w)|\$ARGUMENTS\[\d{1,9}\]", re.ASCII)


class Words(Value):
    """The arguments of one call, and what the file's header and folder add to them."""

    typed: str
    words: tuple[str, ...]
    first: int  # what the first argument is called, 0 or 1
    names: tuple[str, ...]
    variables: dict[str, str]

    def fill(self, match: re.Match[str]) -> Given | str | None:
        if match["escaped"]:
            return match["escaped"]
        if match["variable"]:
            value = self.variables.get(match["variable"])
            return None if value is None else Given(value, (value,), is_typed=False)
        if match["index"]:
            return self._at(int(match["index"]))
        if match["number"]:
            return self._at(int(match["number"]) - self.first)
        if match["name"]:
            return self._at(self.names.index(match["name"])) or Given("", ())
        return Given(self.typed, tuple(split_words(self.typed)))

    def _at(self, index: int) -> Given | None:
        return Given(self.words[index], (self.words[index],)) if 0 <= index < len(self.words) else None


def expand(expansion: Expansion) -> Prompt:
    file = markdown_of(expansion)
    text = file.body.lstrip() if file.header else file.body
    package = _plugin_folder(expansion.command.path)
    words = _words(expansion, file, text, package)
    placeholder = re.compile(_placeholders(words.names), re.ASCII)
    special = re.compile(f"{_LINE_OR_MENTION}|{placeholder.pattern}", re.ASCII)
    pieces = cut(Template(text, special, placeholder, words.fill), expansion)
    used = [match for match in placeholder.finditer(text) if _takes_argument(match, words)]
    if words.typed and not used:
        pieces.append(f"\n\nARGUMENTS: {words.typed}")
    prompt = joined(pieces, expansion, lambda line, output: _output(line, output, expansion), package)
    return prompt.replace(diagnostics=(*_base(words, used, expansion), *prompt.diagnostics))


def _words(expansion: Expansion, file: MarkdownFile, text: str, package: str) -> Words:
    typed = expansion.args.strip()
    variables = {"CLAUDE_PROJECT_DIR": expansion.places.cwd}
    if package:
        variables["CLAUDE_PLUGIN_ROOT"] = package
    if os.path.basename(file.path) == "SKILL.md":
        variables["CLAUDE_SKILL_DIR"] = os.path.dirname(file.path)
    return Words(typed, tuple(split_words(typed)), 0 if _FROM_ZERO.search(text) else 1, _names(file), variables)


def _names(file: MarkdownFile) -> tuple[str, ...]:
    """`arguments: issue branch`, or a list of names."""
    value = file.fields.get("arguments")
    names = re.split(r"[\s,]+", value) if isinstance(value, str) else value if isinstance(value, list) else []
    return tuple(name for name in names if isinstance(name, str) and name)


def _placeholders(names: tuple[str, ...]) -> str:
    named = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or r"(?!)"
    return (
        rf"(?<!\\)\\(?P<escaped>\$(?:ARGUMENTS(?:\[\d{{1,9}}\])?|\d{{1,9}}(?!\w)|(?:{named})(?!\w)))|{_VARIABLE}"
        rf"|\$ARGUMENTS\[(?P<index>\d{{1,9}})\]|\$(?P<all>ARGUMENTS)|\$(?P<number>\d{{1,9}})(?!\w)|\$(?P<name>{named})(?!\w)"
    )


def _takes_argument(match: re.Match[str], words: Words) -> bool:
    return not match["variable"] and isinstance(words.fill(match), Given)


def _base(words: Words, used: list[re.Match[str]], expansion: Expansion) -> tuple[Diagnostic, ...]:
    if not words.first or not any(match["number"] for match in used):
        return ()
    message = "`$1` is the first argument here; Claude Code itself counts from `$0`"
    hint = "write `$ARGUMENTS[0]` for the first argument, which means the same everywhere"
    return (COUNTED_FROM_ONE.at(expansion.command.path, message, hint=hint, about=expansion.command.name),)


def _output(line: str, output: ShellOutput, expansion: Expansion) -> str:
    if output.code == 0 and not output.reason:
        return output.text
    how = f"ended with code {output.code}" if output.code else output.reason or f"was ended by signal {output.signal}"
    last = output.text.rsplit("\n", 1)[-1][:200]
    message = f"`{line}` {how}" + (f": {last}" if last else "")
    hint = "add `|| true` to a line that may fail"
    command = expansion.command
    raise PiscesError(LINE_FAILED.at(command.path, message, hint=hint, about=command.name))


def _plugin_folder(path: str) -> str:
    """The nearest folder above with a plugin's manifest, for `${CLAUDE_PLUGIN_ROOT}`; empty where there is none.

    A repository's own commands in `.claude` belong to no plugin, even if the repository is one.
    """
    folder = os.path.dirname(path)
    while os.path.basename(folder) != ".claude" and os.path.dirname(folder) != folder:
        if os.path.isfile(os.path.join(folder, _PLUGIN)):
            return folder
        folder = os.path.dirname(folder)
    return ""
