"""What a grammar gets to turn a prompt file and the user's words into a prompt."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places
    from pisces.shapes.command import Command
    from pisces.shapes.verdict import Judge


class Expansion(Value):
    """`raw` is the whole line as typed, `/deploy to staging`; `args` is what follows the name.

    `judge` decides about every command line before the first of them runs; `places.cwd` is the workspace.
    """

    command: Command
    raw: str
    args: str
    places: Places
    judge: Judge
