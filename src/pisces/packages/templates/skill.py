"""A bare skill: a folder that every harness with skills understands."""

from __future__ import annotations

from pisces.packages.template import Template
from pisces.packages.templates._skill import skill_files

_GUIDE = """
This folder is one skill in the form of the Agent Skills standard. The `name` in `SKILL.md` and the folder's name must
be the same. The model sees only `name` and `description` until it decides to use the skill.

Try it: `pisces check .`, then copy the folder to `.agents/skills/`, or `pisces extensions install .`
"""

TEMPLATE = Template("skill", "A skill that writes release notes", _GUIDE, skill_files("", "@name@"))
