"""OpenCode: has no packages of this kind. Bare skills load from its own, Claude Code's and `.agents` skills folders."""

from __future__ import annotations

from pisces.check.header_rules import BARE, header_flaw
from pisces.check.host import Host, Part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.check.subject import Subject


def _refusal(part: Part, subject: Subject) -> str:
    if subject.formats and not BARE & set(subject.formats):
        return "it installs no packages but its own; skills can be copied into a skills folder"
    if part.kind == "skills":
        return header_flaw(part, subject, needs=("name", "description"), lenient=True)
    return "it reads other files"


HOST = Host("opencode", "OpenCode", tuple(BARE), _refusal)
