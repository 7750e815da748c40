"""The kill switch: with `PISCES_SAFE=1` or `--safe` everything is found and listed, and nothing of it runs.

Only the environment of the process and the command line decide. Settings, `.env` files and packages have no say.
"""

from __future__ import annotations

from pisces.diagnostics import ERROR, NOTE, Diagnostic, PiscesError, Rule
from pisces.discovery.state import OFF, State
from pisces.places import SAFE_VARIABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places

SAFE_MODE = Rule("safe-mode", ERROR, "Something did not run, because safe mode is on")
SAFE_MODE_ON = Rule("safe-mode-on", NOTE, "Safe mode is on: what is listed does not run")

WHO = "safe mode"
_CHANGE = f"without {SAFE_VARIABLE} in the environment, and without --safe, it runs again"


def safe_state(places: Places) -> State | None:
    """The state of everything that was found, while safe mode is on; None while it is not."""
    return State(OFF, "safe mode is on", change=_CHANGE) if places.is_safe else None


def refuse_in_safe_mode(places: Places, what: str, path: str = "") -> None:
    """Raises `PiscesError` while safe mode is on. `what` begins the message."""
    if places.is_safe:
        raise PiscesError(SAFE_MODE.at(path, f"{what} does not run: safe mode is on", hint=_CHANGE, about=what))


def safe_mode_notes(places: Places) -> tuple[Diagnostic, ...]:
    """For listings: that nothing of what they list runs."""
    message = f"safe mode is on ({SAFE_VARIABLE} or --safe): nothing that is listed runs in pisces"
    return (SAFE_MODE_ON.at("", message, hint=_CHANGE),) if places.is_safe else ()
