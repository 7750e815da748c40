"""pi: packages with a `pi` key in package.json; any other folder is a package too, whose `skills/` it reads.

A skill needs a description and nothing else.
"""

from __future__ import annotations

import os

from pisces.check.header_rules import BARE, header_flaw
from pisces.check.host import Host, Part, refused_as

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.check.subject import Subject


def _refusal(part: Part, subject: Subject) -> str:
    if "pi-package" in subject.formats:
        told = refused_as(part, ("pi-package",))
        return "package.json does not list it under `pi`" if told is None else told
    if part.kind != "skills":
        return "its packages bring modules, skills, prompts and themes of its own"
    below = os.path.relpath(part.path, subject.folder).split(os.sep)
    if subject.formats and not BARE & set(subject.formats) and below[0] != "skills":
        return "it looks in `skills/`"
    return header_flaw(part, subject, needs=("description",))


HOST = Host("pi", "pi", ("pi-package", *BARE), _refusal)
