"""An editor as a value: its name, the signs in a terminal's environment that give it away, and where its command is."""

from __future__ import annotations

from collections.abc import Mapping

from pisces.value import Value

ANY = ""  # a sign that any value will do


class Sign(Value):
    """A variable that is set: to anything, to exactly `value`, or to something that contains `part`, in any case."""

    variable: str
    value: str = ANY
    part: str = ""

    def is_in(self, env: Mapping[str, str]) -> bool:
        found = env.get(self.variable, "")
        if self.value:
            return found == self.value
        return self.part in found.lower() if self.part else bool(found)


class CommandLine(Value):
    """Where an editor's own command line is: names on PATH, a variable that names it, then the usual folders.

    `mac` is (application, support folder); `linux` a folder name; `windows` an application folder.
    """

    names: tuple[str, ...]
    variable: str = ""
    mac: tuple[str, str] = ("", "")
    linux: str = ""
    windows: str = ""
    help: str = ""


class Copied(Value):
    """A companion that is copied: `folder` below `companions` goes to `target`, and `then` says what is left to do."""

    folder: str
    target: tuple[str, ...]
    root: str = "data"  # `data`, `config` or `home`
    then: str = ""


class DetectedIde(Value):
    """`signs` are asked for in a terminal's environment. `words` find the product of a `family` in its command line."""

    name: str
    display_name: str
    signs: tuple[Sign, ...] = ()
    family: str = ""
    words: tuple[str, ...] = ()
    command_line: CommandLine | None = None
    copied: Copied | None = None
