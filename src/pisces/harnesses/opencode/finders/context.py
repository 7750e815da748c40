"""What OpenCode puts before every prompt: the user's AGENTS.md, then the project's, then what `instructions` names.

For the user the first of AGENTS.md and Claude Code's CLAUDE.md counts. In the project the first of AGENTS.md,
CLAUDE.md and CONTEXT.md that exists anywhere from here up counts, with all of its like, nearest first.
"""

from __future__ import annotations

import os
from itertools import islice

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.config_file import LENIENT, ConfigFile, config_at
from pisces.discovery.finders.upward import repository_folders
from pisces.discovery.found import PROJECT, USER
from pisces.discovery.harness import FinderResults, Where
from pisces.files import MOST_FOLDERS, walk
from pisces.harnesses.opencode.finders.places import config_places, upward, user_folder
from pisces.places import Places
from pisces.shapes.context_file import ContextFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

OPENCODE_WIDE_PATTERN = Rule("opencode-wide-pattern", WARNING, "A pattern under `instructions` covers too many files")

MOST_FILES = 20_000  # that one pattern may lead through, in each folder
MOST_PARTS = 30  # of a pattern
NAMES = ("AGENTS.md", "CLAUDE.md", "CONTEXT.md")


def find(where: Where) -> FinderResults:
    found = list(_instructed(where))
    yield from (each for each in found if isinstance(each, Diagnostic))
    places = [*_fixed(where.places), *(each for each in found if not isinstance(each, Diagnostic))]
    for path, level in {path: level for level, path in places}.items():
        scope = level if level == USER else os.path.relpath(os.path.dirname(path), where.places.cwd)
        yield where.replace(level=level).found(ContextFile(path, PROJECT if scope == "." else scope))


def _fixed(places: Places) -> Iterator[tuple[str, str]]:
    own = (os.path.join(user_folder(places), "AGENTS.md"), os.path.join(places.home, ".claude", "CLAUDE.md"))
    yield from ((USER, path) for path in [path for path in own if os.path.isfile(path)][:1])
    for name in NAMES:
        found = [os.path.join(folder, name) for folder in upward(places)]
        found = [path for path in found if os.path.isfile(path)]
        if found:
            yield from ((PROJECT, path) for path in found)
            return


def _instructed(where: Where) -> Iterator[tuple[str, str] | Diagnostic]:
    """Files that the configuration names. Addresses are left alone: nothing is fetched here."""
    for level, config in config_places(where.places):
        file = config_at(config, LENIENT, where.run) if config.endswith((".json", ".jsonc")) else None
        if not isinstance(file, ConfigFile):
            continue
        listed = file.part(("instructions",))
        for index, entry in enumerate(listed if isinstance(listed, list) else ()):
            if isinstance(entry, str) and "://" not in entry:
                yield from _named(level, file, index, where)


def _named(level: str, file: ConfigFile, index: int, where: Where) -> Iterator[tuple[str, str] | Diagnostic]:
    """One entry: a path or a pattern, from the current directory and from each of its parents in the repository."""
    entry = file.value["instructions"][index]
    if entry.startswith("~/") or os.path.isabs(entry):
        path = where.places.absolute(entry)
        places = [(os.path.dirname(path), os.path.basename(path))]
    else:
        places = [(folder, entry) for folder in repository_folders(where.places)]
    for folder, pattern in places:
        found, complete = _matching(folder, pattern)
        yield from ((level, path) for path in found)
        if not complete:
            message = f"`{entry}` leads through more than {MOST_FILES:,} files or {MOST_FOLDERS:,} folders"
            yield OPENCODE_WIDE_PATTERN.at(file.path, message, place=file.place("instructions", index), about=entry)


def _matching(folder: str, pattern: str) -> tuple[list[str], bool]:
    """The files that a pattern fits, and whether all were looked at."""
    if "*" not in pattern and "?" not in pattern:
        path = os.path.normpath(os.path.join(folder, pattern))
        return ([path] if os.path.isfile(path) else []), True
    parts = pattern.split("/")[:MOST_PARTS]
    fixed = next((index for index, part in enumerate(parts) if "*" in part or "?" in part), 0)
    base = os.path.normpath(os.path.join(folder, *parts[:fixed]))
    cuts: list[str] = []
    below = walk(base, depth=12 if "**" in parts else len(parts) - fixed - 1, cut=cuts.append)
    inside = [entry.path for entry in islice(below, MOST_FILES + 1)]
    found = [path for path in inside if _fits(path[len(base) :].strip(os.sep).split(os.sep), parts[fixed:])]
    return found, len(inside) <= MOST_FILES and not cuts


def _fits(path: list[str], pattern: list[str]) -> bool:
    """Part by part, with every place in the pattern that can be reached so far: no pattern makes this slow."""
    from fnmatch import fnmatchcase  # few name a pattern, and it is slow to import

    reached = _with_skipped({0}, pattern)
    for name in path:
        reached = _with_skipped(
            {
                at if pattern[at] == "**" else at + 1
                for at in reached
                if at < len(pattern) and (pattern[at] == "**" or fnmatchcase(name, pattern[at]))
            },
            pattern,
        )
    return len(pattern) in reached


def _with_skipped(reached: set[int], pattern: list[str]) -> set[int]:
    """`**` may also stand for nothing."""
    for at, part in enumerate(pattern):
        if at in reached and part == "**":
            reached.add(at + 1)
    return reached
