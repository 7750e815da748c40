"""What the user agreed to, as `trusted.json` has it, by the real path of the workspace.

A file that is broken, or that an older version wrote, counts as empty: nothing is trusted. Apart from `trust.py`,
because every open host reads it and few have something to compare.
"""

from __future__ import annotations

import os

from pisces.formats.json_file import object_at
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pisces.gates.workspace import Covered
    from pisces.places import Places

    Agreed = Mapping[str, Mapping[str, str]]

SAME, CHANGED, NEW = "same", "changed", "new"
VERSION = 2
_FILE = "trusted.json"


class Trust(Value):
    """What was agreed to, by the real path of a workspace: for each thing, the files that it consisted of.

    All of `for_this_run` is trusted, whatever it holds.
    """

    folders: Mapping[str, Agreed] = EMPTY
    for_this_run: tuple[str, ...] = ()

    def knows(self, folder: str) -> bool:
        return real_folder(folder) in self.folders

    def agreed(self, folder: str) -> Agreed:
        return self.folders.get(real_folder(folder), EMPTY)

    def covers_all(self, folder: str) -> bool:
        return real_folder(folder) in self.for_this_run

    def state_of(self, covered: Covered, folder: str) -> str:
        """`same` is the only state in which it may run."""
        before = self.agreed(folder).get(covered.id)
        return NEW if before is None else SAME if before == covered.stored else CHANGED

    def covers(self, covered: Covered, folder: str) -> bool:
        return self.covers_all(folder) or self.state_of(covered, folder) == SAME

    def including(self, folder: str, covered: Iterable[Covered]) -> Trust:
        """With a decision about everything in a workspace; what was agreed to there before is replaced."""
        agreed = {each.id: dict(each.stored) for each in covered}
        return self.replace(folders={**self.folders, real_folder(folder): agreed})

    def including_for_this_run(self, folder: str) -> Trust:
        return self.replace(for_this_run=(*self.for_this_run, real_folder(folder)))

    def without(self, folder: str) -> Trust:
        return self.replace(folders={name: each for name, each in self.folders.items() if name != real_folder(folder)})


def trust_in(places: Places) -> Trust:
    """What was decided for good."""
    stored = object_at(trust_file(places))
    folders = stored.get("folders")
    if stored.get("version") != VERSION or not isinstance(folders, dict):
        return Trust()
    return Trust({name: _agreed(value) for name, value in sorted(folders.items()) if os.path.isabs(name)})


def _agreed(value: object) -> dict[str, dict[str, str]]:
    """A thing that is not as we write it is left out, and so is asked about again."""
    items = value.items() if isinstance(value, dict) else ()
    return {
        name: pins
        for name, pins in items
        if isinstance(pins, dict) and all(isinstance(pin, str) for pin in pins.values())
    }


def real_folder(folder: str) -> str:
    return os.path.normcase(os.path.realpath(folder))


def trust_file(places: Places) -> str:
    return os.path.join(places.agent_dir, _FILE)
