"""Texts of skills, agents and commands with every place of theirs in Gemini CLI's words.

Only a command has places that Gemini CLI fills in. In a skill or an agent the model is asked to do the same.
"""

from __future__ import annotations

import re

from pisces.converting import prompt_text as neutral
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, DROPPED, LOST_PLACEHOLDER, lost
from pisces.converting.prompt_text import (
    PromptArgument,
    PromptArguments,
    PromptInclude,
    PromptLine,
    PromptLiteral,
    PromptText,
    PromptVariable,
)
from pisces.harnesses.gemini.writing.shell_lines import ARGS, shell_injection
from pisces.harnesses.gemini.writing.spelling import (
    NEEDS_ROOT,
    SESSION_WORD,
    GeminiSpelling,
    in_shell,
    moved_text,
    variable_text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginAgent, PluginCommand, PluginContext, PluginSkill
    from pisces.converting.prompt_text import Part
    from pisces.harnesses.gemini.writing.plan import ExtensionPlan
    from pisces.harnesses.gemini.writing.shell_lines import ShellPart

    Item = PluginCommand | PluginSkill | PluginAgent | PluginContext

ALL_TYPED = "<arguments>"
TRIGGERS = ("@{", "!{", ARGS)
_PATH = re.compile(r"(?!/)[\w ./-]*[\w-](?:\.\w{1,10}|/)")
_OWN_VARIABLE = re.compile(r"\$\{(?:extensionPath|workspacePath)\}")
_PUNCTUATION = ".,;:!?)]*"
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


class TextWriter:
    """One text of one item, with a `text` that each kind of text makes in its own way.

    `fates` grows while it is written: one for each kind of place that is not the same.
    """

    typed = ""  # the arguments, for those who take them apart

    def __init__(self, item: Item, plan: ExtensionPlan, spelling: GeminiSpelling, own_folder: str = "") -> None:
        self._item = item
        self._plan = plan
        self._spelling = spelling
        self._own_folder = own_folder
        self._losses: dict[str, Fate] = {}
        self._words: dict[str, int] = {}  # that stand for an argument -> its number, -1 for all of them

    @property
    def fates(self) -> list[Fate]:
        return list(self._losses.values())

    def text(self) -> str:
        body = "".join(self._pieces(self._plan.references.in_prompt(self._item.prompt).parts, self._spelling))
        lines = [
            f"`{word}` is {'' if number < 0 else f'the {_ordinal(number)} word of '}what the user typed"
            for word, number in sorted(self._words.items(), key=lambda each: each[1])
        ]
        return "\n".join((self.typed, *lines, "", body)).lstrip("\n") if lines else body

    def _arguments(self) -> str:
        raise NotImplementedError

    def _line(self, part: PromptLine) -> str:
        raise NotImplementedError

    def _include(self, path: str, part: PromptInclude) -> str:
        raise NotImplementedError

    def _pieces(self, parts: Iterable[Part], spelling: GeminiSpelling) -> Iterator[str]:
        """The package's root together with the path behind it: the output may have that elsewhere."""
        at_root = False
        for part in (*parts, ""):
            if isinstance(part, str):
                place, rest = moved_text(part, self._plan, spelling) if at_root else ("", part)
                yield (place or spelling.root) + self._plain(rest) if at_root else self._plain(rest)
            elif at_root:
                yield spelling.root
            at_root = isinstance(part, PromptVariable) and part.name == neutral.ROOT
            if not at_root and not isinstance(part, str):
                yield self._spelled(part, spelling)

    def _spelled(self, part: Part, spelling: GeminiSpelling) -> str:
        if isinstance(part, PromptLiteral):
            return self._plain(part.text)
        if isinstance(part, PromptVariable):
            return self._variable(part, spelling)
        if isinstance(part, PromptArguments):
            return self._arguments()
        if isinstance(part, PromptArgument):
            return self._argument(part)
        if isinstance(part, PromptLine):
            return self._line(part)
        return self._included(part) if isinstance(part, PromptInclude) else part

    def _plain(self, text: str) -> str:
        return text

    def _variable(self, part: PromptVariable, spelling: GeminiSpelling) -> str:
        found = variable_text(part, spelling, self._plan, self._own_folder)
        if part.name == neutral.DATA:
            self._lose("data", f"Gemini CLI has no folder for the data of a package: it is `{found}`", APPROXIMATED)
        if found is not None:
            return found
        if part.name == neutral.SESSION:
            word = _last_default(part.default) or SESSION_WORD
            self._lose("session", f"the model does not know its session: `{part.written}` is `{word}`", DROPPED)
            return word
        key = part.name.removeprefix(neutral.SETTING)
        self._lose(part.name, f"a setting cannot stand in this text: `{part.written}` is said in words", DROPPED)
        return f"<setting {key}>"

    def _argument(self, part: PromptArgument) -> str:
        why = "Gemini CLI has no single arguments: the model is asked to take them apart"
        self._lose("argument", why, APPROXIMATED)
        return self._word(f"<{part.name or f'argument {part.number + 1}'}>", part.number)

    def _word(self, word: str, number: int) -> str:
        self._words[word] = number
        return word

    def _included(self, part: PromptInclude) -> str:
        path = "".join(self._pieces(part.parts, self._spelling)).strip('"')
        bare = path.rstrip(_PUNCTUATION)
        is_literal = all(isinstance(each, str) for each in part.parts)
        if is_literal and not (_PATH.fullmatch(bare) or bare.startswith(("~/", "/", "../", "./"))):
            return part.written  # a mention of somebody, or of a package
        return self._include(bare, part) + path[len(bare) :]

    def _lose(self, key: str, why: str, kind: str = APPROXIMATED) -> None:
        rule = CHANGED_MEANING if kind == APPROXIMATED else LOST_PLACEHOLDER
        self._losses.setdefault(key, lost(kind, rule, self._item, why, field="prompt"))


class InstructionText(TextWriter):
    """Of a skill or an agent: what would be filled in is said in words."""

    def _plain(self, text: str) -> str:
        found = _OWN_VARIABLE.search(text)
        if found:
            self._lose("own variable", f"Gemini CLI fills in `{found[0]}`, which was plain text")
        return text

    def _arguments(self) -> str:
        return self._word(ALL_TYPED, -1)

    def _line(self, part: PromptLine) -> str:
        self._lose("line", "the model is asked to run its command lines: nothing runs before it reads the text")
        line = "".join(self._pieces(part.parts, in_shell(self._spelling))).strip()
        if part.block or "\n" in line:
            return f"Run this and use its output:\n```bash\n{line}\n```"
        ticks = "``" if "`" in line else "`"
        return f"(run {ticks}{line}{ticks} and use its output)"

    def _include(self, path: str, _part: PromptInclude) -> str:
        self._lose("include", "the model is asked to read a file: nothing is included before it reads the text")
        return f"`{path}` (read this file)"


class CommandText(TextWriter):
    """Of a command: Gemini CLI fills in what it can."""

    typed = f"The user typed: {ARGS}"

    def _arguments(self) -> str:
        return ARGS

    def _line(self, part: PromptLine) -> str:
        shell = in_shell(self._spelling)
        return shell_injection(self._between_arguments(part.parts, shell))

    def _between_arguments(self, parts: Iterable[Part], shell: GeminiSpelling) -> Iterator[ShellPart]:
        pending: list[Part] = []
        for part in parts:
            if isinstance(part, PromptArguments | PromptArgument):
                yield "".join(self._pieces(pending, shell))
                yield part
                pending = []
            else:
                pending.append(part)
        yield "".join(self._pieces(pending, shell))

    def _include(self, path: str, part: PromptInclude) -> str:
        is_literal = all(isinstance(each, str) for each in part.parts)
        if is_literal and _PATH.fullmatch(path) and ".." not in path:
            return f"@{{{path}}}"
        self._lose("include", "Gemini CLI includes files of the workspace, by a fixed name: the model reads it")
        return f"`{path}` (read this file)"


def _last_default(text: str | None) -> str:
    """`x` of `${OTHER:-${THIRD:-x}}`: none of these variables is set."""
    return (text or "").rpartition(":-")[2].rstrip("}")


def _ordinal(number: int) -> str:
    return _ORDINALS[number] if number < len(_ORDINALS) else f"{number + 1}th"


def has_trigger(parts: Iterable[Part]) -> bool:
    """Whether the text itself has what Gemini CLI would fill in: there is no way to escape it."""
    return any(trigger in text for text in map(_text, parts) for trigger in TRIGGERS)


def without_triggers(prompt: PromptText) -> PromptText:
    """With a blank in each of them."""
    parts = [_apart(part) if isinstance(part, str) else part for part in prompt.parts]
    return PromptText(
        tuple(each.replace(text=_apart(each.text)) if isinstance(each, PromptLiteral) else each for each in parts)
    )


def _apart(text: str) -> str:
    return text.replace("@{", "@ {").replace("!{", "! {").replace(ARGS, "{ {args} }")


def _text(part: Part) -> str:
    return part.text if isinstance(part, PromptLiteral) else part if isinstance(part, str) else ""


def needs_root(parts: Iterable[Part]) -> bool:
    """Whether the text names a place in the package, or a setting: commands have neither."""
    for part in parts:
        if isinstance(part, PromptVariable) and (part.name in NEEDS_ROOT or part.name.startswith(neutral.SETTING)):
            return True
        if isinstance(part, PromptLine | PromptInclude) and needs_root(part.parts):
            return True
    return False
