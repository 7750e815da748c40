"""What a name in a server's entry stands for: a folder, a setting of its package, a variable of the user.

Every name that is asked for is remembered, so that consent can show it. A model key that a package or a project names
is not given out.
"""

from __future__ import annotations

import os

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.containment import stays_inside
from pisces.files import Unreadable, read_text
from pisces.mcp.model_keys import is_model_key
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.discovery.found import Found
    from pisces.places import Places
    from pisces.shapes.mcp_server import McpServer

SERVER_VARIABLE = Rule("server-variable", WARNING, "A variable that an MCP server's entry names has no value")
SERVER_MODEL_KEY = Rule("server-model-key", WARNING, "An MCP server that is not the user's own names a model key")
SERVER_FILE = Rule("server-file", WARNING, "A file whose text an MCP server's entry wants cannot be used")


class ServerEntry(Value):
    """A server's entry and where it stands. `fields` are as written, `folder` is that of its package, empty for none.

    `is_own` is set if the user or the administrator of the machine wrote it. `settings` are the values of those
    settings that its package declares.
    """

    found: Found[McpServer]
    places: Places
    fields: Mapping[str, object]
    folder: str = ""
    is_own: bool = False
    settings: Mapping[str, str] = EMPTY

    @property
    def file_folder(self) -> str:
        return os.path.dirname(self.found.source.path)


class Names:
    """`folders` are names for folders, which are shown as they are. `asked` has every other name."""

    def __init__(self, entry: ServerEntry, folders: Mapping[str, str]) -> None:
        self.entry, self.folders = entry, folders
        self.asked: dict[str, None] = {}
        self.missing: dict[str, None] = {}
        self.withheld: dict[str, None] = {}
        self._files: list[Diagnostic] = []

    def variable(self, name: str) -> str | None:
        """A setting of the package beats a variable of the user: the user gave it to this very package."""
        entry = self.entry
        if name in self.folders:
            return self.folders[name]
        self.asked[name] = None
        if name in entry.settings:
            return entry.settings[name]
        if is_model_key(name) and not entry.is_own:
            self.withheld[name] = None
            return None
        value = entry.places.env.get(name)
        if value is None:
            self.missing[name] = None
        return value

    def known(self, name: str) -> str | None:
        """A variable that may not be meant as one: nothing is said if there is none of that name."""
        is_there = name in self.entry.settings or name in self.entry.places.env
        return self.variable(name) if is_there else None

    def get(self, name: str, default: str) -> str:
        """As a mapping has it, for `formats/env_variable.py`, which gives what is written where there is no default."""
        value = self.variable(name)
        if value is None and not default.startswith("$"):
            self.missing.pop(name, None)
        return default if value is None else value

    def with_default(self, text: str) -> str | None:
        """`NAME` or `NAME:-default`; an empty variable counts as set."""
        name, mark, default = text.partition(":-")
        value = self.variable(name)
        if value is None and mark:
            self.missing.pop(name, None)
            return default
        return value

    def file(self, path: str) -> str | None:
        """The text of a file. Not the user's own entry reads files of its package or project only."""
        entry = self.entry
        home = entry.places.replace(cwd=entry.file_folder)
        real, room = home.absolute(path), entry.folder or entry.places.cwd
        try:
            if not entry.is_own and not stays_inside(real, room):
                raise Unreadable("", "is not inside the folder that the entry came from")
            return read_text(real)
        except Unreadable as error:
            about = entry.found.item.name
            self._files.append(SERVER_FILE.at(entry.found.source.path, f"`{path}` {error.message}", about=about))
            return None

    def diagnostics(self) -> Iterator[Diagnostic]:
        source, about = self.entry.found.source.path, self.entry.found.item.name
        for name in self.missing:
            message = f"server `{about}` names the variable `{name}`, which is not set"
            yield SERVER_VARIABLE.at(source, message, hint=f"set `{name}` before you start pisces", about=about)
        for name in self.withheld:
            message = f"server `{about}` is not your own and names `{name}`, a key for a model, so it does not get it"
            hint = "a package declares a setting for it; your own configuration may name it"
            yield SERVER_MODEL_KEY.at(source, message, hint=hint, about=about)
        yield from self._files


class ShownNames(Names):
    """The same names for what is shown: every value of the user stays a name."""

    def variable(self, name: str) -> str | None:
        value = super().variable(name)
        return value if value is None or name in self.folders else f"${{{name}}}"

    def file(self, path: str) -> str | None:
        return None if super().file(path) is None else f"{{file:{path}}}"
