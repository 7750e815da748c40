"""What `/name` does: a prompt file of some dialect, or a program that never calls the model."""

from __future__ import annotations

from pisces.shapes.invocable import Invocable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.shapes.executable import Executable
    from pisces.shapes.field import Keys


class Command(Invocable):
    """`name` is what the file asks for; `final_name` is what the user types once conflicts are settled.

    `path` is the prompt file, or the file with the entry that `keys` lead to. `fields` is the header or the entry as
    found.
    """

    name: str
    final_name: str
    description: str
    path: str
    dialect: str
    fields: Mapping[str, Any]
    argument_hint: str = ""
    executable: Executable | None = None
    keys: Keys = ()
