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
    if type(value) is FrozenMapping and {*map(type, value)} <= _TEXT and {*map(type, value.values())} <= _PLAIN:
        made = FrozenMapping.__new__(FrozenMapping)
        dict.update(made, value)
        return made
    return _Copying().copy(value, (), 0)


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
