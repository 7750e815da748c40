"""A typed view of one field of an item: the item keeps its fields as found, and a value is read from them when asked.

Listing a thousand items so pays for no field that nobody reads. A value of the wrong type reads as absent; `fields`
still has it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, Never, Protocol

    class HasFields(Protocol):
        @property
        def fields(self) -> Mapping[str, Any]: ...


Keys = tuple[str | int, ...]  # the path of keys and list indexes that leads to an item in its file


class _Field:
    """`keys` are the spellings of one field in different harnesses; the first usable one counts."""

    __slots__ = ("keys",)

    def __init__(self, *keys: str) -> None:
        self.keys = keys

    def values(self, item: HasFields) -> Iterator[Any]:
        fields = item.fields
        return (fields[key] for key in self.keys if key in fields)

    if TYPE_CHECKING:  # at run time the item itself refuses

        def __set__(self, item: HasFields, value: Never) -> None: ...


class Text(_Field):
    """Text, or a number as text; empty where there is none."""

    __slots__ = ()

    def __get__(self, item: HasFields, _owner: object = None) -> str:
        found = (str(each) for each in self.values(item) if isinstance(each, str) or _is_number(each))
        return next(filter(None, found), "")


class Hint(_Field):
    """What a command asks its user for: `[file]` and `[part: which]` are lists to YAML and a text to their author."""

    __slots__ = ()

    def __get__(self, item: HasFields, _owner: object = None) -> str:
        return next(filter(None, map(hint_text, self.values(item))), "")


def hint_text(value: object) -> str:
    if isinstance(value, list | tuple):
        return " ".join(f"[{_hint_word(each)}]" for each in value)
    return str(value).strip() if isinstance(value, str) or _is_number(value) else ""


def _hint_word(value: object) -> str:
    return ", ".join(f"{key}: {each}" for key, each in value.items()) if isinstance(value, dict) else str(value)


class Number(_Field):
    __slots__ = ()

    def __get__(self, item: HasFields, _owner: object = None) -> float | None:
        return next((each for each in self.values(item) if _is_number(each)), None)


class Flag(_Field):
    """True or false, also as text, as a header may have it; None where the file does not say."""

    __slots__ = ()

    def __get__(self, item: HasFields, _owner: object = None) -> bool | None:
        return next((flag for each in self.values(item) if (flag := _flag(each)) is not None), None)


class WordList(_Field):
    """A list, or a text with commas or blanks between the words; None where there is neither."""

    __slots__ = ()

    def __get__(self, item: HasFields, _owner: object = None) -> tuple[str, ...] | None:
        return next((words for each in self.values(item) if (words := words_of(each)) is not None), None)


class Texts(_Field):
    """A list; None where there is none. Unlike for `WordList`, a text is not a list."""

    __slots__ = ()

    def __get__(self, item: HasFields, _owner: object = None) -> tuple[str, ...] | None:
        return next((tuple(map(str, each)) for each in self.values(item) if isinstance(each, list)), None)


class Several(_Field):
    """A list, or a text that stands for a list of one; None where there is neither."""

    __slots__ = ()

    def __get__(self, item: HasFields, _owner: object = None) -> tuple[str, ...] | None:
        found = ([each] if isinstance(each, str) else each for each in self.values(item))
        return next((tuple(map(str, each)) for each in found if isinstance(each, list)), None)


class Table(_Field):
    """A mapping, empty where there is none."""

    __slots__ = ()

    def __get__(self, item: HasFields, _owner: object = None) -> Mapping[str, Any]:
        return next((each for each in self.values(item) if isinstance(each, dict)), {})


def words_of(value: object) -> tuple[str, ...] | None:
    """`Read, Bash(git add:*)` is two words: what stands in brackets is not divided."""
    if isinstance(value, list):
        return tuple(map(str, value))
    if not isinstance(value, str):
        return None
    if "(" not in value:
        return tuple(value.replace(",", " ").split())
    words, start, depth = [], 0, 0
    for at, character in enumerate(value):
        depth = max(0, depth + (character == "(") - (character == ")"))
        if depth == 0 and (character == "," or character.isspace()):
            words.append(value[start:at])
            start = at + 1
    return tuple(filter(None, (*words, value[start:].strip())))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _flag(value: object) -> bool | None:
    if isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower())
    return value if isinstance(value, bool) else None
