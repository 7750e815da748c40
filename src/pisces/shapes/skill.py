"""A skill: a folder with a SKILL.md whose description tells the model when to read the rest."""

from __future__ import annotations

from pisces.value import Value


class Skill(Value):
    name: str
    description: str
    path: str
