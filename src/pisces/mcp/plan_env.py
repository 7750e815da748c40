"""The environment of a server's program: names on a list, what its entry sets, and the settings of its package."""

from __future__ import annotations

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.containment import stays_inside
from pisces.discovery.package_format import format_named
from pisces.files import Unreadable, read_text
from pisces.packages.settings.dotenv import parse_env
from pisces.packages.settings.settings import settings_of
from pisces.packages.settings.values import own_values
from pisces.processes.environment import ALWAYS, PATH, child_env, passed_on, search_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.mcp.dialect import ServerDialect
    from pisces.mcp.names import Names, ServerEntry
    from pisces.places import Places

SERVER_ENV = Rule("server-env-blocked", WARNING, "An MCP server does not get a variable that its entry sets")
SERVER_ENV_FILE = Rule("server-env-file", WARNING, "An environment file of an MCP server cannot be used")


def environment(
    entry: ServerEntry, dialect: ServerDialect, table: Mapping[str, str], names: Names
) -> tuple[list[str], dict[str, str], list[Diagnostic]]:
    """The names that it asks for, the whole environment, and what it does not get.

    The user's own entry may set every name; that of a package or project none that changes how programs start.
    """
    problems: list[Diagnostic] = []
    given = {name: names.variable(source) for name, source in dialect.given(entry.fields).items()}
    wanted = {
        **entry.settings,
        **dialect.set(entry),
        **_of_file(entry, dialect, names, problems),
        **{name: value for name, value in given.items() if value is not None},
        **table,
    }
    if entry.is_own:
        env = {**passed_on(entry.places.env), **{name: text for name, text in wanted.items() if _fits(name, text)}}
        env = {name: search_path(text) if name.upper() == PATH else text for name, text in env.items()} | ALWAYS
    else:
        env = child_env(entry.places.env, wanted)
    lost = [name for name, text in wanted.items() if env.get(name) != text and not (entry.is_own and name in env)]
    problems += [_lost(entry, name) for name in lost]
    return [name for name in wanted if name in env and name not in lost], env, problems


def texts_of(table: Mapping[str, Any]) -> dict[str, str]:
    """Values as texts; what is no text, number or flag is left out."""
    usable = {name: value for name, value in table.items() if isinstance(value, str | int | float)}
    return {str(name): str(value).lower() if isinstance(value, bool) else str(value) for name, value in usable.items()}


def package_settings(found: Found, places: Places, *, trusted: bool = False) -> dict[str, str]:
    """The values of the settings that its package declares, by variable."""
    package = format_named(found.format).read(found.folder, places).package
    declared = settings_of(package)[0] if package else []
    return own_values(found.package, found.folder, declared, places, trusted=trusted) if declared else {}


def _of_file(entry: ServerEntry, dialect: ServerDialect, names: Names, problems: list[Diagnostic]) -> dict[str, str]:
    path = entry.fields.get(dialect.env_file) if dialect.env_file else None
    if not isinstance(path, str) or not path:
        return {}
    real = entry.places.absolute(dialect.fill(path, names))
    try:
        if not entry.is_own and not stays_inside(real, entry.folder or entry.places.cwd):
            raise Unreadable("", "is not inside the folder that the entry came from")
        return parse_env(read_text(real))
    except Unreadable as error:
        name = entry.found.item.name
        problems.append(SERVER_ENV_FILE.at(entry.found.source.path, f"`{path}` {error.message}", about=name))
        return {}


def _fits(name: str, text: str) -> bool:
    return bool(name) and "=" not in name and "\0" not in name + text


def _lost(entry: ServerEntry, variable: str) -> Diagnostic:
    name = entry.found.item.name
    message = f"server `{name}` does not get `{variable}`: it changes how programs start"
    hint = "your own configuration may set it"
    return SERVER_ENV.at(entry.found.source.path, message, hint=hint, about=name)
