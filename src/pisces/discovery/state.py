"""What becomes of an item in one harness, with the reason and with what would change it."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.discovery.config_file import ConfigFile
    from pisces.discovery.found import Found
    from pisces.discovery.harness import Harness, Run
    from pisces.places import Places

    # What a harness's settings say about an item of a kind; None where nothing speaks against it. A state that is
    # active says under which condition it loads.
    StateOf = Callable[[str, Found], "State | None"]

ACTIVE = "active"
OFF = "off"  # by a switch
UNTRUSTED = "untrusted"  # the folder is
WAITING = "waiting"  # for somebody's approval
SHADOWED = "shadowed"  # by another item of that name
INVALID = "invalid"
REFUSED = "refused"  # with the whole package or file that it is part of, or because the program does not start

STATES = (ACTIVE, OFF, UNTRUSTED, WAITING, SHADOWED, INVALID, REFUSED)


class State(Value):
    """`path` and `line` name the switch, if a file has it; `change` says what to do for the item to load.

    `only_here` means that it says nothing about pisces itself: the program never reads such a file, does not start, or
    nobody has answered its question yet. What a user has switched off or refused is off in pisces as well.
    """

    name: str
    reason: str
    path: str = ""
    line: int = 0
    change: str = ""
    only_here: bool = False


class Scene(Value):
    """What the states of a harness are read from: each `harnesses/<id>/states.py` has `states(scene) -> StateOf`."""

    harness: Harness
    places: Places
    run: Run


def switched(name: str, reason: str, file: ConfigFile, keys: tuple[str | int, ...], change: str = "") -> State:
    """A state that a key of a configuration file decides."""
    return State(name, reason, file.path, file.place(*keys)[0], change)
