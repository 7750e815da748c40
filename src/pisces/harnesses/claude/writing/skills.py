"""Skills: their folders as they are; a text is written anew only where Claude Code would read it in another way."""

from __future__ import annotations

from pisces.converting.fate import DROPPED, LOST_COMPONENT, lost, mapped
from pisces.converting.names import UniqueNames, slug
from pisces.converting.writer import OutputFile, WriteOptions, Written
from pisces.formats.yaml_text import markdown_text
from pisces.harnesses.claude.writing.texts import placeholder_fates, prompt_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin, PluginSkill


def written_skills(plugin: Plugin, options: WriteOptions) -> Written:
    files: list[OutputFile] = []
    fates: list[Fate] = []
    names = UniqueNames()
    for skill in plugin.skills:
        refusal = _refusal(skill, options)
        if refusal:
            fates.append(lost(DROPPED, LOST_COMPONENT, skill, refusal))
            continue
        name = names.unique(slug(skill.folder.rpartition("/")[2] or skill.name))
        files += _files(skill, f"skills/{name}")
        fates += placeholder_fates(skill, skill.prompt)
        fates.append(mapped(skill, f"skills/{name}/SKILL.md"))
    return Written(tuple(files), tuple(fates))


def _refusal(skill: PluginSkill, options: WriteOptions) -> str:
    if skill.name in options.skipped_skills:
        return "it was left out on request"
    is_meant = not skill.targets or "claude" in skill.targets
    return "" if is_meant else f"its author means it for {', '.join(skill.targets)}"


def _files(skill: PluginSkill, folder: str) -> Iterator[OutputFile]:
    text = prompt_of(skill.prompt)
    main = f"{folder}/SKILL.md"
    if text == skill.prompt.written:
        yield OutputFile(main, None, skill.path)
    else:
        yield OutputFile(main, markdown_text(skill.fields, text).encode())
    for path in skill.files:
        yield OutputFile(f"{folder}/{path.removeprefix(f'{skill.folder}/')}", None, path)
