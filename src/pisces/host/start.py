"""What a host knows from its first moment: the facts of the session, who is trusted, and which modules may run.

Most workspaces have nothing of pisces' own. Then nothing has to be loaded to know that no module runs.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.host.log_ends import LogEnds
from pisces.shapes.session_facts import MODE_ASK, MODES, SessionFacts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.host.chosen import Chosen
    from pisces.host.options import Approve, HostOptions
    from pisces.host.story import Story
    from pisces.places import Places

UNKNOWN_MODE = Rule("unknown-mode", ERROR, "An approval mode does not exist")

_LOGS = {"agent", "audit"}  # what is in a folder of pisces' own as soon as a log is written


class HostStart:
    """`chosen` is None where neither the user nor the project nor the program has chosen anything for pisces."""

    def __init__(self, places: Places, approve: Approve, options: HostOptions) -> None:
        if places.is_safe:
            options = options.replace(mode=MODE_ASK)
        self.places, self.approve, self.options = places, approve, options
        self.chosen: Chosen | None = None
        if options.modules or options.trust_workspace or places.is_safe or _has_own_files(places):
            self.chosen = export_of("pisces.host", "chosen", "chosen_in")(places, options)
        trust = self.chosen.trust if self.chosen else None
        is_trusted = trust is not None and (trust.knows(places.cwd) or trust.covers_all(places.cwd))
        self.facts = _facts(places, options).replace(is_trusted=is_trusted)
        self.problems: list[Diagnostic] = []
        self.log_ends = LogEnds(places, options, self.facts.id, self.problems.append)

    def story(self) -> Story:
        """Of a host that is used."""
        made: Story = export_of("pisces.host", "story", "Story")(self.log_ends.log, self.options)
        return made


def known_mode(mode: str) -> str:
    if mode not in MODES:
        hint = f"one of: {', '.join(MODES)}"
        raise PiscesError(UNKNOWN_MODE.at("", f"`{mode}` is no approval mode", hint=hint))
    return mode


def _facts(places: Places, options: HostOptions) -> SessionFacts:
    return SessionFacts(
        places.cwd,
        places.cwd,
        places.home,
        options.session_id or _random_uuid(),
        options.transcript,
        options.model,
        known_mode(options.mode),
        is_interactive=options.is_interactive,
    )


def _random_uuid() -> str:
    """As `uuid.uuid4()` writes it. The module `uuid` takes longer to load than a host to open."""
    digits = os.urandom(16).hex()
    variant = "89ab"[int(digits[16], 16) % 4]
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


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
