"""One skill in full: its instructions, what lies in its folder, and what its header asks for."""

from __future__ import annotations

import os
from itertools import islice

from pisces.diagnostics import Diagnostic, PiscesError
from pisces.discovery.containment import stays_inside
from pisces.discovery.found import PROJECT
from pisces.discovery.markdown_file import markdown_at
from pisces.files import entries, is_file, is_folder
from pisces.formats.visible import visible
from pisces.instructions.part import tokens_of
from pisces.instructions.skills import SkillIndex, skill_named
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.shapes.skill import Skill

_FORK = "fork"
MOST_RESOURCES = 200
_MOST_ENTRIES = 5_000  # looked at
_DEEPEST = 4
_SKIPPED = ("node_modules", "__pycache__")


class ActivatedSkill(Value):
    """`found` is the skill with its source. `body` is the file without its header, as written.

    Placeholders and `!` lines in it are expanded by whoever may run something (`commands/prompts/skill_prompt.py`).
    `resources` are the other files in the folder, relative to it, with slashes; `more` says that they are not all.
    `allowed_tools` is what the header asks for, `approved_tools` what it may have: in Claude Code the field approves
    tools in advance and narrows nothing. A skill of a project approves none here. `disallowed_tools` narrow, whoever
    asks. `dialect` is the harness by whose rules the body is written. With `fork` the skill runs in a subagent of its
    own, of the kind `agent`.
    """

    found: Found[Skill]
    body: str
    resources: tuple[str, ...] = ()
    more: bool = False
    dialect: str = ""

    @property
    def name(self) -> str:
        return self.found.item.name

    @property
    def folder(self) -> str:
        return self.found.item.folder

    @property
    def arguments(self) -> tuple[str, ...]:
        """The names of its arguments."""
        return self.found.item.arguments or ()

    @property
    def hooks(self) -> Mapping[str, Any]:
        return self.found.item.hooks

    @property
    def fork(self) -> bool:
        return self.found.item.context == _FORK

    @property
    def agent(self) -> str:
        return self.found.item.agent

    @property
    def allowed_tools(self) -> tuple[str, ...]:
        return self.found.item.allowed_tools or ()

    @property
    def disallowed_tools(self) -> tuple[str, ...]:
        return self.found.item.disallowed_tools or ()

    @property
    def approved_tools(self) -> tuple[str, ...]:
        return () if self.found.source.level == PROJECT else self.allowed_tools

    @property
    def needs_approval(self) -> bool:
        """Whether a model may start it only after a question, as in Claude Code: its header acts on other tools."""
        return bool(self.allowed_tools or self.disallowed_tools or self.hooks)

    @property
    def tokens(self) -> int:
        return tokens_of(self.body)

    def with_arguments(self, args: str) -> str:
        """The instructions as they are, and the arguments behind them."""
        return f"{self.body.rstrip()}\n\nARGUMENTS: {args}" if args else self.body

    def text(self, body: str = "") -> str:
        """What the model reads; `body` are the instructions once they are expanded."""
        lines = [f'<activated_skill name="{_attribute(self.name)}">', f"Folder: {visible(self.folder)}"]
        if self.resources:
            more = ["- and more"] if self.more else []
            lines += ["Files in it, to be read when they are needed:", *(f"- {each}" for each in self.resources), *more]
        return "\n".join((*lines, "", (body or self.body).strip(), "</activated_skill>"))


def activated_skill(index: SkillIndex, name: str) -> ActivatedSkill:
    """The skill that a model asks for; `PiscesError` for an unknown name and for a file that cannot be read."""
    found = skill_named(index, name)
    return activated(found, index.dialects.get(found.item.path, ""))


def activated(found: Found[Skill], dialect: str = "") -> ActivatedSkill:
    """Any skill that was found, also one that only the user may start. Nothing of it runs."""
    skill = found.item
    file = markdown_at(skill.path, skill.name, lenient=True)
    if isinstance(file, Diagnostic):
        raise PiscesError(file)
    resources = list(islice(_resources(skill.path), MOST_RESOURCES + 1))
    is_more = len(resources) > MOST_RESOURCES
    dialect = dialect or found.source.harness
    return ActivatedSkill(found, file.body, tuple(resources[:MOST_RESOURCES]), is_more, dialect)


def _resources(path: str) -> Iterator[str]:
    """Files below the skill's folder, nearer ones first: no hidden ones, no links that leave it."""
    root = os.path.dirname(path)
    left = _MOST_ENTRIES
    pending = [(root, 0)]
    while pending and left > 0:
        folder, depth = pending.pop(0)
        found = [each for each in entries(folder)[:left] if _counts(each, root)]
        left -= max(len(found), 1)
        files = (each.path for each in found if is_file(each) and each.path != path)
        yield from (visible(os.path.relpath(each, root).replace(os.sep, "/")) for each in files)
        if depth < _DEEPEST:
            pending += [(each.path, depth + 1) for each in found if is_folder(each) and not each.is_symlink()]


def _counts(entry: os.DirEntry[str], root: str) -> bool:
    if entry.name.startswith(".") or entry.name in _SKIPPED:
        return False
    return not entry.is_symlink() or stays_inside(entry.path, root)


def _attribute(name: str) -> str:
    return visible(name).replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
