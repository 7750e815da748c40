"""The hooks in a file as written: the event, the group of each hook, the hook, and their places.

Several harnesses share this shape: `{"hooks": {EVENT: [{"matcher": ..., "hooks": [HOOK]}]}}`.
"""

from __future__ import annotations

from pisces.checking.pages import Pages
from pisces.formats.json import JsonObject
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class HookEntry(Value):
    event: str
    group: JsonObject
    hook: JsonObject
    group_keys: tuple[str | int, ...]
    number: int
    path: str
    pages: Pages

    def place(self, key: str) -> tuple[int, int]:
        """The place of a key of the hook, or with `../` of a key of its group."""
        if key.startswith("../"):
            return self.pages.json_place(self.path, (*self.group_keys, key[3:]))
        return self.pages.json_place(self.path, (*self.group_keys, "hooks", self.number, key))


def hook_entries(path: str, pages: Pages) -> Iterator[HookEntry]:
    """Every hook of the right shape; the finder has reported the others."""
    values = pages.json(path) if path.endswith(".json") else None
    events = values.get("hooks") if isinstance(values, dict) else None
    for event, groups in events.items() if isinstance(events, dict) else ():
        for index, group in enumerate(groups if isinstance(groups, list) else ()):
            keys = ("hooks", event, index)
            for number, hook in _hooks(group):
                yield HookEntry(event, group, hook, keys, number, path, pages)


def _hooks(group: object) -> list[tuple[int, JsonObject]]:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return [pair for pair in enumerate(hooks if isinstance(hooks, list) else ()) if isinstance(pair[1], dict)]
