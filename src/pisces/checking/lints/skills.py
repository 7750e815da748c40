"""Skills in packages of any format: deviations from the Agent Skills standard, and skills without use."""

from __future__ import annotations

import os

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import NOTE, WARNING, Diagnostics, Rule
from pisces.discovery.agent_skill import FIELDS, deviations
from pisces.discovery.finders.agent_skills import SKILL_OFF_STANDARD
from pisces.discovery.markdown_file import MarkdownFile
from pisces.discovery.package_options import AgentSkills
from pisces.formats.frontmatter import Frontmatter

SKILL_EXTRA_FIELD = Rule("skill-extra-field", NOTE, "A skill has a field that the Agent Skills standard does not know")
SKILL_EMPTY = Rule("skill-empty", WARNING, "A skill has no instructions")
SKILL_LONG = Rule("skill-long", NOTE, "A skill is longer than 8,000 bytes")

FILE = "SKILL.md"
_LONGEST = 8000


def _find(subject: Subject) -> Diagnostics:
    looks = [look for each in subject.package_formats if "skills" in each.looks for look in each.looks["skills"]()]
    is_checked = any(isinstance(look.options, AgentSkills) for look in looks)  # reports every deviation itself
    for path in dict.fromkeys(found.item.path for found in subject.every("skills")):
        file = subject.pages.markdown(path)
        if file is None or not path.endswith(".md"):
            continue
        if path.endswith(FILE) and not is_checked:
            yield from _off_standard(path, file)
        yield from _body(path, file, len(subject.pages.data(path) or b""))


def _off_standard(path: str, file: MarkdownFile) -> Diagnostics:
    folder = os.path.basename(os.path.dirname(path))
    if file.warning:
        yield file.warning
    if file.header is None:
        return
    lines = _lines(file.header)
    for field, message in deviations(file, folder):
        rule = SKILL_OFF_STANDARD if field in FIELDS else SKILL_EXTRA_FIELD
        if not (file.warning and rule is SKILL_EXTRA_FIELD):
            place = (lines[field], 1) if lines.get(field) else file.place(field)
            yield rule.at(path, message, place=place, about=folder)


def _body(path: str, file: MarkdownFile, size: int) -> Diagnostics:
    folder = os.path.basename(os.path.dirname(path))
    if file.header and not file.body.strip():
        yield SKILL_EMPTY.at(path, "there is nothing after the header", about=folder)
    if size > _LONGEST:
        yield SKILL_LONG.at(path, f"the file has {size:,} bytes", about=folder)


def _lines(header: Frontmatter) -> dict[str, int]:
    """The line of each field; 0 where several lines begin with it, so that only the YAML parser knows."""
    found: dict[str, int] = {}
    for number, line in enumerate(header.header.split("\n"), header.first_line):
        field, colon, _ = line.partition(":")
        if colon:
            found[field] = 0 if field in found else number
    return found


LINT = Lint("skills and the Agent Skills standard", _find)
