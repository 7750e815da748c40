"""Variable substitution with Gemini's two passes: path variables first, environment variables at load time.

Pass A replaces `${name}` in every string value from a fixed context. Pass B replaces `$NAME`, `${NAME}` and
`${NAME:-default}` from an environment. In both, what is not known stays as it was written.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

_DROPPED_KEYS = frozenset(("__proto__", "constructor", "prototype"))


def path_context(package: str, workspace: str, settings: Mapping[str, str] | None = None) -> dict[str, str]:
    """The names that pass A knows. Settings come last in hooks, skills and agents, as in Gemini CLI."""
    names = {"extensionPath": package, "workspacePath": workspace, "/": os.sep, "pathSeparator": os.sep}
    return {**names, **(settings or {})}


def hydrated(value: Any, context: Mapping[str, str]) -> Any:
    """Pass A over a whole value: keys stay, prototype keys are dropped."""

    def fill(text: str) -> str:
        return "".join([part if name is None else context.get(name, part) for part, name in _parts(text)])

    return _mapped(value, "${", fill)


def expanded(value: Any, env: Mapping[str, str]) -> Any:
    """Pass B over a whole value: an empty variable counts as set, an unknown one without default stays."""

    def fill(text: str) -> str:
        filled: str = export_of("pisces.formats", "env_variable", "filled_in")(text, env)
        return filled

    return _mapped(value, "$", fill)


def listed(value: Any, home: str) -> Any:
    """Pass B for listings: fills in the home folder and defaults. Other variables stay: they may be secrets."""
    return expanded(value, {"HOME": home})


def names_in(text: str) -> Iterator[str]:
    """The `${NAME}` and `${NAME:-default}` names that a text mentions, without those that have a default."""
    yield from (name for _, name in _parts(text) if name is not None and ":-" not in name)


def _parts(text: str) -> Iterator[tuple[str, str | None]]:
    """The text in pieces: a piece that is `${name}` comes with the name, which has no line end in it."""
    done = at = 0
    while (at := text.find("${", at)) >= 0:
        end = text.find("}", at)
        if end < 0:
            break
        name = text[at + 2 : end]
        if "\n" in name:
            at = text.rfind("\n", at, end)  # whatever begins before it has a line end in it too
            continue
        yield text[done:at], None
        yield text[at : end + 1], name
        done = at = end + 1
    yield text[done:], None


def _mapped(value: Any, mark: str, change: Callable[[str], str]) -> Any:
    """A copy with every string value that has the mark in it changed.

    One frame for each level: a comprehension would be another, and 500 levels would be too many for Python's stack.
    """
    if isinstance(value, str):
        return change(value) if mark in value else value
    if isinstance(value, dict):
        table = {}
        for key, item in value.items():
            if key not in _DROPPED_KEYS:
                is_same = mark not in item if isinstance(item, str) else not isinstance(item, (dict, list))
                table[key] = item if is_same else _mapped(item, mark, change)  # most need no call
        return table
    if isinstance(value, list):
        items = []
        for item in value:
            items.append(_mapped(item, mark, change))  # no comprehension: a frame
        return items
    return value


def strings_in(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every string value with the path of keys and indexes that leads to it."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from strings_in(item, (*path, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from strings_in(item, (*path, key))
