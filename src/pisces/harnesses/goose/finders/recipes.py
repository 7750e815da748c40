"""Goose's recipes: YAML and JSON files of a folder with a title, a description, and instructions or a prompt.

They are named by their file. Other files of these types are none of Goose's business, and nothing is said of them.
"""

from __future__ import annotations

import os

from pisces.discovery.config_file import LENIENT, YAML, ConfigFile, config_at
from pisces.discovery.harness import FinderResults, Where
from pisces.files import Unreadable, entries, is_file, read_text
from pisces.shapes.subagent import Subagent

_SYNTAXES = {".yaml": YAML, ".json": LENIENT}


def find(where: Where) -> FinderResults:
    for entry in entries(where.path):
        stem, suffix = os.path.splitext(entry.name)
        if suffix not in _SYNTAXES or not is_file(entry) or not _may_be_recipe(entry.path):
            continue
        file = config_at(entry.path, _SYNTAXES[suffix], where.run)
        fields = file.value if isinstance(file, ConfigFile) and isinstance(file.value, dict) else {}
        texts = [fields.get(key) for key in ("title", "description", "instructions", "prompt")]
        title, description, *prompts = (each if isinstance(each, str) else "" for each in texts)
        if title and description and any(prompts):
            prompt = "\n\n".join(filter(None, prompts))
            yield where.found(Subagent(stem, description, entry.path, fields, prompt, "local", None, "", ()))


def _may_be_recipe(path: str) -> bool:
    """Before the file is parsed: beside a project's other files there may be a lock file of a megabyte."""
    try:
        text = read_text(path)
    except Unreadable:
        return False
    return "title" in text and "description" in text and ("instructions" in text or "prompt" in text)
