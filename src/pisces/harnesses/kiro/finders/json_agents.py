"""Agents of Kiro's command line: JSON files, each an agent that is named by its file unless it says a name."""

from __future__ import annotations

import os

from pisces.discovery.config_file import JSON, ConfigFile, read_object
from pisces.discovery.harness import FinderResults, Where
from pisces.files import entries, is_file
from pisces.shapes.field import words_of
from pisces.shapes.subagent import Subagent


def find(where: Where) -> FinderResults:
    for entry in entries(where.path):
        if entry.name.endswith(".json") and is_file(entry):
            yield from read_object(entry.path, JSON, where.run, lambda file: _agent(file, where))


def _agent(file: ConfigFile, where: Where) -> FinderResults:
    """Without `tools` such an agent has none."""
    fields = file.value
    name = str(fields.get("name") or os.path.basename(file.path).removesuffix(".json"))
    description, prompt, model = (str(fields.get(key) or "") for key in ("description", "prompt", "model"))
    tools = words_of(fields.get("tools")) or ()
    yield where.found(Subagent(name, description, file.path, fields, prompt, tools=tools, model=model))
