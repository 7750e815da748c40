"""What is switched off: by options of this call, and by the user's and the project's settings."""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.discovery.harness import all_harnesses
from pisces.discovery.switches import configured_switches
from pisces.ui.plain import show_diagnostics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import Namespace, Places, Screen
    from pisces.discovery.registry import Switches

UNION = "pisces"  # the harness that runs what all others load


def switches_for(arguments: Namespace, places: Places, screen: Screen) -> Switches:
    configured, diagnostics = configured_switches(places)
    show_diagnostics((*safe_notes(places), *diagnostics), places, screen)
    named, without = arguments.harness or [], arguments.no_harness or []
    _refuse_unknown([*named, *without])
    only = [each for each in named if each != UNION]
    return configured.replace(
        disabled_harnesses=configured.disabled_harnesses | set(without),
        disabled_items=configured.disabled_items | set(arguments.disable or ()),
        only_harnesses=None if UNION in named else frozenset(only) or None,
    )


def safe_notes(places: Places) -> tuple[Diagnostic, ...]:
    """That nothing of what is listed runs, where safe mode is on."""
    if not places.is_safe:
        return ()
    notes: tuple[Diagnostic, ...] = export_of("pisces.discovery", "safe_mode", "safe_mode_notes")(places)
    return notes


def _refuse_unknown(ids: list[str]) -> None:
    known = [UNION, *(harness.id for harness in all_harnesses())] if ids else []
    for each in ids:
        if each not in known:
            meant = export_of("pisces.checking", "spelling", "did_you_mean")(each, known)
            message, hint = f"no harness is called `{each}`", f"{meant} one of: {', '.join(known)}".lstrip()
            raise PiscesError(Diagnostic("unknown-provider", ERROR, message, hint=hint))
