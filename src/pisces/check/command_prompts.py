"""The prompts of a target's Gemini commands, with the place of anything in them."""

from __future__ import annotations

from pisces.check.subject import GEMINI
from pisces.formats.malformed import place_at
from pisces.formats.position import toml_place
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.check.subject import Subject


class CommandPrompt(Value):
    name: str
    path: str
    text: str
    values: dict[str, Any]
    prompt: str

    def place(self, offset: int) -> tuple[int, int]:
        """Of a character of the prompt; of the key `prompt` where escapes hide it."""
        piece = self.prompt[offset : offset + 40].split("\n", 1)[0]
        before = self.prompt.count(piece, 0, offset) if piece else 0
        at = self.text.find(piece) if piece else -1
        while before and at >= 0:
            at = self.text.find(piece, at + 1)
            before -= 1
        return place_at(self.text, at) if at >= 0 else toml_place(self.text, ("prompt",))


def command_prompts(subject: Subject) -> Iterator[CommandPrompt]:
    for found in subject.items("commands", GEMINI):
        path = found.item.path
        values = subject.pages.toml(path)
        if isinstance(values, dict) and isinstance(values.get("prompt"), str):
            yield CommandPrompt(found.item.name, path, subject.pages.text(path), values, values["prompt"])
