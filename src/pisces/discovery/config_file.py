"""A configuration file read once: JSON (strict, with comments, or lenient), TOML or YAML, with the place of any key.

A missing file is nothing (None); a broken one is a Diagnostic. Neither ever raises.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.files import MISSING, Unreadable, read_text
from pisces.formats.malformed import Malformed
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.discovery.harness import Run

CONFIG_UNREADABLE = Rule("config-unreadable", ERROR, "A configuration file cannot be read")
CONFIG_SYNTAX = Rule("config-syntax", ERROR, "A configuration file has a syntax error")
CONFIG_NOT_OBJECT = Rule("config-not-an-object", ERROR, "A configuration file, or a part of it, is not an object")

JSON = "json"
MARKED = "marked"  # a byte order mark
JSONC = "jsonc"  # comments
LENIENT = "lenient"  # comments, trailing commas, byte order mark
TOML = "toml"
YAML = "yaml"

# A format is loaded by name when a file of its kind is met: most runs never need TOML or YAML.
_PARSERS = {
    JSON: ("json", "parse"),
    MARKED: ("json", "parse_marked"),
    JSONC: ("jsonc", "parse"),
    LENIENT: ("jsonc", "parse_lenient"),
    TOML: ("toml_current", "parse"),
    YAML: ("yaml", "parse"),
}
_PLACES = {TOML: ("position", "toml_place"), YAML: ("yaml", "place_of")}


class ConfigFile(Value):
    path: str
    syntax: str
    text: str
    value: Any

    def place(self, *keys: str | int) -> tuple[int, int]:
        """Line and column of a key; of the nearest parent that exists where the key itself does not."""
        found: tuple[int, int] = _format(_PLACES.get(self.syntax, ("position", "json_place")))(self.text, keys)
        return found

    def part(self, keys: tuple[str | int, ...]) -> Any:
        """The value below a path of keys and list indexes; None where there is none."""
        value = self.value
        for key in keys:
            if isinstance(value, dict):
                value = value.get(key)
            else:
                value = value[key] if isinstance(value, list) and isinstance(key, int) else None
        return value

    def not_object(self, keys: tuple[str | int, ...] = ()) -> Diagnostic:
        what = f"`{'.'.join(str(key) for key in keys)}`" if keys else "the file"
        return CONFIG_NOT_OBJECT.at(self.path, f"{what} is not an object", place=self.place(*keys))


def read_object(
    path: str, syntax: str, run: Run, read: Callable[[ConfigFile], Iterator[Found | Diagnostic]]
) -> Iterator[Found | Diagnostic]:
    """What `read` makes of a file that holds an object, or what is wrong with the file; nothing where there is none."""
    file = config_at(path, syntax, run)
    if isinstance(file, Diagnostic):
        yield file
    elif file is not None and not isinstance(file.value, dict):
        yield file.not_object()
    elif file is not None:
        yield from read(file)


def config_at(path: str, syntax: str, run: Run) -> ConfigFile | Diagnostic | None:
    """The file's content, why it cannot be had, or None where there is no such file."""
    return run.once(("config", path, syntax), lambda: _read(path, syntax))


def _read(path: str, syntax: str) -> ConfigFile | Diagnostic | None:
    try:
        text = read_text(path)
        return ConfigFile(path, syntax, text, _format(_PARSERS[syntax])(text))
    except Unreadable as error:
        return None if error.kind == MISSING else CONFIG_UNREADABLE.at(path, f"the file {error.message}")
    except Malformed as error:
        message = f"the file is not valid {'TOML' if syntax == TOML else 'YAML' if syntax == YAML else 'JSON'}"
        return CONFIG_SYNTAX.at(path, message, place=(error.line, error.column), hint=error.message)


def _format(named: tuple[str, str]) -> Any:
    return export_of("pisces.formats", *named)
