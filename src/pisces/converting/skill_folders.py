"""Skills for targets that follow the Agent Skills standard: each in a folder of its own name.

What needs no change is copied byte for byte.
"""

from __future__ import annotations

import re

from pisces.converting.assembling import left_fields
from pisces.converting.fate import (
    APPROXIMATED,
    CHANGED_MEANING,
    DROPPED,
    LOST_COMPONENT,
    LOST_FIELD,
    REPAIRED,
    lost,
    mapped,
)
from pisces.converting.names import UniqueNames, slug
from pisces.converting.references import References
from pisces.converting.spelling import Spelling, spelled
from pisces.converting.writer import OutputFile, WriteOptions, Written
from pisces.formats.yaml_text import markdown_text
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginCommand, PluginSkill

FILE = "SKILL.md"
NO_REFERENCES = References()
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_MOST_NAME, _MOST_DESCRIPTION, _MOST_COMPATIBILITY = 64, 1024, 500
_OF_COMMANDS = ("description", "argument-hint", "name")
_STANDARD = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")


class SkillTarget(Value):
    """`id` is the target's, for skills that are not meant for it. `fields` are those that it reads beside the
    standard's.

    A target that knows no switch for it lets the model read every skill; a command that became a skill is one of those.
    `is_strict`: it refuses a skill whose header has any other field.
    """

    id: str
    spelling: Spelling
    folder: str = "skills"
    fields: tuple[str, ...] = ()
    is_strict: bool = False

    @property
    def label(self) -> str:
        return self.spelling.label


class SkillWriter:
    """Writes skills, and commands as skills, under names that are used once.

    `repaired` are paths of those whose header only a forgiving reader takes. `references` are names in their texts.
    """

    def __init__(
        self,
        target: SkillTarget,
        options: WriteOptions,
        repaired: frozenset[str] = frozenset(),
        references: References = NO_REFERENCES,
    ) -> None:
        self._target = target
        self._references = references
        self._repaired = repaired
        self._options = options
        self._names = UniqueNames()
        self._files: list[OutputFile] = []
        self._fates: list[Fate] = []

    def written(self) -> Written:
        return Written(tuple(self._files), tuple(self._fates))

    def add(self, skill: PluginSkill) -> None:
        refusal = skill_refusal(skill, self._target.id, self._options)
        if refusal:
            self._fates.append(lost(DROPPED, LOST_COMPONENT, skill, refusal))
            return
        name = self._name(skill.folder.rpartition("/")[2] or skill.name)
        folder = f"{self._target.folder}/{name}"
        text = spelled(skill, self._references.in_prompt(skill.prompt), self._target.spelling)
        is_valid = skill.path not in self._repaired and self._has_header(skill, name)
        same = text.text == skill.prompt.written and is_valid
        page = None if same else self._page(skill, name, text.text)
        self._files.append(OutputFile(f"{folder}/{FILE}", page, skill.path if same else ""))
        for path in skill.files:
            inside = path.removeprefix(f"{skill.folder}/") if skill.folder else path
            self._files.append(OutputFile(f"{folder}/{inside}", None, path))
        self._fates += [mapped(skill, f"{folder}/{FILE}"), *text.fates, *self._left_fields(skill, name)]

    def add_command(self, command: PluginCommand) -> None:
        """A target without commands of its own gets them as skills, which the model may read too."""
        name = self._name(command.name.replace(":", "-"))
        path = f"{self._target.folder}/{name}/{FILE}"
        text = spelled(command, self._references.in_prompt(command.prompt), self._target.spelling)
        description = self._references.in_prose(command.description) or f"What `/{command.name}` does"
        if command.argument_hint:
            description = f"{description} (arguments: {command.argument_hint})"
        fields = {"name": name, "description": description[:_MOST_DESCRIPTION]}
        self._files.append(OutputFile(path, markdown_text(fields, text.text).encode("utf-8", "replace")))
        why = f"{self._target.label} has no commands in packages: it is a skill, which the model may read unasked"
        self._fates.append(lost(APPROXIMATED, CHANGED_MEANING, command, why).replace(output=path))
        self._fates += [*text.fates, *left_fields(command, _OF_COMMANDS, self._target.label)]
        if command.argument_hint:
            self._fates.append(mapped(command, path, "argument-hint"))
        if len(description) > _MOST_DESCRIPTION:
            self._fates.append(_cut(command, f"only the first {_MOST_DESCRIPTION} characters are written"))

    def _name(self, wanted: str) -> str:
        return self._names.unique(slug(wanted)[:_MOST_NAME].strip("-"))

    def _has_header(self, skill: PluginSkill, name: str) -> bool:
        """Whether the header can stay: a strict reader finds a valid name that is the folder's, and a description."""
        fields = skill.fields
        described = isinstance(fields.get("description"), str) and fields["description"].strip()
        if self._target.is_strict and standard_fields(fields) != fields:
            return False
        return fields.get("name") == name and _NAME.fullmatch(name) is not None and bool(described)

    def _page(self, skill: PluginSkill, name: str, body: str) -> bytes:
        fields = standard_fields(skill.fields) if self._target.is_strict else skill.fields
        others = {key: value for key, value in fields.items() if key not in ("name", "description")}
        description = (skill.description or f"About {skill.name}")[:_MOST_DESCRIPTION]
        text = markdown_text({"name": name, "description": description, **others}, body)
        return text.encode("utf-8", "replace")

    def _left_fields(self, skill: PluginSkill, name: str) -> Iterator[Fate]:
        if skill.name != name or skill.fields.get("name", name) != name:
            why = f"the skill is called `{name}`: a name is small letters, digits and dashes, once each"
            yield lost(APPROXIMATED, CHANGED_MEANING, skill, why, "name")
        if len(skill.description) > _MOST_DESCRIPTION:
            yield _cut(
                skill, f"only the first {_MOST_DESCRIPTION} characters are written where the header is written anew"
            )
        if not skill.by_model and _MODEL_SWITCH not in self._target.fields:
            why = f"{self._target.label} has no such switch: the model may read it unasked"
            yield lost(APPROXIMATED, CHANGED_MEANING, skill, why, _MODEL_SWITCH)
        for field in ("compatibility", "metadata", "license") if self._target.is_strict else ():
            if field in skill.fields and standard_fields(skill.fields).get(field) != skill.fields[field]:
                yield lost(DROPPED, LOST_FIELD, skill, f"`{field}` is not as the standard wants it", field)
        yield from left_fields(skill, (*_STANDARD, *self._target.fields, _MODEL_SWITCH), self._target.label)


_MODEL_SWITCH = "disable-model-invocation"


def _cut(item: PluginCommand | PluginSkill, why: str) -> Fate:
    return lost(APPROXIMATED, CHANGED_MEANING, item, why, "description")


def skill_refusal(skill: PluginSkill, target: str, options: WriteOptions) -> str:
    """Why a target does not get a skill; empty where it does."""
    if skill.name in options.skipped_skills:
        return "it was left out on request"
    if skill.targets and target not in skill.targets:
        return f"its author means it for {', '.join(skill.targets)}"
    return ""


def standard_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """What the standard knows of a header, in the types that it demands."""
    found: dict[str, Any] = {key: fields[key] for key in fields if key in _STANDARD and isinstance(fields[key], str)}
    if isinstance(fields.get("description"), str):
        found["description"] = fields["description"][:_MOST_DESCRIPTION]
    if len(found.get("compatibility", "")) > _MOST_COMPATIBILITY:
        del found["compatibility"]
    metadata, tools = fields.get("metadata"), fields.get("allowed-tools")
    if isinstance(metadata, dict):
        found["metadata"] = {key: value for key, value in metadata.items() if isinstance(value, str)}
    if isinstance(tools, list):
        found["allowed-tools"] = " ".join(map(str, tools))
    return {key: value for key, value in found.items() if value}


def written_skills(
    plugin: Plugin, target: SkillTarget, options: WriteOptions, references: References = NO_REFERENCES
) -> SkillWriter:
    """A writer with all skills in it; commands may be added."""
    repaired = frozenset(each.path for each in plugin.fates if each.code == REPAIRED.code)
    writer = SkillWriter(target, options, repaired, references)
    for skill in plugin.skills:
        writer.add(skill)
    return writer
