"""Codex: every command of a plugin arrives as a skill, with a header that it takes and no placeholder left."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conformance.plugins.conversion import conversion
from tests.conformance.plugins.item_judging import PLACEHOLDER
from tests.conformance.plugins.judgement import Judgement

_HEADER = re.compile(r"---\n(?:.*\n)*?name: \S.*\n(?:.*\n)*?description: \S|---\n(?:.*\n)*?description: \S")


def judge_codex(plugin: Path, scratch: Path, judgement: Judgement) -> None:
    made = conversion(plugin, "codex", scratch / "codex")
    judgement.never("second run changes", made.second_run)
    if made.converted is None:
        judgement.never("load errors", [f"codex: {made.aborted}"])
        return
    outputs = {(each.path, each.subject): each.output for each in made.converted.fates if each.output}
    for command in made.converted.plugin.commands:
        output = outputs.get((command.path, f"command `{command.name}`"), "")
        wrong = _wrong(made.out / output, command.prompt.written) if output else "is not written"
        judgement.count("codex commands", "codex expected", good=not wrong, fault=f"{command.path} {output}: {wrong}")


def _wrong(path: Path, source: str) -> str:
    if path.name != "SKILL.md" or not path.is_file():
        return "is no skill"
    text = path.read_text("utf-8")
    left = PLACEHOLDER.search(text, text.find("\n---\n", 4) + 1)
    is_left = left and f"\\{left[0].strip()}" not in source  # with a backslash before it, it is text
    return f"still has {left[0].strip()}" if left and is_left else "" if _HEADER.match(text) else "has no header"
