"""pi: packages with a `pi` key in package.json; any other folder is a package too, whose `skills/` it reads.

A skill needs a description and nothing else.
"""

from __future__ import annotations

import os

from pisces.checking.acceptance import Acceptance, CheckedPart, refused_as
from pisces.checking.header_rules import header_flaw
from pisces.checking.subject import Subject


def _refusal(part: CheckedPart, subject: Subject) -> str:
    if "pi-package" in subject.formats:
        verdict = refused_as(part, ("pi-package",))
        return "package.json does not list it under `pi`" if verdict is None else verdict
    if part.kind != "skills":
        return "its packages bring modules, skills, prompts and themes of its own"
    below = os.path.relpath(part.path, subject.folder).split(os.sep)
    if subject.formats and not subject.is_bare and below[0] != "skills":
        return "it looks in `skills/`"
    return header_flaw(part, subject, needs=("description",))


ACCEPTANCE = Acceptance(("pi-package",), _refusal)
