"""OpenCode: has no packages of this kind. Bare skills load from its own, Claude Code's and `.agents` skills folders."""

from __future__ import annotations

from pisces.checking.acceptance import Acceptance, CheckedPart
from pisces.checking.header_rules import header_flaw
from pisces.checking.subject import Subject


def _refusal(part: CheckedPart, subject: Subject) -> str:
    if subject.formats and not subject.is_bare:
        return "it installs no packages but its own; skills can be copied into a skills folder"
    if part.kind == "skills":
        return header_flaw(part, subject, needs=("name", "description"), lenient=True)
    return "it reads other files"


ACCEPTANCE = Acceptance((), _refusal)
