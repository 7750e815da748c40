"""What discovery found in a package, as items of a neutral plugin: with the text cut into parts and every line."""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from itertools import islice, takewhile

from pisces.by_name import files_called
from pisces.converting.fate import APPROXIMATED, DROPPED, LINK_OUTSIDE, REPAIRED, lost
from pisces.converting.plugin import (
    PluginAgent,
    PluginCommand,
    PluginContext,
    PluginHook,
    PluginItem,
    PluginRest,
    PluginServer,
    PluginSetting,
    PluginSkill,
)
from pisces.converting.source_files import header_lines
from pisces.diagnostics import Diagnostic
from pisces.discovery.markdown_file import MarkdownFile, markdown_at
from pisces.files import Unreadable, read_text
from pisces.shapes.field import words_of
from pisces.shapes.settings import PackageSetting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, TypeVar

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginFile
    from pisces.converting.prompt_text import PromptText
    from pisces.converting.source_files import SourceFiles
    from pisces.shapes.command import Command
    from pisces.shapes.context_file import ContextFile
    from pisces.shapes.hook import Hook
    from pisces.shapes.mcp_server import McpServer
    from pisces.shapes.skill import Skill
    from pisces.shapes.subagent import Subagent

    Made = TypeVar("Made", bound=PluginItem)
    Template = Callable[[str, type[PluginItem], Mapping[str, Any]], PromptText]

# How authors say that something is for some programs only: their own keys, none of which a program reads.
_TARGETS = ("targets", "platforms", "ce_platforms")
_ALL = ("all", "*")
_NAME_PARTS = re.compile(r"[^a-z0-9]+")


class ItemReader:
    """The items of one package. `fates` has what had to be repaired and what lies outside of the package."""

    def __init__(self, files: SourceFiles, package: str, template: Template, listed: Iterable[PluginFile]) -> None:
        self.fates: list[Fate] = []
        self._files = files
        self._prefix = f"{package}:"
        self._template = template
        self._listed = sorted(each.path for each in listed)

    def every(self, items: Iterable[Any], read: Callable[[Any], Made]) -> tuple[Made, ...]:
        """Those that lie in the package, each file once."""
        made: dict[tuple[Any, ...], Made] = {}
        for item in items:
            key = (item.path, getattr(item, "keys", ()))
            if key in made:
                continue
            if self._files.holds(item.path):
                made[key] = read(item)
            else:
                self._leave_out(item)
        return tuple(made.values())

    def _leave_out(self, item: Any) -> None:
        name = getattr(item, "name", "") or os.path.basename(item.path)
        outside = PluginRest(str(name), self._files.below(item.path), sort=type(item).__name__.lower())
        why = "its file lies outside of the package, behind a link"
        self.fates.append(lost(DROPPED, LINK_OUTSIDE, outside, why))

    def command(self, command: Command) -> PluginCommand:
        at, fields = self._files.below(command.path), command.fields
        if command.keys or command.path.endswith((".toml", ".json")):
            body = str(fields.get("content") or fields.get("prompt") or "")
            lines = self._files.lines(command.path, command.keys, fields)
        else:
            file = self._markdown(command.path, command.name)
            body, lines = file.body, header_lines(file)
        prompt = self._template(body, PluginCommand, fields)
        name, text = command.name, command.description
        made = PluginCommand(name, at, fields, lines, text, command.argument_hint, prompt, targets_of(fields))
        return made if command.keys or not at.endswith(".md") else self._reported(made, file)

    def skill(self, skill: Skill) -> PluginSkill:
        file, at = self._markdown(skill.path, skill.name), self._files.below(skill.path)
        prompt = self._template(file.body, PluginSkill, skill.fields)
        made = PluginSkill(
            skill.name.removeprefix(self._prefix),
            at,
            skill.fields,
            header_lines(file),
            skill.description,
            prompt,
            self.files_beside(at),
            skill.argument_hint,
            targets=targets_of(skill.fields),
        )
        return self._reported(made, file)

    def files_beside(self, path: str) -> tuple[str, ...]:
        """Other files of the folder of a skill. Of a skill that is the whole package, all."""
        inside = path.rpartition("/")[0] + "/" if "/" in path else ""
        first = bisect_left(self._listed, inside)
        beside = takewhile(lambda each: each.startswith(inside), islice(self._listed, first, None))
        return tuple(each for each in beside if each != path)

    def agent(self, agent: Subagent) -> PluginAgent:
        file = self._markdown(agent.path, agent.name)
        *folders, name = agent.name.removeprefix(self._prefix).split(":")
        made = PluginAgent(
            name if file.text("name") else name.removesuffix(".agent"),
            self._files.below(agent.path),
            agent.fields,
            header_lines(file),
            agent.description,
            self._template(agent.prompt, PluginAgent, agent.fields),
            agent.tools,
            agent.disallowed_tools,
            agent.model,
            tuple(folders),
            targets_of(agent.fields),
        )
        return self._reported(made, file)

    def hook(self, hook: Hook) -> PluginHook:
        entry = self._entry(hook.path, hook.keys, hook.fields)
        group = self._entry(hook.path, hook.keys[:-2], hook.group) if hook.group else hook.group
        return PluginHook(
            hook.event,
            self._files.below(hook.path),
            entry,
            self.hook_lines(hook.path, hook.keys, entry, group),
            group.get("matcher") if group else entry.get("matcher"),
            hook.type,
            str(entry.get("command") or hook.command),
            group,
            hook.seconds,
            hook.dialect,
            keys=hook.keys,
        )

    def hook_lines(
        self, path: str, keys: tuple[str | int, ...], entry: Mapping[str, Any], group: Mapping[str, Any]
    ) -> dict[str, int]:
        others = [key for key in group if key != "hooks"]
        around = self._files.lines(path, keys[:-2], others, "group.") if group else {}
        return {**around, **self._files.lines(path, keys, entry)}

    def server(self, server: McpServer) -> PluginServer:
        entry = self._entry(server.path, server.keys, server.fields)
        lines = self._files.lines(server.path, server.keys, entry)
        name = str(server.keys[-1]) if server.keys else server.name.rpartition(":")[2]
        return PluginServer(name, self._files.below(server.path), entry, lines, server.keys)

    def setting(self, setting: PackageSetting) -> PluginSetting:
        entry = self._entry(setting.path, setting.keys, setting.fields)
        key = setting.keys[-1] if setting.keys else setting.name
        return PluginSetting(
            key if isinstance(key, str) else setting.name,
            self._files.below(setting.path),
            entry,
            self._files.lines(setting.path, setting.keys, entry),
            setting.name,
            setting.description,
            setting.env_var,
            setting.sensitive,
            setting.type or "string",
            setting.default,
            setting.required is True,
            setting.keys,
        )

    def context(self, context: ContextFile) -> PluginContext:
        at = self._files.below(context.path)
        try:
            text = read_text(context.path)
        except Unreadable:
            text = ""
        return PluginContext(at.rpartition("/")[2], at, {}, {"": 1}, self._template(text, PluginContext, {}))

    def rest(self, sort: str) -> Callable[[Any], PluginRest]:
        """Items of a kind that few programs have, as they were found."""

        def read(item: Any) -> PluginRest:
            at = self._files.below(item.path)
            fields = getattr(item, "fields", None)
            keys = getattr(item, "keys", ())
            name = str(getattr(item, "name", "") or at.rpartition("/")[2])
            return PluginRest(name, at, fields if isinstance(fields, dict) else {}, {"": 1}, sort, keys)

        return read

    def _entry(self, path: str, keys: tuple[str | int, ...], found: Mapping[str, Any]) -> Mapping[str, Any]:
        """The entry as its file has it: finders fill in variables."""
        entry = self._files.part(path, keys) if keys else None
        return entry if isinstance(entry, dict) else found

    def _markdown(self, path: str, about: str) -> MarkdownFile:
        """Empty where the file is no longer there."""
        found = markdown_at(path, about, lenient=True)
        return MarkdownFile(path, {}, "") if isinstance(found, Diagnostic) else found

    def _reported(self, made: Made, file: MarkdownFile) -> Made:
        if file.warning:
            read = "its values are quoted" if file.fields else "no field of it can be read, the text stays"
            why = f"{file.warning.message}; {read}"
            fate = lost(APPROXIMATED, REPAIRED, made, why).replace(line=file.warning.line, fix=file.warning.hint)
            self.fates.append(fate)
        return made


def targets_of(fields: Mapping[str, Any]) -> tuple[str, ...]:
    """The harnesses that the author means an item for; nothing where it is for all.

    A list or a text in `targets`, `platforms` or `ce_platforms`, at the top of a header or in its `metadata`. Operating
    systems and other words that name no harness say nothing about it.
    """
    metadata = fields.get("metadata")
    for table in (fields, metadata if isinstance(metadata, dict) else {}):
        for key in _TARGETS:
            words = tuple(each.lower() for each in words_of(table.get(key)) or ())
            if words:
                return () if any(each in _ALL for each in words) else _harnesses_in(words)
    return ()


def _harnesses_in(words: tuple[str, ...]) -> tuple[str, ...]:
    """Also by long names, whose first or last part is that of a harness: `NAME-cli`."""
    known = {each.rpartition(".")[2] for each in files_called("pisces.harnesses", "states")}
    ends = (part for each in words for part in (_NAME_PARTS.split(each)[0], _NAME_PARTS.split(each)[-1]))
    return tuple(dict.fromkeys(each for each in ends if each in known))
