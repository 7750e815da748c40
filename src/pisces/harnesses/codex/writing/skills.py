"""Skills, and commands as skills. Codex fills in nothing: what the user typed is in the conversation.

Paths are relative to the skill's folder, as Codex tells its model. A skill that only the user may start says so in
`agents/openai.yaml` beside it.
"""

from __future__ import annotations

from pisces.converting import prompt_text as neutral
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, lost
from pisces.converting.references import References
from pisces.converting.skill_folders import SkillTarget, written_skills as all_skills
from pisces.converting.spelling import Spelling
from pisces.converting.writer import OutputFile, WriteOptions, Written
from pisces.harnesses.codex.writing.manifest import name_of
from pisces.value import FrozenMapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginItem, PluginSkill

SPELLING = Spelling(
    "Codex",
    variables=FrozenMapping({neutral.ROOT: "../..", neutral.SKILL_FOLDER: ".", neutral.PROJECT: "$PWD"}),
)
MODEL_SWITCH = "disable-model-invocation"
_TARGET = SkillTarget("codex", SPELLING, fields=(MODEL_SWITCH,))
_ONLY_BY_USER = b"policy:\n  allow_implicit_invocation: false\n"


def written_skills(plugin: Plugin, options: WriteOptions) -> Written:
    written = _written(plugin, options, _references(plugin, _written(plugin, options, References())))
    by_path: dict[str, PluginItem] = {each.path: each for each in (*plugin.skills, *plugin.commands)}
    pages = {each.output: by_path.get(each.path) for each in written.fates if each.output.endswith("/SKILL.md")}
    hidden = [page.removesuffix("SKILL.md") for page, item in pages.items() if item and _is_hidden(item)]
    files = (OutputFile(f"{folder}agents/openai.yaml", _ONLY_BY_USER) for folder in hidden)
    fates = (fate for skill in plugin.skills for fate in _nested(skill))
    return written.replace(files=(*files, *written.files), fates=(*written.fates, *fates))


def _written(plugin: Plugin, options: WriteOptions, references: References) -> Written:
    skills = all_skills(plugin, _TARGET, options, references)
    for command in plugin.commands:
        skills.add_command(command)
    return skills.written()


def _references(plugin: Plugin, written: Written) -> References:
    """Users name a skill of a plugin as `$plugin:skill`, whatever it was before."""
    pages = {each.path: each.output.split("/")[-2] for each in written.fates if each.output.endswith("/SKILL.md")}
    items = (*plugin.skills, *plugin.commands)
    names = {each.name: f"{name_of(plugin)}:{pages[each.path]}" for each in items if each.path in pages}
    return References(plugin.name, skills=names, slashes=names, mark="$")


def _nested(skill: PluginSkill) -> Iterator[Fate]:
    for path in skill.files:
        if skill.folder and path.endswith("/SKILL.md"):
            why = f"Codex looks for skills in folders of skills: it offers `{path}` as a skill of its own"
            yield lost(APPROXIMATED, CHANGED_MEANING, skill, why)


def _is_hidden(item: PluginItem) -> bool:
    return item.fields.get(MODEL_SWITCH) is True
