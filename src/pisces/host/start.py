"""What a host knows from its first moment: the facts of the session, who is trusted, and which modules may run.

Most workspaces have nothing of pisces' own. Then nothing has to be loaded to know that no module runs.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.discovery.safe_mode import safe_mode_notes
from pisces.gates.trusted import Trust, trust_in
from pisces.host.story import Story
from pisces.modules.entry import ModuleEntries
from pisces.shapes.session_facts import MODE_ASK, MODES, SessionFacts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.host.options import Approve, HostOptions
    from pisces.modules.required import RequiredModule
    from pisces.places import Places

UNKNOWN_MODE = Rule("unknown-mode", ERROR, "An approval mode does not exist")

_LOGS = {"agent", "audit"}  # what is in a folder of pisces' own as soon as a log is written


class HostStart:
    """`required` are the modules without which no tool is called: those of the settings as they are now."""

    def __init__(self, places: Places, approve: Approve, options: HostOptions) -> None:
        if places.is_safe:
            options = options.replace(mode=MODE_ASK)
        self.places, self.approve, self.options = places, approve, options
        self.trust = trust_in(places)
        if options.trust_workspace:
            self.trust = self.trust.including_for_this_run(places.cwd)
        self.facts = _facts(places, options, self.trust)
        self.entries, self.required = _modules(places, options, self.trust)
        self.problems: list[Diagnostic] = []
        self.story = Story(places, options, self.facts.id, self.problems.append)


def known_mode(mode: str) -> str:
    if mode not in MODES:
        hint = f"one of: {', '.join(MODES)}"
        raise PiscesError(UNKNOWN_MODE.at("", f"`{mode}` is no approval mode", hint=hint))
    return mode


def _facts(places: Places, options: HostOptions, trust: Trust) -> SessionFacts:
    return SessionFacts(
        places.cwd,
        places.cwd,
        places.home,
        options.session_id or _random_uuid(),
        options.transcript,
        options.model,
        known_mode(options.mode),
        is_interactive=options.is_interactive,
        is_trusted=trust.knows(places.cwd) or trust.covers_all(places.cwd),
    )


def _random_uuid() -> str:
    """As `uuid.uuid4()` writes it. The module `uuid` takes longer to load than a host to open."""
    digits = os.urandom(16).hex()
    variant = "89ab"[int(digits[16], 16) % 4]
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


def _modules(places: Places, options: HostOptions, trust: Trust) -> tuple[ModuleEntries, tuple[RequiredModule, ...]]:
    entries, required = ModuleEntries(()), ()
    if options.modules or _has_own_files(places):
        entries, required = export_of("pisces.host", "module_list", "module_list")(places, options, trust)
    if places.is_safe:
        entries = ModuleEntries((), (*entries.diagnostics, *safe_mode_notes(places)))
    return entries, required


def _has_own_files(places: Places) -> bool:
    """Whether the user or the project may have modules or settings of pisces. What cannot be listed may."""
    for folder in (places.agent_dir, places.absolute(".pisces")):
        try:
            if not _LOGS.issuperset(os.listdir(folder)):
                return True
        except FileNotFoundError:
            continue
        except OSError:
            return True
    return False
