"""Skills: instructions that the model reads when they are needed."""

from __future__ import annotations

from pisces.packages.template import Template
from pisces.packages.templates._skill import skill_files

_GUIDE = """
A skill is a folder `skills/NAME/` with a `SKILL.md`. The model sees only `name` and `description` until it decides to
use it, so the description must say what the skill does and when. Details that are not needed every time go into
`references/`, programs into `scripts/`.

Try it: `pisces check .`, then `gemini extensions link .` and `/skills list`
"""

TEMPLATE = Template(
    "skills",
    "A skill that writes release notes",
    _GUIDE,
    skill_files("skills/release-notes/", "release-notes"),
    {},
)
