"""The prompts of a target's TOML commands, with the place of anything in them."""

from __future__ import annotations

from pisces.checking.pages import Pages
from pisces.checking.subject import Subject
from pisces.formats.injections import offset_in_file
from pisces.formats.json import JsonObject
from pisces.formats.malformed import place_at
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class CommandPrompt(Value):
    name: str
    path: str
    pages: Pages
    values: JsonObject
    prompt: str

    def place(self, offset: int) -> tuple[int, int]:
        """Of a character of the prompt; of the key `prompt` where escapes hide it."""
        text = self.pages.text(self.path)
        at = offset_in_file(text, self.prompt, offset) if self.pages.may_search(self.path, len(text)) else -1
        return place_at(text, at) if at >= 0 else self.key_place("prompt")

    def key_place(self, key: str) -> tuple[int, int]:
        return self.pages.toml_place(self.path, (key,))


def command_prompts(subject: Subject) -> Iterator[CommandPrompt]:
    for found in subject.items("commands", "gemini"):
        path = found.item.path
        values = subject.pages.toml(path)
        if isinstance(values, dict) and isinstance(values.get("prompt"), str):
            yield CommandPrompt(found.item.name, path, subject.pages, values, values["prompt"])
