"""What modules failed at, in words for the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.formats.visible import visible

if TYPE_CHECKING:
    from pisces.shapes.events.surroundings import ModuleFailed


class ModuleFailures:
    """Each is said once: a module that fails at every word of an answer would fill the screen."""

    def __init__(self) -> None:
        self._said: set[tuple[str, str]] = set()

    def words(self, failed: ModuleFailed) -> str:
        """Empty where the same was said before."""
        key = (failed.module, failed.event)
        if key in self._said:
            return ""
        self._said.add(key)
        return f"{visible(failed.module)} failed in {failed.event}: {visible(failed.message)}"
