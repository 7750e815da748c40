"""The prompts of a target's Gemini commands, with the place of anything in them."""

from __future__ import annotations

from pisces.formats.malformed import place_at
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.check.pages import Pages
    from pisces.check.subject import Subject


class CommandPrompt(Value):
    name: str
    path: str
    pages: Pages
    values: dict[str, Any]
    prompt: str

    def place(self, offset: int) -> tuple[int, int]:
        """Of a character of the prompt; of the key `prompt` where escapes hide it."""
        text = self.pages.text(self.path)
        piece = self.prompt[offset : offset + 40].split("\n", 1)[0]
        if not piece or not self.pages.may_read(self.path, len(text)):
            return self.key_place("prompt")
        before = self.prompt.count(piece, 0, offset)
        at = text.find(piece)
        while before and at >= 0:
            at = text.find(piece, at + 1)
            before -= 1
        return place_at(text, at) if at >= 0 else self.key_place("prompt")

    def key_place(self, key: str) -> tuple[int, int]:
        return self.pages.toml_place(self.path, (key,))


def command_prompts(subject: Subject) -> Iterator[CommandPrompt]:
    for found in subject.items("commands", "gemini"):
        path = found.item.path
        values = subject.pages.toml(path)
        if isinstance(values, dict) and isinstance(values.get("prompt"), str):
            yield CommandPrompt(found.item.name, path, subject.pages, values, values["prompt"])
