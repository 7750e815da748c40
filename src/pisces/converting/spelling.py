"""The places of a text as a target spells them. What it has no spelling for is said in words, and reported once."""

from __future__ import annotations

from pisces.converting.fate import APPROXIMATED, LOST_PLACEHOLDER, lost
from pisces.converting.prompt_text import (
    DATA,
    ENVIRONMENT,
    PROJECT,
    ROOT,
    SESSION,
    SETTING,
    SKILL_FOLDER,
    PromptArgument,
    PromptArguments,
    PromptInclude,
    PromptLine,
    PromptLiteral,
    PromptVariable,
)
from pisces.converting.reading import reader_of
from pisces.converting.variables import text_with_variables
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginItem
    from pisces.converting.prompt_text import Part, PromptText

_SIGNS = ("$", "`", "@", "{{")
NUMBER, LINE, PATH, NAME = "{number}", "{line}", "{path}", "{name}"


class Spelling(Value):
    """`argument` holds `{number}`, which counts from 1; `line` holds `{line}`, `include` holds `{path}`.

    `variables` has a spelling for each neutral name; `setting:` stands for all settings and holds `{name}`. `harness`
    is whose texts these are, where it fills in anything.
    """

    label: str
    arguments: str = ""
    argument: str = ""
    line: str = ""
    include: str = ""
    variables: Mapping[str, str] = EMPTY
    harness: str = ""


class Spelled(Value):
    text: str
    fates: tuple[Fate, ...] = ()


def spelled(item: PluginItem, text: PromptText, spelling: Spelling, field: str = "") -> Spelled:
    """A text of an item in another spelling."""
    writing = _Writing(item, spelling, field)
    return Spelled(writing.joined(text.parts), tuple(writing.fates.values()))


def taken_for_place(item: PluginItem, text: str, harness: str) -> str:
    """The first piece of a plain text that a harness fills something in for; empty where it has none."""
    if not any(each in text for each in _SIGNS):
        return ""
    parts = reader_of(harness).template(text, type(item), item.fields).parts
    return next((each.written for each in parts if not isinstance(each, str | PromptLiteral)), "")


def spelled_value(item: PluginItem, value: Any, harness: str, spelling: Spelling) -> tuple[Any, tuple[Fate, ...]]:
    """The same for the plain texts in an entry of a JSON file; everything else stays as it is."""
    fates: dict[Fate, None] = {}

    def rewritten(each: Any) -> Any:
        if isinstance(each, str):
            made = spelled(item, text_with_variables(each, harness), spelling)
            fates.update(dict.fromkeys(made.fates))
            return made.text
        if isinstance(each, dict):
            return {key: rewritten(inside) for key, inside in each.items()}
        return [rewritten(inside) for inside in each] if isinstance(each, list) else each

    return rewritten(value), tuple(fates)


class _Writing:
    """`fates` has one for each kind of place that could not be spelled."""

    def __init__(self, item: PluginItem, spelling: Spelling, field: str) -> None:
        self.fates: dict[str, Fate] = {}
        self._item = item
        self._spelling = spelling
        self._field = field

    def joined(self, parts: Iterable[Part]) -> str:
        return "".join(map(self._part, parts))

    def _part(self, part: Part) -> str:
        if isinstance(part, str | PromptLiteral):
            return self._literal(part if isinstance(part, str) else part.text)
        if isinstance(part, PromptVariable):
            return self._variable(part)
        if isinstance(part, PromptLine | PromptInclude):
            return self._filled(part)
        return self._typed(part)

    def _literal(self, text: str) -> str:
        """Text that the target would take for a place of its own cannot be escaped, so that is said."""
        taken = taken_for_place(self._item, text, self._spelling.harness) if self._spelling.harness else ""
        if taken:
            self._lose(taken, f"`{taken}` is plain text, and {self._spelling.label} fills something in for it")
        return text

    def _typed(self, part: PromptArguments | PromptArgument) -> str:
        """What the user typed, or one word of it."""
        spelling = self._spelling
        if isinstance(part, PromptArguments):
            return spelling.arguments or self._in_words(part.written, "(what the user typed)")
        if spelling.argument:
            return spelling.argument.replace(NUMBER, str(part.number + 1))
        words = f"(word {part.number + 1} of what the user typed)"
        return self._in_words(part.written, words)

    def _filled(self, part: PromptLine | PromptInclude) -> str:
        inside = self.joined(part.parts)
        is_line = isinstance(part, PromptLine)
        pattern, name = (self._spelling.line, LINE) if is_line else (self._spelling.include, PATH)
        if pattern:
            return pattern.replace(name, inside)
        words = f"(run `{inside.strip()}` and read its output)" if is_line else f"(read the file `{inside}`)"
        return self._in_words(part.written, words)

    def _variable(self, part: PromptVariable) -> str:
        known = self._spelling.variables
        head, colon, name = part.name.partition(":")
        found = known.get(part.name) or known.get(head + colon, "").replace(NAME, name)
        if not found and part.name.startswith(ENVIRONMENT):
            return part.written  # every program has an environment
        if found:
            return found
        words = f"(the setting `{name}`)" if part.name.startswith(SETTING) else _IN_WORDS.get(part.name, "")
        return self._in_words(part.written, words or part.written)

    def _in_words(self, written: str, words: str) -> str:
        shown = written if len(written) <= _SHOWN else written[:_SHOWN] + "..."
        self._lose(shown, f"{self._spelling.label} fills in nothing for `{shown}`: it is said in words")
        return words

    def _lose(self, written: str, why: str) -> None:
        self.fates.setdefault(written, lost(APPROXIMATED, LOST_PLACEHOLDER, self._item, why, self._field))


_SHOWN = 60
_IN_WORDS = {
    ROOT: "(the folder of this package)",
    DATA: "(a folder for the data of this package)",
    PROJECT: "(the folder of the project)",
    SKILL_FOLDER: "(the folder of this skill)",
    SESSION: "(the id of this session)",
}
