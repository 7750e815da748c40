"""The grammar of Claude Code's texts, cut into parts; expanding it is `commands/prompts/dollar_prompts`.

As 2.1.325 does it. Commands and skills are read alike: arguments, lines that run, files, variables; code fences mean
nothing. In subagents only variables count. A number that has more than one digit is a price, not an argument. Spellings
that Claude Code leaves to the shell (`$CLAUDE_PLUGIN_ROOT`) are variables here too: no other program sets them.
"""

from __future__ import annotations

import re

from pisces.converting import prompt_text as neutral
from pisces.converting.plugin import PluginAgent, PluginContext
from pisces.converting.prompt_text import (
    PromptArgument,
    PromptArguments,
    PromptInclude,
    PromptLine,
    PromptLiteral,
    PromptText,
    PromptVariable,
)
from pisces.converting.text_parts import cut, joined
from pisces.shapes.field import words_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.converting.plugin import PluginItem
    from pisces.converting.prompt_text import Part

_NAMES = {
    "CLAUDE_PLUGIN_ROOT": neutral.ROOT,
    "CLAUDE_PLUGIN_DATA": neutral.DATA,
    "CLAUDE_PROJECT_DIR": neutral.PROJECT,
    "CLAUDE_SKILL_DIR": neutral.SKILL_FOLDER,
    "CLAUDE_SESSION_ID": neutral.SESSION,
    "CLAUDE_CODE_SESSION_ID": neutral.SESSION,
}
_OPTION = "CLAUDE_PLUGIN_OPTION_"
_DEEPEST = 8  # of braces in what a variable is without a value: a whole program may stand there


def _balanced(levels: int) -> str:
    """A pattern for text whose braces are closed, so deep at most."""
    return rf"(?>(?:[^{{}}]|\{{{_balanced(levels - 1)}\}})*)" if levels else "[^{}]*"


_DEFAULT = rf"(?::-(?P<default>{_balanced(_DEEPEST)}))?"
_OWN = (
    rf"\$\{{(?P<braced>CLAUDE_\w+){_DEFAULT}\}}|\$(?P<bare>CLAUDE_(?:PLUGIN_(?:ROOT|DATA|OPTION_\w+)|PROJECT_DIR|SKILL_DIR"
    r"|SESSION_ID))(?!\w)|\$\{user_config\.(?P<setting>[A-Za-z_]\w*)\}"
)
_ANY = rf"{_OWN}|\$\{{(?P<environment>[A-Za-z_]\w*){_DEFAULT.replace('default', 'otherwise')}\}}"
_VARIABLES = re.compile(_OWN, re.ASCII)
_STRINGS = re.compile(_ANY, re.ASCII)
_FROM_ZERO = re.compile(r"\$0(?!\w)|\$ARGUMENTS\[\d{1,9}\]", re.ASCII)
_AFTER_A_NAME = ".,:;!?)]}>*_'\""
_LINES = re.compile(r"#L\d{1,9}(?:-L?\d{1,9})?\Z", re.ASCII)
_PATH_STARTS = ("~/", "./", "../", "/")
# What is behind the last dot of a name that is a file; `@app.route` is none.
_FILE = re.compile(
    r"""[^()\[\]{}<>=`|;]*\.(?:md|mdx|mdc|txt|rst|adoc|jsonc?|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|csv|tsv|xml|html?|css
    |s[ac]ss|less|[cm]?[jt]sx?|vue|svelte|py|pyi|ipynb|rb|go|rs|java|kts?|swift|dart|c|h|cc|cpp|hpp|cs|fs|php|pl|lua|r|jl
    |exs?|erl|hs|scala|clj|sh|bash|zsh|fish|ps1|bat|sql|graphql|proto|tf|hcl|nix|gradle|cmake|pdf|png|jpe?g|gif|svg|webp
    |log|diff|patch|example|sample|local)""",
    re.IGNORECASE | re.VERBOSE,
)


class _Grammar(Value):
    """`first` is what the first argument is called, 0 or 1; `names` are those that the header gives to arguments."""

    first: int
    names: tuple[str, ...]
    placeholder: re.Pattern[str]
    special: re.Pattern[str]

    def part(self, match: re.Match[str]) -> Part:
        groups = match.groupdict()
        line = groups.get("line") or groups.get("fence")
        if line is not None:
            return self._line(match, line)
        if groups.get("at"):
            return match[0]  # `_included` has cut it already
        return self._placeholder(match)

    def _line(self, match: re.Match[str], line: str) -> Part:
        if not line.strip():
            return match[0]
        parts = cut(line.strip(), self.placeholder, self._placeholder)
        return PromptLine(parts, match[0], match[0].startswith("```"))

    def _placeholder(self, match: re.Match[str]) -> Part:
        if match["escaped"]:
            return PromptLiteral(match["escaped"], match[0])
        if match["index"]:
            return PromptArgument(int(match["index"]), match[0])
        if match["number"]:
            number = int(match["number"]) - self.first
            return PromptArgument(number, match[0]) if number >= 0 else match[0]
        if match["name"]:
            return PromptArgument(self.names.index(match["name"]), match[0], match["name"])
        return PromptArguments(match[0]) if match["all"] else _variable(match)

    def pieces(self, text: str) -> tuple[Part, ...]:
        """A mention may be followed by signs that are text again, so that a match can be several parts."""
        found: list[Part] = []
        end = 0
        for match in self.special.finditer(text):
            found.append(text[end : match.start()])
            found += self._included(match) if match["at"] else (self.part(match),)
            end = match.end()
        return joined((*found, text[end:]))

    def _included(self, match: re.Match[str]) -> tuple[Part, ...]:
        written = match["at"]
        if written.startswith('"'):
            inner = written[1:-1]
            return (PromptInclude(cut(inner, self.placeholder, self._placeholder), match[0]),)
        name = written.rstrip(_AFTER_A_NAME) if not written.endswith("}") else written
        parts = cut(name, self.placeholder, self._placeholder)
        if not _names_a_file(name, parts):
            return ("@", *cut(written, self.placeholder, self._placeholder))
        return (PromptInclude(parts, f"@{name}"), written[len(name) :])


def template(text: str, kind: type[PluginItem], fields: Mapping[str, Any]) -> PromptText:
    if issubclass(kind, PluginAgent | PluginContext):
        return PromptText(cut(text, _VARIABLES, _variable))
    if not any(sign in text for sign in "$!@"):
        return neutral.plain(text)
    return PromptText(_grammar(text, words_of(fields.get("arguments")) or ()).pieces(text))


def variables(text: str) -> PromptText:
    """Of a line of a hook, or a string of a server: there, `${NAME}` is the environment's."""
    return PromptText(cut(text, _STRINGS, _variable)) if "$" in text else neutral.plain(text)


def _grammar(text: str, names: tuple[str, ...]) -> _Grammar:
    placeholders = _placeholders(names)
    special = r'```!(?P<fence>(?s:.*?))```|(?<!\S)!`(?P<line>[^`]+)`|(?<!\S)@(?P<at>"[^"\n]+"|\S+)'
    first = 0 if _FROM_ZERO.search(text) else 1
    compiled = (re.compile(placeholders, re.ASCII), re.compile(f"{special}|{placeholders}", re.ASCII))
    return _Grammar(first, names, *compiled)


def _placeholders(names: tuple[str, ...]) -> str:
    named = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True) if name) or r"(?!)"
    return (
        rf"(?<!\\)\\(?P<escaped>\$(?:ARGUMENTS(?:\[\d{{1,9}}\])?|\d(?!\w)|(?:{named})(?!\w)))|{_OWN}"
        rf"|\$ARGUMENTS\[(?P<index>\d{{1,3}})\]|\$(?P<all>ARGUMENTS)|\$(?P<number>\d)(?!\w)|\$(?P<name>{named})(?!\w)"
    )


def _names_a_file(name: str, parts: tuple[Part, ...]) -> bool:
    """Whether Claude Code may find a file of this name. `@types/node`, `@param` and `@app.route` are text."""
    bare = _LINES.sub("", name)
    if any(not isinstance(each, str) for each in parts):
        return True
    return (bare.startswith(_PATH_STARTS) and len(bare) > 2) or bool(_FILE.fullmatch(bare))


def _variable(match: re.Match[str]) -> PromptVariable:
    groups = match.groupdict()
    if groups["setting"]:
        return PromptVariable(f"{neutral.SETTING}{groups['setting']}", match[0])
    if environment := groups.get("environment"):
        return PromptVariable(f"{neutral.ENVIRONMENT}{environment}", match[0], groups["otherwise"])
    name = groups["braced"] or groups["bare"]
    if name.startswith(_OPTION):
        return PromptVariable(f"{neutral.SETTING}{name.removeprefix(_OPTION)}", match[0], groups["default"])
    return PromptVariable(_NAMES.get(name, f"{neutral.ENVIRONMENT}{name}"), match[0], groups["default"])
