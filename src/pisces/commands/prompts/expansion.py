"""What a grammar gets to turn a prompt file and the user's words into a prompt."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.places import Places
    from pisces.processes.launch import Launch
    from pisces.shapes.command import Command
    from pisces.shapes.verdict import Judge


class Expansion(Value):
    """`raw` is the whole line as typed, `/deploy to staging`; `args` is what follows the name.

    `judge` decides about every command line before the first of them runs; `places.cwd` is the workspace. `seconds` is
    the time that each line has, 0 for any; `fence` puts a sandbox around each.
    """

    command: Command
    raw: str
    args: str
    places: Places
    judge: Judge
    seconds: float | None = None
    fence: Callable[[Launch], Launch] | None = None
