"""The folders and files in which OpenCode's configuration lies, the one that wins first; another finder looks there.

OpenCode merges them in turn and the last one wins: the user's files, OPENCODE_CONFIG, the project's files from the
repository's root down, then folders: the user's, `.opencode` from here up (so the outermost beats the nearest),
`~/.opencode`, OPENCODE_CONFIG_DIR. The files inside a folder come before what else the folder holds; in one place
`.jsonc` beats `.json`. OPENCODE_DISABLE_PROJECT_CONFIG leaves out what lies in the project.
Options:
    inside       what to look at in each folder, several names being one place; default none, folders do not count
    files        look at the files too, with this finder; default none
    finder       the finder that looks in the folders
    options      the options of both; default none
"""

from __future__ import annotations

import os

from pisces.discovery.delegation import passed_on
from pisces.discovery.found import PROJECT, USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where
    from pisces.places import Places

FILES = ("opencode.jsonc", "opencode.json")


def find(where: Where) -> Iterator[Found | Diagnostic]:
    options = where.options
    for level, path in config_places(where.places):
        if not os.path.lexists(path):
            continue
        here = where.replace(level=level)
        if path.endswith((".json", ".jsonc")):
            if options.get("files"):
                yield from passed_on(here.replace(options={**options, "finder": options["files"]}), path)
        else:
            for name in options.get("inside", ()):
                yield from passed_on(here, os.path.join(path, name))


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
