"""How variables are written in server entries, one function for each spelling. One pass: what is filled in stays."""

from __future__ import annotations

import os
import re

from pisces.formats.env_variable import filled_in
from pisces.formats.variables import hydrated

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.mcp.names import Names

    Fill = Callable[[str, Names], str]

_BRACED = re.compile(r"\$\{([^}]+)\}")
_CURLY = re.compile(r"\{(env|file):([^}]+)\}")
_UNKNOWN = re.compile(r"\$\{[A-Za-z_]\w*\}|\$[A-Za-z_]\w*", re.ASCII)
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_DOUBLE = re.compile(r"\$\{\{([^}]+)\}\}")


def literal(text: str, _names: Names) -> str:
    return text


def two_passes(text: str, names: Names) -> str:
    """Folders as `${name}`, then `$NAME`, `${NAME}` and `${NAME:-default}`. What is unknown stays as it is written."""
    return filled_in(hydrated(text, names.folders), names)  # type: ignore[arg-type]  # only `get` is used


def braced(text: str, names: Names) -> str:
    """`${NAME}` and `${NAME:-default}`. What is unknown stays as it is written."""
    return each_braced(text, names.with_default)


def each_braced(text: str, value: Callable[[str], str | None]) -> str:
    """Every `${...}` with the value of what is in it; it stays where there is none."""
    return _each(_BRACED, text, lambda found: _or(value(found[1]), found[0]))


def two_passes_or_empty(text: str, names: Names) -> str:
    """As `two_passes`, and then what is unknown is empty."""
    return _UNKNOWN.sub("", two_passes(text, names)) if "$" in text else text


def folders_only(text: str, names: Names) -> str:
    """`${NAME}` for a folder, and no other."""
    return _each(_BRACED, text, lambda found: names.folders.get(found[1], found[0]))


def named_or_literal(text: str, names: Names) -> str:
    """`${NAME}`; and a text that is the name of a variable stands for its value."""
    value = names.known(text) if _NAME.fullmatch(text) else None
    return braced(text, names) if value is None else value


def of_editors(text: str, names: Names) -> str:
    """`${env:NAME}`, `${workspaceFolder}`, `${userHome}`, `${input:id}`, `${file:path}`. An unset variable is empty."""

    def value(found: re.Match[str]) -> str:
        kind, mark, rest = found[1].partition(":")
        if kind == "env" and mark:
            return names.variable(rest) or ""
        if kind == "file" and mark:
            return names.file(rest) or ""
        if kind == "input" and mark:
            return _or(names.variable(found[1]), found[0])
        return names.folders.get(found[1], found[0])

    return _each(_BRACED, text, value)


def of_editors_or_braced(text: str, names: Names) -> str:
    """`${env:NAME}` and its like, and also `${NAME}`."""

    def value(found: re.Match[str]) -> str:
        is_other = found[1].startswith(("env:", "file:", "input:")) or found[1] in names.folders
        return of_editors(found[0], names) if is_other else _or(names.with_default(found[1]), found[0])

    return _each(_BRACED, text, value)


def curly(text: str, names: Names) -> str:
    """`{env:NAME}` and `{file:path}`. What is unknown is empty."""

    def value(found: re.Match[str]) -> str:
        if found[1] == "env":
            return names.variable(found[2]) or ""
        return (names.file(found[2]) or "").strip()

    return _each(_CURLY, text, value)


def double_braced(text: str, names: Names) -> str:
    """`${{ secrets.NAME }}` and `${{ inputs.NAME }}`, whose values come from the user's variables."""

    def value(found: re.Match[str]) -> str:
        kind, _, name = found[1].strip().partition(".")
        return _or(names.variable(name), found[0]) if kind in ("secrets", "inputs") and name else found[0]

    return _each(_DOUBLE, text, value)


def editor_folders(workspace: str, home: str) -> dict[str, str]:
    return {
        "workspaceFolder": workspace,
        "workspaceRoot": workspace,
        "workspaceFolderBasename": os.path.basename(workspace),
        "cwd": workspace,
        "userHome": home,
        "/": os.sep,
        "pathSeparator": os.sep,
    }


def _each(pattern: re.Pattern[str], text: str, value: Callable[[re.Match[str]], str]) -> str:
    """Linear: a beginning is followed only where some `}` ends it."""
    end = text.rfind("}") + 1
    return pattern.sub(value, text[:end]) + text[end:]


def _or(value: str | None, written: str) -> str:
    return written if value is None else value
