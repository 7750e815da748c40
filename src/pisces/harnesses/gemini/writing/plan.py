"""What the parts of a writer share: the names, the references to them in texts, and where files of the package lie."""

from __future__ import annotations

from pisces.converting.fate import DROPPED, LOST_FIELD, lost
from pisces.converting.names import UniqueNames, file_name
from pisces.converting.plugin import EVERYTHING, LOOKING_AROUND
from pisces.converting.references import References
from pisces.harnesses.gemini.writing.names import (
    GeminiNames,
    is_command,
    is_left_out,
    key_of,
    names_of,
    slug_of_typed,
    typed_items,
)
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginItem, PluginSkill
    from pisces.converting.writer import WriteOptions

SKILLS, AGENTS, COMMANDS = "skills", "agents", "commands"
_OWN_AGENTS = {EVERYTHING: "generalist", LOOKING_AROUND: "codebase_investigator"}
SKILLS_DATA = "skills-data"  # files of skills that are commands: Gemini CLI must not find a skill there


class ExtensionPlan(Value):
    """`moved` has paths of the package that the output has elsewhere. `reported` are fields that have a fate.

    `sources` are the files that components are made of: they are written, not copied.
    """

    plugin: Plugin
    options: WriteOptions
    names: GeminiNames
    references: References
    moved: Mapping[str, str]
    reported: frozenset[tuple[str, str]]
    sources: frozenset[str]

    def skill_folder(self, skill: PluginSkill) -> str:
        return self.moved[skill.path].rpartition("/")[0]

    def lost_fields(self, item: PluginItem, handled: Iterable[str], why: str) -> list[Fate]:
        """A fate for each field that is neither handled nor has one."""
        known = frozenset(handled)
        return [
            lost(DROPPED, LOST_FIELD, item, f"{why} `{key}`", field=key)
            for key in item.fields
            if key not in known and (item.path, key) not in self.reported
        ]


def plan_of(plugin: Plugin, options: WriteOptions) -> ExtensionPlan:
    names = names_of(plugin, options)
    reported = frozenset((each.path, each.field) for each in plugin.fates if each.field)
    items = (*plugin.commands, *plugin.skills, *plugin.agents, *plugin.hooks, *plugin.servers, *plugin.contexts)
    sources = frozenset((plugin.manifest, *(each.path for each in items)))
    moved = _moved(plugin, options, names)
    return ExtensionPlan(plugin, options, names, _references(plugin, names), moved, reported, sources)


def _references(plugin: Plugin, names: GeminiNames) -> References:
    agents: dict[str, str] = {}
    for agent in plugin.agents:
        new = names.agents[agent.path]
        agents[":".join((*agent.folders, agent.name))] = new
        agents.setdefault(agent.name, new)
    for name, purpose in plugin.own_agents.items():
        agents.setdefault(name, _OWN_AGENTS[purpose])
    slashes: dict[str, str] = {}
    skills: dict[str, str] = {}
    for skill in plugin.skills:
        found = names.skills.get(skill.path)
        if found:
            skills[skill.name] = found.name
            slashes[skill.name] = f"{names.extension}:{slug_of_typed(found.name)}"
    for command in typed_items(plugin):
        if key_of(command) in names.commands:
            slashes.setdefault(command.name, names.typed(command))
    return References(plugin.name, agents, skills, slashes, names.tools, names.server_tool)


def _moved(plugin: Plugin, options: WriteOptions, names: GeminiNames) -> dict[str, str]:
    """Every file that a component is made of, and the folder of every skill."""
    moved = {agent.path: f"{AGENTS}/{names.agents[agent.path]}.md" for agent in plugin.agents}
    data = UniqueNames()
    for skill in plugin.skills:
        found = names.skills.get(skill.path)
        if found:
            folder = f"{SKILLS}/{found.folder}"
        elif is_command(skill) and not is_left_out(skill, options):
            name = data.unique(file_name(skill.folder.rpartition("/")[2] or skill.name, "skill"))
            folder = f"{SKILLS_DATA}/{name}"
        else:
            continue
        moved[skill.path] = f"{folder}/SKILL.md"
        if skill.folder:
            moved[skill.folder] = folder
    return moved
