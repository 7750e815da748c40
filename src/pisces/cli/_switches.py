"""What is switched off: by options of this call, and by the user's and the project's settings."""

from __future__ import annotations

from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.discovery.harness import all_harnesses
from pisces.discovery.switches import configured_switches
from pisces.ui.plain import show_diagnostics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import Namespace, Places, Screen
    from pisces.discovery.registry import Switches


def switches_for(arguments: Namespace, places: Places, screen: Screen) -> Switches:
    configured, diagnostics = configured_switches(places)
    show_diagnostics(diagnostics, places, screen)
    only, without = arguments.harness or [], arguments.no_harness or []
    _refuse_unknown([*only, *without])
    return configured.replace(
        disabled_harnesses=configured.disabled_harnesses | set(without),
        disabled_items=configured.disabled_items | set(arguments.disable or ()),
        only_harnesses=frozenset(only) or None,
    )


def _refuse_unknown(ids: list[str]) -> None:
    known = [harness.id for harness in all_harnesses()] if ids else []
    for each in ids:
        if each not in known:
            message, hint = f"no harness is called `{each}`", f"one of: {', '.join(known)}"
            raise PiscesError(Diagnostic("unknown-provider", ERROR, message, hint=hint))
