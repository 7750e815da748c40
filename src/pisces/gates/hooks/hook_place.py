"""Where a hook stands. The file is read again only when somebody asks, so that a session opens without that cost."""

from __future__ import annotations

from pisces.discovery.found import Found
from pisces.discovery.item_place import item_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.gates.hooks.dialect import LoadedHook


def line_of(loaded: LoadedHook) -> int:
    """From 1; 0 where the file cannot be read any more."""
    source = loaded.source.replace(path=loaded.hook.path)
    return loaded.line or item_place(Found(loaded.hook, source))[0]


def shown_place(loaded: LoadedHook) -> str:
    line = line_of(loaded)
    return f"{loaded.hook.path}:{line}" if line else loaded.hook.path
