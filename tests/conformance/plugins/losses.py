"""Silent losses: every field of the source that stands in neither the output nor the report, found mechanically.

A field counts as found where the report has a fate for it, or where the file that its item became has its key or its
value. The file that only keeps the way back does not count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pisces.converting.fate import Fate
from pisces.converting.plugin import Plugin
from tests.conformance.plugins.claude_view import MANIFEST
from tests.conformance.plugins.judgement import Judgement
from tests.conformance.plugins.service_judging import json_at, options_of, servers_of
from tests.conformance.plugins.stubs import hooks_of

_HEADER = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)(?:\r?\n)---[ \t]*(?:\r?\n|$)", re.DOTALL)
_KEY = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:[ \t]*(.*)")
# Folders and files whose content no other program has a place for: each needs a fate.
COMPONENTS = (
    "output-styles/*.md",
    "themes/*.json",
    "monitors/monitors.json",
    ".lsp.json",
    "workflows/*.js",
    "settings.json",
)
# What says only what is so without it.
DEFAULTS = {
    ("model", "inherit"),
    ("disable-model-invocation", "false"),
    ("user-invocable", "true"),
    ("argument-hint", '""'),
    ("async", False),
    ("type", "stdio"),
    ("type", "string"),
    ("sensitive", False),
    ("required", False),
    ("multiple", False),
}
# Fates of a whole item, whatever field they name as the reason; `repaired` without a field is about all of a header.
WHOLE = (
    "lost-hook",
    "lost-guard",
    "lost-agent",
    "lost-server",
    "lost-component",
    "never-loaded",
    "repaired",
    "source-refused",
)
# What the entries of a key of the manifest are called in the report.
PARTS = {
    "channels": ("channel ",),
    "lspServers": ("language server ",),
    "monitors": ("monitor ",),
    "outputStyles": ("output style ",),
    "themes": ("theme ",),
    "dependencies": ("dependency ",),
}
RENAMED = {"maxTurns": "max_turns"}
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True)
class SourceField:
    """`path` is the file, `key` the field, `value` what it says, `item` the name of what it belongs to."""

    path: str
    key: str
    value: Any
    item: str = ""


def judge_losses(source: Path, plugin: Plugin, fates: Iterable[Fate], out: Path, judgement: Judgement) -> None:
    report = _Report(list(fates), out)
    for field in source_fields(source, plugin):
        if field.value in ({}, [], "{}", "[]") or (
            isinstance(field.value, str | bool) and (field.key, field.value) in DEFAULTS
        ):
            continue
        good = report.has(field)
        judgement.count(
            "fields found", "fields", good=good, fault=f"{field.path} {field.item} {field.key}: {str(field.value)[:60]}"
        )
    for pattern in COMPONENTS:
        for path in (each for each in source.glob(pattern) if json_at(each) not in ([], {})):
            at = path.relative_to(source).as_posix()
            judgement.count("fields found", "fields", good=report.names(at), fault=f"{at} is not in the report")


def source_fields(source: Path, plugin: Plugin) -> Iterator[SourceField]:
    for key, value in (json_at(source / MANIFEST) or {}).items():
        if key not in ("mcpServers", "userConfig", "hooks", "agents", "skills", "commands"):
            yield SourceField(MANIFEST.as_posix(), key, value)
    for item in (*plugin.agents, *plugin.skills, *plugin.commands):
        for key, value in header_of(source / item.path):
            yield SourceField(item.path, key, value, item.name)
    for name, server in servers_of(source).items():
        yield from (SourceField("", key, value, name) for key, value in server.items())
    for name, option in options_of(source).items():
        if isinstance(option, dict):
            yield from (SourceField(MANIFEST.as_posix(), key, value, name) for key, value in option.items())
    for hook in hooks_of(source):
        yield from (SourceField(hook.path, key, value, f"hook {hook.event}") for key, value in hook.handler.items())


def header_of(path: Path) -> list[tuple[str, str]]:
    """Keys at the left edge of the header, with the text behind each, however bad the YAML is."""
    try:
        found = _HEADER.match(path.read_text("utf-8", "replace"))
    except OSError:
        return []
    keys: dict[str, str] = {}
    key = ""
    for line in found[1].splitlines() if found else ():
        start = _KEY.match(line)
        if start:
            key = start[1]
            keys[key] = start[2]
        elif key and line.strip() and not line.startswith("#"):
            keys[key] += f" {line.strip()}"
    return list(keys.items())


class _Report:
    def __init__(self, fates: list[Fate], out: Path) -> None:
        self._fates = fates
        self._out = out
        self._texts: dict[str, str] = {}

    def names(self, path: str) -> bool:
        return any(each.path == path for each in self._fates)

    def has(self, field: SourceField) -> bool:
        mine = [each for each in self._fates if self._is_about(each, field)]
        if any(_leaf(each.field) == field.key or (each.code in WHOLE and not _is_partly(each)) for each in mine):
            return True
        outputs = {each.output for each in mine if each.output} or {"gemini-extension.json"}
        if field.key == "disable-model-invocation" and any(each.endswith(".toml") for each in outputs):
            return True  # what only people start is a command
        if field.key == "name" and any(_plain(field.value.strip("\"'")) in each for each in outputs):
            return True  # a file has the name of its item
        if field.item.startswith("hook "):
            outputs = {
                path.relative_to(self._out).as_posix() for path in (self._out / "hooks").rglob("*") if path.is_file()
            }
        return any(_stands_in(field, self._text(each)) for each in outputs)

    @staticmethod
    def _is_about(fate: Fate, field: SourceField) -> bool:
        if field.path and fate.path != field.path:
            return False
        if field.item.startswith("hook "):
            return f"`{field.item[5:]}`" in fate.subject
        if field.item:
            return f"`{field.item}`" in fate.subject
        return fate.subject.startswith(
            ("package ", "plugin", f"manifest field `{field.key}`", *PARTS.get(field.key, ()))
        )

    def _text(self, path: str) -> str:
        if path not in self._texts:
            try:
                self._texts[path] = _plain((self._out / path).read_text("utf-8", "replace"))
            except OSError:
                self._texts[path] = ""
        return self._texts[path]


def _is_partly(fate: Fate) -> bool:
    return fate.code == "repaired" and bool(fate.field)


def _leaf(field: str) -> str:
    return re.split(r"[./]", field)[-1]


def _stands_in(field: SourceField, text: str) -> bool:
    """Its key as a key, or its whole value: the first words of a long one are enough."""
    key = re.escape(RENAMED.get(field.key, field.key))
    if re.search(rf"(?<![\w-]){key}[\"']?\s*[:=]", text):
        return True
    value = field.value if isinstance(field.value, str) else json.dumps(field.value, ensure_ascii=False)
    if field.key == "argument-hint":  # often a list to YAML, and a text to its author
        return all(each in text for each in re.findall(r"[\w-]+", value))
    wanted = _plain(value.strip().strip("\"'>|-"))[:40].strip()
    return (wanted if len(wanted) > 3 else f'"{wanted}"') in text


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text.replace('\\"', '"').replace("\\\\", "\\"))
