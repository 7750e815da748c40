"""A table of our own configuration: `[NAME]` in pisces.toml, or `[tool.pisces.NAME]` in pyproject.toml.

Of two in one folder, pisces.toml counts. A file that does not speak of pisces is not parsed.
"""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.files import MISSING, Unreadable, read_text
from pisces.formats import toml_current
from pisces.formats.malformed import Malformed
from pisces.formats.position import toml_place
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.diagnostics import Rule

FILE = "pisces.toml"
FILES: tuple[tuple[str, tuple[str, ...]], ...] = ((FILE, ()), ("pyproject.toml", ("tool", "pisces")))


class OwnTable(Value):
    """`value` is whatever stands at `keys` of the file, a table or not."""

    path: str
    text: str
    keys: tuple[str, ...]
    value: Any

    def place(self, keys: tuple[str | int, ...]) -> tuple[int, int]:
        """Of something in the table: line and column."""
        return toml_place(self.text, (*self.keys, *keys))


def table_in(folder: str, name: str, fault: Rule) -> OwnTable | Diagnostic | None:
    """None where no file of the folder has it; a problem of that rule where one cannot be read."""
    found = (_table(os.path.join(folder, file), (*above, name), fault) for file, above in FILES)
    return next((each for each in found if each), None)


def _table(path: str, keys: tuple[str, ...], fault: Rule) -> OwnTable | Diagnostic | None:
    try:
        text = read_text(path)
        values: Any = toml_current.parse(text) if all(key in text for key in keys) else {}
    except Unreadable as error:
        if error.kind == MISSING or not os.path.lexists(path):  # nobody can say what a closed folder has in it
            return None
        return fault.at(path, f"the file {error.message}")
    except Malformed as error:
        return fault.at(path, error.message, place=(error.line, error.column))
    for key in keys:
        values = values.get(key) if isinstance(values, dict) else None
    return None if values is None else OwnTable(path, text, keys, values)
