"""Keys of providers: from a variable of the environment, or from a program that the user's own settings name.

`.env` files of projects are not read: a project would choose whose key, and so whose account, is used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.models.wire import ModelFailed
from pisces.processes.environment import passed_on
from pisces.processes.launch import Launch, Limits

if TYPE_CHECKING:
    from pisces.places import Places

NO_KEY = Rule("no-model-key", ERROR, "The model that was named needs a key, and there is none")
_SECONDS = 30.0
_MOST_OUTPUT = 64 * 1024


def key_in(variable: str, places: Places, who: str) -> str:
    """Raises `PiscesError` for a value that no header can have; the value itself is never shown."""
    key = places.env.get(variable, "").strip()
    if key and not _is_sendable(key):
        hint = "a key is one line of ASCII; was it pasted with something else?"
        raise PiscesError(NO_KEY.at("", f"what `{variable}` has is no key of `{who}`", hint=hint))
    return key


def missing_key(who: str, variables: tuple[str, ...]) -> PiscesError:
    hint = f"set {' or '.join(f'`{name}`' for name in variables)}; files called `.env` are not read"
    return PiscesError(NO_KEY.at("", f"there is no key for `{who}`", hint=hint))


async def key_printed_by(command: tuple[str, ...], places: Places, who: str) -> str:
    """What a program prints. Raises `ModelFailed` where that is no key. Its output is shown nowhere."""
    limits = Limits(seconds=_SECONDS, output=_MOST_OUTPUT)
    launch = Launch(command, places.home, passed_on(places.env), limits)
    out, _, ended = await export_of("pisces.processes", "process", "captured")(launch)
    key: str = out.decode("utf-8", "replace").strip()
    if ended.code != 0:
        raise ModelFailed(f"`{command[0]}`, which should print the key of `{who}`, failed")
    if not key or not _is_sendable(key):
        raise ModelFailed(f"`{command[0]}` printed no key for `{who}`")
    return key


def _is_sendable(key: str) -> bool:
    return key.isascii() and key.isprintable()
