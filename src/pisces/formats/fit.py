"""Does a value fit a shape? Reports every misfit with its path of keys, not only the first.

A shape is a small value of its own: TEXT, NUMBER, WHOLE, FLAG, ANYTHING, Listed(shape), Mapped(shape), Record(fields),
Either(shapes), Both(shapes), Such(shape, extra).
"""

from __future__ import annotations

from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    Path = tuple[str | int, ...]


class Plain(Value):
    """A value of one kind. `noun` names it in messages. `extra` returns why a value is refused, or an empty text."""

    noun: str
    test: Callable[[Any], bool]
    extra: Callable[[Any], str] | None = None

    def that(self, extra: Callable[[Any], str]) -> Plain:
        return self.replace(extra=extra)


class Listed(Value):
    item: Any


class Mapped(Value):
    item: Any


class Either(Value):
    shapes: tuple[Any, ...]


class Both(Value):
    """A value that fits every one of these."""

    shapes: tuple[Any, ...]


class Record(Value):
    """A `closed` record refuses unknown keys."""

    required: Mapping[str, Any]
    optional: Mapping[str, Any] = EMPTY
    closed: bool = False


class Such(Value):
    """A value that fits `shape`, unless `extra` returns a key below it and why it is refused."""

    shape: Any
    extra: Callable[[Any], tuple[str, str] | None]


class Misfit(Value):
    """`unknown` marks a key that the shape does not name."""

    path: Path
    message: str
    unknown: bool = False


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value  # not NaN


def _is_whole(value: Any) -> bool:
    return _is_number(value) and value == value // 1


TEXT = Plain("text", lambda value: isinstance(value, str))
NUMBER = Plain("a number", _is_number)
WHOLE = Plain("a whole number", _is_whole)
FLAG = Plain("true or false", lambda value: isinstance(value, bool))
TABLE = Plain("an object", lambda value: isinstance(value, dict))
ANYTHING = Plain("anything", lambda _value: True)


def one_of(*words: str) -> Plain:
    known = ", ".join(f"`{word}`" for word in words)
    return TEXT.that(lambda value: "" if value in words else f"must be one of {known}")


def misfits(value: Any, shape: Any, path: Path = ()) -> Iterator[Misfit]:
    if isinstance(shape, Plain):
        yield from _plain(value, shape, path)
    elif isinstance(shape, Either):
        yield from _either(value, shape, path)
    elif isinstance(shape, Both):
        for each in shape.shapes:
            yield from misfits(value, each, path)
    elif isinstance(shape, Such):
        yield from _such(value, shape, path)
    elif isinstance(shape, Listed):
        if not isinstance(value, list):
            yield Misfit(path, f"must be a list, not {noun_of(value)}")
            return
        for index, item in enumerate(value):
            if not _fits_plainly(item, shape.item):
                yield from misfits(item, shape.item, (*path, index))
    elif not isinstance(value, dict):
        yield Misfit(path, f"must be an object, not {noun_of(value)}")
    elif isinstance(shape, Mapped):
        for key, item in value.items():
            yield from misfits(item, shape.item, (*path, key))
    else:
        yield from _record(value, shape, path)


def noun_of(value: Any) -> str:
    """The kind of a value in the words of a JSON, TOML or YAML author."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    nouns = ((str, "text"), (int | float, "a number"), (list, "a list"), (dict, "an object"))
    return next((noun for kind, noun in nouns if isinstance(value, kind)), "a date")


def _fits_plainly(value: Any, shape: Any) -> bool:
    """Nearly every value of a file fits, and nearly every shape is plain: that is settled without a generator."""
    return type(shape) is Plain and shape.test(value) and not (shape.extra and shape.extra(value))


def _plain(value: Any, shape: Plain, path: Path) -> Iterator[Misfit]:
    if not shape.test(value):
        yield Misfit(path, f"must be {shape.noun}, not {noun_of(value)}")
    elif shape.extra and (reason := shape.extra(value)):
        yield Misfit(path, reason)


def _either(value: Any, shape: Either, path: Path) -> Iterator[Misfit]:
    tries = [list(misfits(value, each, path)) for each in shape.shapes]
    if all(tries):
        yield from min(tries, key=lambda found: (len(found), -len(found[0].path)))


def _such(value: Any, shape: Such, path: Path) -> Iterator[Misfit]:
    found = list(misfits(value, shape.shape, path))
    yield from found
    refused = None if found else shape.extra(value)
    if refused:
        yield Misfit((*path, refused[0]) if refused[0] else path, refused[1])


def _record(value: dict[str, Any], shape: Record, path: Path) -> Iterator[Misfit]:
    for key, inner in shape.required.items():
        if key not in value:
            yield Misfit(path, f"needs `{key}`")
        elif not _fits_plainly(value[key], inner):
            yield from misfits(value[key], inner, (*path, key))
    for key, inner in shape.optional.items():
        if key in value and not _fits_plainly(value[key], inner):
            yield from misfits(value[key], inner, (*path, key))
    if shape.closed:
        for key in value:
            if key not in shape.required and key not in shape.optional:
                yield Misfit((*path, key), f"unknown key `{key}`", unknown=True)
