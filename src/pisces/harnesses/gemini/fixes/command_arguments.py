"""`$ARGUMENTS` in a prompt, where Gemini CLI fills in `{{args}}`. Inside `!{...}` it would reach a shell: not safe."""

from __future__ import annotations

import re

from pisces.checking.fix import Fix, Spot, TextEdit

_PLACEHOLDER = re.compile(r"\$ARGUMENTS\b(?!\[)|\$\{ARGUMENTS\}")
_OWN = "{{args}}"


def fix(spot: Spot) -> Fix | None:
    values = spot.subject.pages.toml(spot.diagnostic.path)
    prompt = values.get("prompt") if isinstance(values, dict) else None
    mentions = list(_PLACEHOLDER.finditer(spot.text))
    if not isinstance(prompt, str) or len(mentions) != len(_PLACEHOLDER.findall(prompt)):
        return None  # some stand elsewhere in the file
    edits = (TextEdit(each.start(), each[0], _OWN) for each in mentions)
    return spot.fix(f"write `{_OWN}`", *edits, safe="!{" not in prompt)
