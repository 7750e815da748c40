"""Which harnesses matter here: those that are set up on this machine, and those that this project has files for.

An index says which ones need not even be imported: what each looks for, and the signs of it. A sign is `home:FOLDER`,
`env:VARIABLE`, `program:NAME` or `project:NAME`. `scripts/generate-docs` writes the index; a folder that it does not
know is imported.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of, folders_in, text_in
from pisces.discovery.harness import HARNESSES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.discovery.harness import Harness
    from pisces.places import Places

INDEX = "signs.txt"


def harnesses_here(places: Places, asked_for: frozenset[str] = frozenset(), kind: str = "") -> list[Harness]:
    """Those that matter here and those that are asked for by id, highest priority first; among equals, by name.

    With a kind, only those that look for items of that kind.
    """
    index = {line.split("\t")[0]: line.split("\t")[1:] for line in text_in(HARNESSES, INDEX).splitlines()}
    seen = _Seen(places)
    found: list[Harness] = []
    for name in folders_in(HARNESSES):
        known, kinds, *signs = index.get(name) or ("", kind, "always:")
        if (not kind or kind in kinds.split()) and (known in asked_for or any(map(seen.sign, signs))):
            harness: Harness = export_of(HARNESSES, name, "HARNESS")
            if harness.id in asked_for or matters(harness, places):
                found.append(harness)
    return sorted(found, key=lambda harness: -harness.priority)


def signs_of(harness: Harness) -> list[str]:
    """Everything that can make a harness matter; at least one of them is there if it does."""
    if not harness.is_program:
        return ["always:"]
    signs = [f"home:{harness.user_dir.removeprefix('~/')}"] if harness.user_dir != "~" else []
    signs += [f"home:{name}" for name in harness.home_files]
    signs += [f"env:{name}" for name in (harness.user_dir_variable, harness.home_variable) if name]
    signs += [f"program:{name}" for name in harness.programs]
    return [*signs, *(f"project:{name}" for name in _own_names(harness))]


class _Seen:
    """What is there, looked up once for all harnesses."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.folders = list(places.ancestors())
        self.path = [folder for folder in places.env.get("PATH", "").split(os.pathsep) if folder]

    def sign(self, sign: str) -> bool:
        kind, _, what = sign.partition(":")
        if kind == "home":
            return os.path.lexists(os.path.join(self.places.home, what))
        if kind == "env":
            return bool(self.places.env.get(what))
        if kind == "project":
            return any(os.path.lexists(f"{folder}/{what}") for folder in self.folders)
        if kind == "program":
            return any(os.path.exists(f"{folder}/{file}") for file in _files_of((what,)) for folder in self.path)
        return True


def is_set_up(harness: Harness, places: Places) -> bool:
    """It has a folder of the user's, or its program is on the PATH."""
    user = harness.user_path(places)
    if user != places.home and os.path.isdir(user):
        return True
    if any(os.path.lexists(os.path.join(places.home, *name.split("/"))) for name in harness.home_files):
        return True
    folders = places.env.get("PATH", "").split(os.pathsep) if harness.programs else ()
    return any(os.path.exists(os.path.join(folder, name)) for folder in folders for name in _files_of(harness.programs))


def matters(harness: Harness, places: Places) -> bool:
    """Whether it loads anything here, or would if somebody set it up. A convention always does."""
    if not harness.is_program or is_set_up(harness, places):
        return True
    own = _own_names(harness)
    return any(os.path.lexists(os.path.join(folder, name)) for folder in places.ancestors() for name in own)


def _own_names(harness: Harness) -> list[str]:
    """Files and folders of a project that are made for it."""
    names = [*harness.context_names, *harness.own_files]
    return names if harness.project_dir == "." else [harness.project_dir, *names]


def _files_of(programs: Iterable[str]) -> list[str]:
    if os.name != "nt":
        return list(programs)
    return [program + suffix for program in programs for suffix in (".exe", ".cmd", ".bat", ".ps1")]
