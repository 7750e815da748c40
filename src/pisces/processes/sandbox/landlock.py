"""Landlock and seccomp, which every program may put on itself: no privileges, no other tool, the program unaltered."""

from __future__ import annotations

import os
import sys

from pisces.processes.sandbox import trampoline
from pisces.processes.sandbox.allowed import DEVICES, SYSTEM
from pisces.processes.sandbox.system_calls import call_filter, has_filter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.processes.launch import Launch
    from pisces.processes.sandbox.allowed import Allowed

_INTERNET = (2, 10, 16)  # IPv4, IPv6, and the question which addresses there are. Never local sockets: D-Bus is one
_GAPS_BEFORE = {3: "cutting files short", 6: "signals to your other programs"}
_TCP_SINCE = 4
_WITHOUT_FILTER = "local sockets, shared memory or the keyring"


def why_not() -> str:
    """Empty where it works."""
    if not sys.executable or not os.path.isfile(trampoline.__file__):
        return "there is no Python to start the fence with"
    return "" if trampoline.landlock_version() else "this kernel has no Landlock"


def gaps(allowed: Allowed) -> list[str]:
    """What this kernel cannot forbid."""
    version = trampoline.landlock_version()
    found = [gap for needed, gap in _GAPS_BEFORE.items() if version < needed]
    if has_filter():
        return found
    network = "network other than TCP" if version >= _TCP_SINCE else "the network"
    return [*found, _WITHOUT_FILTER, *([] if allowed.network else [network])]


def label() -> str:
    return f"Landlock {trampoline.landlock_version()} and seccomp"


def fenced(launch: Launch, allowed: Allowed) -> Launch:
    options = [f"read={path}" for path in (*SYSTEM, *allowed.read)]
    options += [f"write={path}" for path in allowed.write]
    options += [f"device={path}" for path in DEVICES]
    options += ["network=1"] if allowed.network else []
    return started_through(launch, options, allowed)


def started_through(launch: Launch, options: list[str], allowed: Allowed) -> Launch:
    """The same launch by way of the trampoline, which makes sure that the program is still the one that was checked."""
    if has_filter():
        options = [*options, f"filter={call_filter(_INTERNET if allowed.network else ()).hex()}"]
    if launch.descriptor >= 0:
        options = [*options, f"identity={trampoline.identity_of(launch.descriptor)}"]
    if trampoline.CHARACTERS in launch.env:
        options = [*options, f"locale={launch.env[trampoline.CHARACTERS]}"]
    script = os.path.abspath(trampoline.__file__)
    argv = (sys.executable, "-I", "-S", script, *options, "--", *launch.argv)
    return launch.replace(argv=argv, descriptor=-1, is_fenced=True)
