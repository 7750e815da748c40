"""What is known of an installed package: where it came from, exactly what it is, and what was agreed to."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Installed(Value):
    """One line of the store's index. `tree` is the hash of every file; a linked folder has none.

    `manifest` is the file that speaks for the package, relative to its folder. A `tree` of `hash_version` 1 does not
    cover the run bits of files: that is what an earlier pisces recorded, and what Windows records.
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
    hash_version: int = 1

    def as_json(self) -> dict[str, Any]:
        return {field: _plain(getattr(self, field)) for field in self.__fields__}


STORE_UNREADABLE = "store-unreadable"  # the code of what listings say about an index that cannot be read
MEND_INDEX = "mend the file, or move it away and install its packages again; their settings stay"


def indexed(value: object) -> tuple[list[Installed], str]:
    """The packages of an index, and what is wrong with it. Who writes must not go on then: it would lose packages."""
    listed = value.get("packages") if isinstance(value, dict) else None
    if not isinstance(listed, list):
        return [], "the index has no list `packages`"
    if isinstance(value, dict) and value.get("version", INDEX_VERSION) != INDEX_VERSION:
        return [], "the index was written by a newer pisces"
    found = [installed_from_json(each) for each in listed]
    wrong = [str(number) for number, each in enumerate(found, 1) if each is None]
    message = f"package {', '.join(wrong[:5])} of the index is not one that pisces wrote" if wrong else ""
    return [each for each in found if each], message


def installed_from_json(value: object) -> Installed | None:
    """None where an entry is not what we write: a broken line loses only itself."""
    if not isinstance(value, dict) or not all(isinstance(value.get(key), str) for key in _TEXTS):
        return None
    known = {key: value[key] for key in Installed.__fields__ if key in value}
    overrides = known.get("overrides")
    known["overrides"] = tuple(str(each) for each in overrides) if isinstance(overrides, list) else ()
    if not isinstance(known.get("hash_version", 1), int):
        return None
    return Installed(**known) if isinstance(known.get("source"), dict) else None


INDEX_VERSION = 1
_TEXTS = ("name", "version", "format", "folder", "tree")


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
