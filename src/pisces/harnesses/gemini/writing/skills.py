"""Skills: their folders where Gemini CLI sees them, one level deep. A file that needs no change is copied as it is.

A skill that only the user starts is a command (`commands.py`); its other files lie in a folder without a skill.
"""

from __future__ import annotations

from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, REPAIRED, WIDENED, WIDENED_TOOLS, lost, mapped
from pisces.converting.variables import text_with_variables
from pisces.converting.writer import OutputFile, Written
from pisces.formats.yaml_text import markdown_text
from pisces.harnesses.gemini.writing.descriptions import described, left_out, renamed
from pisces.harnesses.gemini.writing.names import LABEL, is_command, is_left_out
from pisces.harnesses.gemini.writing.spelling import filled_in
from pisces.harnesses.gemini.writing.texts import InstructionText

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginCommand, PluginSkill
    from pisces.harnesses.gemini.writing.plan import ExtensionPlan

FILE = "SKILL.md"
# What has no meaning for the program that it was written for either, or none that could be lost.
PLAIN = ("name", "description", "license", "compatibility", "metadata", "version", "author", "tags")
WHO = ("disable-model-invocation", "user-invocable", "user-invokable", "user_invokable", "argument-hint", "arguments")
_HANDLED = (*PLAIN, *WHO, "when_to_use")
_ELSEWHERE = ("context", "agent", "disallowed-tools")


def written_skills(plan: ExtensionPlan) -> Written:
    plugin, options = plan.plugin, plan.options
    files: list[OutputFile] = []
    fates: list[Fate] = []
    changed = {each.path for each in plugin.fates if each.code == REPAIRED.code}
    for skill in plugin.skills:
        if is_left_out(skill, options):
            fates.append(left_out(skill))
        elif is_command(skill):
            files += _others(skill, plan)
        else:
            file, more = _file(skill, plan, is_repaired=skill.path in changed)
            files += [file, *_others(skill, plan)]
            fates += [mapped(skill, file.path), *more]
    return Written(tuple(files), tuple(fates))


def _file(skill: PluginSkill, plan: ExtensionPlan, *, is_repaired: bool) -> tuple[OutputFile, list[Fate]]:
    path = plan.moved[skill.path]
    writer = InstructionText(skill, plan, filled_in(plan), plan.skill_folder(skill))
    body = helper_sentence(skill, plan) + writer.text()
    fields = _header(skill, plan)
    name = plan.names.skills[skill.path].name
    before = name if skill.name == name and skill.fields.get("name", name) == name else ""
    fates = [*renamed(skill, before, name), *writer.fates]
    fates += [*field_fates(skill, plan, _HANDLED), *_moved_fates(skill, path, body)]
    if not is_repaired and body == skill.prompt.written and fields == dict(skill.fields):
        return OutputFile(path, None, skill.path), fates
    return OutputFile(path, markdown_text(fields, body).encode("utf-8", "replace")), fates


def _header(skill: PluginSkill, plan: ExtensionPlan) -> dict[str, Any]:
    """The header as it is, with a name and a description, and without what only another program would read."""
    more = skill.fields.get("when_to_use")
    text = " ".join(filter(None, (described(skill), str(more).strip() if more else "")))
    name = plan.names.skills[skill.path].name
    described_as = plan.references.in_prose(text)
    same = skill.fields.get("name") == name and skill.fields.get("description") == described_as
    if same and not more and not has_variables(skill.fields, plan.plugin.harness):
        return dict(skill.fields)
    plain = {key: value for key, value in skill.fields.items() if key in (*PLAIN, *WHO)}
    return {**plain, "name": name, "description": described_as}


def has_variables(value: object, harness: str) -> bool:
    """Whether any text in a value has a place of the program that it was written for."""
    if isinstance(value, str):
        return "$" in value and any(not isinstance(each, str) for each in text_with_variables(value, harness).parts)
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return any(has_variables(each, harness) for each in inside)


def helper_sentence(item: PluginSkill | PluginCommand, plan: ExtensionPlan) -> str:
    """What runs in a subagent of its own there is handed to one here."""
    agent = str(item.fields.get("agent") or "")
    if item.fields.get("context") != "fork" and not agent:
        return ""
    plain = agent.removeprefix(f"{plan.plugin.name}:")
    named = plan.references.agents.get(plain, "")
    return f"Hand this over to the subagent `{named}`.\n\n" if named else "Hand this over to a subagent.\n\n"


def field_fates(item: PluginSkill | PluginCommand, plan: ExtensionPlan, handled: tuple[str, ...]) -> list[Fate]:
    fates = plan.lost_fields(item, (*handled, *_ELSEWHERE), f"{LABEL} does not read")
    for key in ("context", "agent"):
        if item.fields.get(key):
            why = f"the model is asked to use a subagent: {LABEL} starts none by itself"
            fates.append(lost(APPROXIMATED, CHANGED_MEANING, item, why, field=key))
    if item.fields.get("disallowed-tools"):
        why = f"{LABEL} cannot take tools away for one text: `{item.fields['disallowed-tools']}` may be used"
        fates.append(lost(WIDENED, WIDENED_TOOLS, item, why, field="disallowed-tools"))
    return fates


def _moved_fates(skill: PluginSkill, path: str, body: str) -> list[Fate]:
    fates = []
    if not skill.by_user:
        key = next((each for each in WHO[1:4] if each in skill.fields), "user-invocable")
        why = f"{LABEL} lets users start every skill of an extension"
        fates.append(lost(APPROXIMATED, CHANGED_MEANING, skill, why, field=key))
    if "../" in body and skill.folder and path.rpartition("/")[0].count("/") != skill.folder.count("/"):
        why = f"it lies in `{path.rpartition('/')[0]}` now: paths with `../` in its text lead elsewhere"
        fates.append(lost(APPROXIMATED, CHANGED_MEANING, skill, why, field="prompt"))
    return fates


def _others(skill: PluginSkill, plan: ExtensionPlan) -> Iterator[OutputFile]:
    """The other files of its folder, but for those of a skill that lies inside and is written by itself."""
    if not skill.files:
        return
    inside = f"{skill.folder}/" if skill.folder else ""
    folders = (f"{each.folder}/" for each in plan.plugin.skills if each.path in plan.moved)
    nested = tuple(each for each in folders if each.startswith(inside) and each != inside)
    folder = plan.skill_folder(skill)
    for path in skill.files:
        is_component = not inside and path in plan.sources
        if not is_component and not (nested and path.startswith(nested)):
            yield OutputFile(f"{folder}/{path.removeprefix(inside)}", None, path)
