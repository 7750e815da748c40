"""The editor and the terminal, brought together: a companion server for editors, and the client of our agent.

`from pisces.ide import Companion`: the names of this package are public, the files in it are not.
"""

from __future__ import annotations

from pisces.by_name import export_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.ide.client.client import IdeClient
    from pisces.ide.client.model_text import ModelText
    from pisces.ide.companion.companion import Companion
    from pisces.ide.companion.options import CompanionOptions, Editor, Window
    from pisces.shapes.ide_context import Cursor, IdeContext

_HOME = {
    "Companion": "ide.companion.companion",
    "CompanionOptions": "ide.companion.options",
    "Cursor": "shapes.ide_context",
    "Editor": "ide.companion.options",
    "IdeClient": "ide.client.client",
    "IdeContext": "shapes.ide_context",
    "ModelText": "ide.client.model_text",
    "Window": "ide.companion.options",
}
__all__ = [
    "Companion",
    "CompanionOptions",
    "Cursor",
    "Editor",
    "IdeClient",
    "IdeContext",
    "ModelText",
    "Window",
]

if not TYPE_CHECKING:  # a type checker would take any name for one of ours

    def __getattr__(name):
        """Loaded when it is asked for: who needs the one side does not need the other."""
        if name not in _HOME:
            raise AttributeError(f"module 'pisces.ide' has no attribute {name!r}", name=name)
        return export_of("pisces", _HOME[name], name)
