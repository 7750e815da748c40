"""What `/name` does: a prompt file of some dialect (executables and functions come with the commands floor)."""

from __future__ import annotations

from pisces.value import Value


class Command(Value):
    """`name` is what the file asks for; `final_name` is what the user types once conflicts are settled."""

    name: str
    final_name: str
    description: str
    path: str
    dialect: str
    argument_hint: str = ""
