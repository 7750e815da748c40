"""What is known of an installed package: where it came from, exactly what it is, and what was agreed to."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Installed(Value):
    """One line of the store's index. `tree` is the hash of every file; a linked folder has none.

    `manifest` is the file that speaks for the package, relative to its folder.
    """

    name: str
    version: str
    format: str
    folder: str
    tree: str
    source: dict[str, Any]
    commit: str = ""
    tag: str = ""
    linked: bool = False
    overrides: tuple[str, ...] = ()
    previous: dict[str, Any] | None = None
    manifest: str = ""

    def as_json(self) -> dict[str, Any]:
        return {field: _plain(getattr(self, field)) for field in self.__fields__}


def installed_from_json(value: object) -> Installed | None:
    """None where an entry is not what we write: a broken line loses only itself."""
    if not isinstance(value, dict) or not all(isinstance(value.get(key), str) for key in _TEXTS):
        return None
    known = {key: value[key] for key in Installed.__fields__ if key in value}
    overrides = known.get("overrides")
    known["overrides"] = tuple(str(each) for each in overrides) if isinstance(overrides, list) else ()
    return Installed(**known) if isinstance(known.get("source"), dict) else None


_TEXTS = ("name", "version", "format", "folder", "tree")


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
