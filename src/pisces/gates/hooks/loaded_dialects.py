"""The dialect of a hook, by its name: `hooks.py` in the folder of the harness that reads such hooks."""

from __future__ import annotations

from functools import cache

from pisces.by_name import files_called

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.gates.hooks.dialect import Dialect

_HARNESSES = "pisces.harnesses"
_FILE = "hooks"


@cache
def dialect_of(name: str) -> Dialect | None:
    """None where nobody here knows how such hooks are run."""
    dialect: Dialect | None = harness_export(name, "DIALECT")
    return dialect


def known_dialects() -> tuple[str, ...]:
    return tuple(each.rpartition(".")[2].replace("_", "-") for each in files_called(_HARNESSES, _FILE))


@cache
def harness_export(name: str, export: str) -> Any:
    """What `hooks.py` of a harness has under a name; None if it has no such file, or not that."""
    package = f"{_HARNESSES}.{name.replace('-', '_')}"
    if package not in files_called(_HARNESSES, _FILE):
        return None
    return getattr(__import__(f"{package}.{_FILE}", fromlist=[export]), export, None)
