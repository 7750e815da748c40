"""A skill: a folder with a SKILL.md whose description says to the model when to read the rest."""

from __future__ import annotations

import os

from pisces.shapes.field import Hint, Table, Text
from pisces.shapes.invocable import Invocable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Skill(Invocable):
    """`fields` is the header as found. The body is not stored: it starts on line `body_line` of the file.

    `name` and `description` are what the harness makes of the header and the folder. `plain_name` is the name that
    other programs know where only this one puts something before it.
    """

    name: str
    description: str
    path: str
    fields: Mapping[str, Any]
    body_line: int = 1
    plain_name: str = ""

    license = Text("license")
    compatibility = Text("compatibility")
    metadata = Table("metadata")
    version = Text("version")
    argument_hint = Hint("argument-hint", "argument_hint", "argumentHint")

    @property
    def folder(self) -> str:
        return os.path.dirname(self.path)
