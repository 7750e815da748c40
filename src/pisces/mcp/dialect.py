"""What a harness does with the fields of a server's entry: a value in `servers.py` of its folder.

The defaults are what most harnesses do. `tests/mcp/test_plan_harnesses.py` has a row for each.
"""

from __future__ import annotations

from pisces.by_name import export_of, files_called
from pisces.discovery.harness import HARNESSES
from pisces.discovery.package_format import format_named
from pisces.mcp.fills import braced
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.mcp.fills import Fill
    from pisces.mcp.names import ServerEntry
    from pisces.places import Places
    from pisces.shapes.mcp_server import McpServer

    Fields = Mapping[str, Any]
    Seconds = tuple[float | None, float | None]

EVERY_TOOL = "*"


def milliseconds(fields: Fields, _places: Places) -> Seconds:
    """`timeout` in milliseconds, for the start and for every call."""
    return (number(fields.get("timeout"), 0.001),) * 2


def call_seconds(fields: Fields, _places: Places) -> Seconds:
    """`timeout` in seconds, for every call."""
    return None, number(fields.get("timeout"))


def number(value: Any, unit: float = 1.0) -> float | None:
    """A length of time in seconds; None for what is none. A clock that takes a week is no limit."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value * unit < 604_800:
        return None
    return value * unit


def listed(*keys: str) -> Callable[[Fields], tuple[str, ...] | None]:
    """The first of these fields that is a list of texts."""

    def found(fields: Fields) -> tuple[str, ...] | None:
        lists = (fields[key] for key in keys if isinstance(fields.get(key), list))
        return next((tuple(map(str, each)) for each in lists), None)

    return found


def flagged(key: str) -> Callable[[Fields], tuple[str, ...]]:
    """A flag that lets every tool run unasked."""
    return lambda fields: (EVERY_TOOL,) if fields.get(key) is True else ()


def permitted(*keys: str) -> Callable[[Fields], tuple[str, ...]]:
    """Lists of tools that run unasked."""

    def found(fields: Fields) -> tuple[str, ...]:
        lists = (fields[key] for key in keys if isinstance(fields.get(key), list))
        return tuple(tool for each in lists for tool in each if isinstance(tool, str))

    return found


def plugin_folders(*names: str) -> Callable[[ServerEntry], Mapping[str, str]]:
    """Names for the folder of a package."""
    return lambda entry: dict.fromkeys(names, entry.folder) if entry.folder else {}


def no_folders(_entry: ServerEntry) -> Mapping[str, str]:
    return {}


def no_names(_fields: Fields) -> Mapping[str, str]:
    return {}


def fields_found(found: Found[McpServer], _places: Places) -> Fields:
    return found.item.fields


class ServerDialect(Value):
    """`fill` replaces variables in the texts of `filled`. `folders` are the names that stand for folders.

    `given` are variables of the user that the program gets under a name, `sent` those that are sent in a header (with
    `{}` for the value); `set` are variables that the harness sets by itself. `seconds` are the times for the start and
    for a call. `include` and `exclude` name tools; `unasked` are tools that run unasked, or EVERY_TOOL. `base` is
    the folder to which a relative `cwd` and, without one, the program belong: the workspace's, or the package's.
    `written` are the fields before a listing has filled anything in. `env_file` is the field that names a file with
    variables. Without `has_cwd` the harness ignores `cwd`. With `prefers_address` an address counts more than a
    program. `fill_env` is for the values of `env` alone, where they are filled in by other rules.
    """

    fill: Fill = braced
    filled: tuple[str, ...] = ("command", "args", "env", "environment", "cwd", "url", "headers")
    folders: Callable[[ServerEntry], Mapping[str, str]] = no_folders
    given: Callable[[Fields], Mapping[str, str]] = no_names
    sent: Callable[[Fields], Mapping[str, tuple[str, str]]] = lambda _fields: {}
    set: Callable[[ServerEntry], Mapping[str, str]] = no_folders
    seconds: Callable[[Fields, Places], Seconds] = milliseconds
    include: Callable[[Fields], tuple[str, ...] | None] = listed("includeTools", "include_tools")
    exclude: Callable[[Fields], tuple[str, ...] | None] = listed("excludeTools", "exclude_tools", "disabledTools")
    unasked: Callable[[Fields], tuple[str, ...]] = lambda _fields: ()
    base: Callable[[ServerEntry], str] = lambda entry: entry.places.cwd
    written: Callable[[Found[McpServer], Places], Fields] = fields_found
    env_file: str = ""
    has_cwd: bool = True
    prefers_address: bool = False
    fill_env: Fill | None = None


def dialect_of(found: Found) -> ServerDialect:
    """By the format of its package, which may be in the store of another harness; else by who has the file."""
    harness = format_named(found.format).harness if found.format else found.source.harness
    folder = f"{HARNESSES}.{harness.replace('-', '_')}"
    if folder not in files_called(HARNESSES, "servers"):
        return ServerDialect()
    dialect: ServerDialect = export_of(folder, "servers", "DIALECT")
    return dialect
