"""The folders and files in which OpenCode's configuration lies, the one that wins first; another finder looks there.

OpenCode merges them in this order, and the last one wins: the user's files, OPENCODE_CONFIG, the project's files from
the repository's root down, then folders: the user's, `.opencode` from here up (so the outermost beats the nearest),
`~/.opencode`, OPENCODE_CONFIG_DIR. The files inside a folder come before what else the folder holds; in one place
`.jsonc` beats `.json`. OPENCODE_DISABLE_PROJECT_CONFIG leaves out what lies in the project.
"""

from __future__ import annotations

import os

from pisces.discovery.found import PROJECT, USER
from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.harnesses.opencode import ConfigPlaces
from pisces.places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

FILES = ("opencode.jsonc", "opencode.json")


def find(where: Where[ConfigPlaces]) -> FinderResults:
    then, files = where.options.then, where.options.files
    for level, path in config_places(where.places):
        if not os.path.lexists(path):
            continue
        here = where.replace(level=level)
        if path.endswith((".json", ".jsonc")):
            yield from passed_on(here, files, path) if files else ()
        elif then:
            for name in where.options.inside:
                yield from passed_on(here, then, os.path.join(path, name))


def config_places(places: Places) -> Iterator[tuple[str, str]]:
    """Level and path of every folder and JSON file, whether it exists or not, the winner first."""
    moved = places.env.get("OPENCODE_CONFIG_DIR", "")
    user = user_folder(places)
    in_project = [] if places.env.get("OPENCODE_DISABLE_PROJECT_CONFIG") in ("1", "true") else upward(places)
    if moved:
        yield from _folder(USER, places.absolute(moved))
    yield from _folder(USER, os.path.join(places.home, ".opencode"))
    for folder in reversed(in_project):
        yield from _folder(PROJECT, os.path.join(folder, ".opencode"))
    yield USER, user
    for folder in in_project:
        yield from ((PROJECT, os.path.join(folder, name)) for name in FILES)
    if places.env.get("OPENCODE_CONFIG"):
        yield USER, places.absolute(places.env["OPENCODE_CONFIG"])
    yield from ((USER, os.path.join(user, name)) for name in (*FILES, "config.json"))


def user_folder(places: Places) -> str:
    return os.path.join(places.absolute(places.env.get("XDG_CONFIG_HOME") or "~/.config"), "opencode")


def upward(places: Places) -> list[str]:
    """From the current directory up to the repository's root, nearest first; home is the user's own."""
    return [folder for folder in places.ancestors() if folder != places.home]


def _folder(level: str, folder: str) -> Iterator[tuple[str, str]]:
    yield level, folder
    yield from ((level, os.path.join(folder, name)) for name in FILES)
