"""A skills folder of OpenHands: `*/SKILL.md`, and Markdown files at any depth beside them.

A Markdown file with triggers, inputs or paths is a skill, named by its header or its path; any other is context that
always counts. A SKILL.md whose name differs from its folder, or is not of the Agent Skills form, is dropped. In the
skills of plugins any name will do.
"""

from __future__ import annotations

import os

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.markdown_file import MarkdownFile, markdown_at
from pisces.files import below, entries, is_file, is_folder, walk
from pisces.harnesses.openhands.installed import off_in_record
from pisces.shapes.context_file import ContextFile
from pisces.shapes.skill import Skill

OPENHANDS_SKILL_NAME = Rule("openhands-skill-name", WARNING, "A skill's name makes OpenHands drop the skill")

_ON_DEMAND = ("triggers", "inputs", "paths")
_OF_OTHERS = frozenset(("agents.md", "agent.md", "claude.md", "gemini.md"))


def find(where: Where) -> FinderResults:
    own = [path for entry in entries(where.path) if is_folder(entry) for path in _skill_file(entry.path)]
    if where.capability == "skills":
        for path in own:
            yield from _skill(path, where)
    yield from _loose(where, tuple(os.path.dirname(path) + os.sep for path in own))


def _skill_file(folder: str) -> list[str]:
    return [entry.path for entry in entries(folder) if entry.name.lower() == "skill.md" and is_file(entry)][:1]


def _skill(path: str, where: Where) -> FinderResults:
    folder = os.path.basename(os.path.dirname(path))
    file = markdown_at(path, folder, lenient=False)
    if isinstance(file, Diagnostic):
        yield file
        return
    name = file.text("name") or folder
    if where.package or (name == folder and _is_name(name)):
        held = where.held or off_in_record(where, folder)
        yield _found(name, file, where.replace(held=held))
        return
    message = f"OpenHands drops the skill: its name is `{name}`, its folder `{folder}`"
    hint = "give both the same name of small letters, digits and single hyphens"
    yield OPENHANDS_SKILL_NAME.at(path, message, place=file.place("name"), hint=hint, about=name)


def _found(name: str, file: MarkdownFile, where: Where) -> Found[Skill]:
    return where.found(Skill(name, file.text("description"), file.path, file.fields, file.body_line))


def _is_name(name: str) -> bool:
    parts = name.split("-")
    return len(name) <= 64 and name.isascii() and name == name.lower() and all(part.isalnum() for part in parts)


def _loose(where: Where, taken: tuple[str, ...]) -> FinderResults:
    for entry in walk(where.path, cut=where.run.cuts.append):
        small = entry.name.lower()
        if not entry.name.endswith(".md") or entry.name == "README.md" or small == "skill.md":
            continue
        if entry.path.startswith(taken) or not is_file(entry):
            continue
        stem = below(where.path, entry.path).removesuffix(".md").replace(os.sep, "/")
        file = markdown_at(entry.path, stem, lenient=False)
        if isinstance(file, Diagnostic):
            yield file
        elif small in _OF_OTHERS or not any(file.fields.get(field) for field in _ON_DEMAND):
            if where.capability == "context-files":
                yield where.found(ContextFile(entry.path, where.level))
        elif where.capability == "skills":
            yield _found(file.text("name") or stem, file, where)
