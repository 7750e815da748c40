"""What `/name` does: a prompt file of some dialect, or a program that never calls the model."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.shapes.executable import Executable


class Command(Value):
    """`name` is what the file asks for; `final_name` is what the user types once conflicts are settled.

    `path` is the prompt file, or the manifest that names the program.
    """

    name: str
    final_name: str
    description: str
    path: str
    dialect: str
    argument_hint: str = ""
    executable: Executable | None = None
