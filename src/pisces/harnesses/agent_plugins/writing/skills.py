"""Skills with headers that hold nothing but what the standard names: strict clients skip every other one."""

from __future__ import annotations

from pisces.converting import prompt_text as neutral
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, lost
from pisces.converting.skill_folders import SkillTarget, written_skills as all_skills
from pisces.converting.spelling import Spelling
from pisces.converting.writer import WriteOptions, Written
from pisces.value import FrozenMapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import Plugin

# Paths are relative to the skill's folder, as Agent Skills has it.
_SPELLING = Spelling("Agent Plugins", variables=FrozenMapping({neutral.ROOT: "../..", neutral.SKILL_FOLDER: "."}))
_TARGET = SkillTarget("agent-plugin", _SPELLING, is_strict=True)
_LONGEST = 8000  # bytes of a SKILL.md that Codex reads of an Agent Plugin


def written_skills(plugin: Plugin, options: WriteOptions) -> Written:
    written = all_skills(plugin, _TARGET, options).written()
    return written.replace(fates=(*written.fates, *_long(plugin, written)))


def _long(plugin: Plugin, written: Written) -> Iterator[Fate]:
    sizes = {each.path: each.size for each in plugin.files}
    lengths = {each.path: len(each.data) if each.data else sizes.get(each.source, 0) for each in written.files}
    long = {path for path, length in lengths.items() if length > _LONGEST}
    pages = {each.path: each.output for each in written.fates if each.output in long}
    for skill in plugin.skills:
        if skill.path in pages:
            why = f"Codex reads only the first {_LONGEST:,} bytes of a skill in an Agent Plugin"
            fix = "convert for Codex too: a Codex plugin has no such limit"
            yield lost(APPROXIMATED, CHANGED_MEANING, skill, why).replace(fix=fix)
