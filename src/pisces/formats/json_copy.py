"""A private copy of JSON data that nobody else can change, and an error for everything that is not JSON data.

What somebody judged must be what runs. Frozen data alone cannot promise that: `dict.update(frozen, ...)` changes them,
a subclass answers differently each time it is read, a generator can be read once. So the data are read once, into
plain texts and numbers and new frozen containers, and each reader gets a copy of its own.
"""

from __future__ import annotations

from pisces.value import FrozenList, FrozenMapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TEXT = {str}
_PLAIN = {str, int, bool, type(None)}
DEEPEST = 200  # levels; a cycle is deeper than that
_FEW = 100  # values that are copied quickly
MOST = 1_000_000  # values; data that share parts may be small in memory and endless when they are written


class NotJson(TypeError):
    """`path` leads to the value that is not JSON data, as in `items[2].name`; `why` says what it is."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"`{path}` {why}" if path else f"it {why}")
        self.path = path
        self.why = why


def json_copy(value: Any) -> Any:
    """The data as new `FrozenMapping` and `FrozenList` objects and exact scalars. Raises `NotJson`.

    A tuple becomes a list, as in JSON. A mapping that is not a dict is read by its `items`.
    """
    again = _again(value, [_FEW]) if type(value) is FrozenMapping else None
    return _Copying().copy(value, (), 0) if again is None else again


def _again(value: Any, left: list[int]) -> Any:
    """A quick copy of what is a copy already and small; None for whatever is not quite that.

    `left` is how many more values it may have.
    """
    made: Any
    put: Any
    if type(value) is FrozenMapping:
        made = FrozenMapping.__new__(FrozenMapping)
        dict.update(made, value)
        if not {*map(type, made)} <= _TEXT:
            return None
        inner, put = [each for each in made.items() if type(each[1]) not in _PLAIN], dict.__setitem__
    elif type(value) is FrozenList:
        made = FrozenList.__new__(FrozenList)
        list.extend(made, value)
        inner, put = [each for each in enumerate(made) if type(each[1]) not in _PLAIN], list.__setitem__
    else:
        return None
    left[0] -= len(made) + 1
    for key, each in inner:
        copied = _again(each, left) if left[0] > 0 else None
        if copied is None:
            return None
        put(made, key, copied)
    return made


def same_json(one: Any, other: Any) -> bool:
    """Whether two copies are equal as JSON: 1 and true are not, though Python takes them for equal."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same_json(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return bool(one == other)


class _Copying:
    """One copy in the making; `_left` is how many more values it may have."""

    def __init__(self) -> None:
        self._left = MOST

    def copy(self, value: Any, path: tuple[str | int, ...], depth: int) -> Any:
        self._left -= 1
        if self._left < 0 or depth > DEEPEST:
            limit = f"has more than {MOST} values" if self._left < 0 else f"is nested deeper than {DEEPEST} levels"
            raise NotJson(path_text(path[:3]), limit)
        if value is None or value is True or value is False:
            return value
        if isinstance(value, str):
            return str.__str__(value)  # of a subclass, the plain text
        if isinstance(value, (dict, list, tuple)) or _is_mapping(value):
            return self._container(value, path, depth)
        return _number(value, path)

    def _container(self, value: Any, path: tuple[str | int, ...], depth: int) -> Any:
        if isinstance(value, (list, tuple)):
            items = FrozenList.__new__(FrozenList)
            for index, each in enumerate(value):
                list.append(items, self.copy(each, (*path, index), depth + 1))
            return items
        made = FrozenMapping.__new__(FrozenMapping)
        for key, each in value.items():
            if not isinstance(key, str):
                raise NotJson(path_text(path), f"has the key {_shown(key)}, which is no text")
            name = str.__str__(key)
            dict.__setitem__(made, name, self.copy(each, (*path, name), depth + 1))
        return made


def _number(value: Any, path: tuple[str | int, ...]) -> int | float:
    if isinstance(value, int):
        return int.__int__(value)
    if not isinstance(value, float):
        raise NotJson(path_text(path), f"is of the type `{type(value).__name__}`, which JSON does not have")
    plain = float.__float__(value)
    if plain - plain != 0:
        raise NotJson(path_text(path), f"is `{plain}`, which JSON does not have")
    return plain


def _is_mapping(value: Any) -> bool:
    return hasattr(type(value), "keys") and hasattr(type(value), "items")


def path_text(path: tuple[str | int, ...]) -> str:
    """`items[2].name`, as programmers write it."""
    text = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in path)
    return text.removeprefix(".")


def _shown(key: Any) -> str:
    return repr(key) if isinstance(key, (int, float, bool, type(None))) else f"of the type `{type(key).__name__}`"
