"""What the Gemini CLI writer makes of a plugin that a test builds from values."""

from __future__ import annotations

import json
import tomllib
from typing import Any

from pisces.converting.fate import MAPPED, Fate
from pisces.converting.plugin import Plugin
from pisces.converting.writer import WriteOptions, Written
from pisces.formats.frontmatter import split
from pisces.formats.yaml import parse
from pisces.harnesses.gemini.writing import WRITER
from pisces.value import Value

DEMO = Plugin("demo", "1.0.0", "A demo", "claude", "claude", ".claude-plugin/plugin.json")


class Output(Value):
    """The written files by path: their bytes, None for a copy."""

    written: Written

    def data(self, path: str) -> bytes | None:
        return next(each.data for each in self.written.files if each.path == path)

    @property
    def paths(self) -> list[str]:
        return [each.path for each in self.written.files]

    def text(self, path: str) -> str:
        return (self.data(path) or b"").decode()

    def header(self, path: str) -> dict[str, Any]:
        found = split(self.text(path))
        assert found
        fields: Any = parse(found.header)
        assert isinstance(fields, dict)
        return fields

    def body(self, path: str) -> str:
        found = split(self.text(path))
        assert found
        return found.body

    def toml(self, path: str) -> dict[str, Any]:
        return tomllib.loads(self.text(path))

    @property
    def manifest(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.text("gemini-extension.json"))
        return found

    @property
    def losses(self) -> list[Fate]:
        return [each for each in self.written.fates if each.kind != MAPPED]

    def codes(self) -> list[tuple[str, str]]:
        return sorted((each.code, each.field) for each in self.losses)


def output_of(plugin: Plugin, **options: Any) -> Output:
    return Output(WRITER.write(plugin, WriteOptions(**options)))
