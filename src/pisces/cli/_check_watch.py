"""`check --watch`: the check again whenever a file changes, until Ctrl-C. Files are asked for their times and sizes.

A tree that takes long to look at is looked at less often, so that waiting costs a small part of a processor.
"""

from __future__ import annotations

import os
from hashlib import blake2b
from time import localtime, monotonic, sleep, strftime

from pisces.cli._shell_command import FINE
from pisces.discovery.own_config import FILES
from pisces.files import MOST_FOLDERS, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pisces.cli._shell_command import Namespace, Places, Screen

    Once = Callable[[Namespace, Places, Screen], int]

_SHORTEST = 0.2  # seconds between two looks
_SHARE = 10  # a look takes at most one part of so many of the time
_CLEAR = "\x1b[H\x1b[2J"  # what is above stays in the scrollback


def watch(arguments: Namespace, places: Places, screen: Screen, once: Once) -> int:
    try:
        while True:
            before, _ = signature(arguments.paths, places)
            if screen.is_terminal:
                screen.piece(_CLEAR)
            once(arguments, places, screen)
            for folder in unwatched(arguments.paths, places):
                screen.note(f"{folder}: only the files of {MOST_FOLDERS:,} folders are watched, and there are more")
            screen.note(f"{strftime('%H:%M:%S', localtime())} waiting for changes; Ctrl-C ends it")
            screen.piece("")  # a reader at the other end of a pipe sees it now
            _wait(before, arguments, places)
    except KeyboardInterrupt:  # this is how a user ends it
        return FINE


def _wait(before: bytes, arguments: Namespace, places: Places) -> None:
    """Until something differs, and then until nothing differs any more: an editor may write several files."""
    last = before
    while True:
        now, pause = signature(arguments.paths, places)
        if now != before and now == last:
            return
        last = now
        sleep(pause)


def signature(paths: list[str], places: Places) -> tuple[bytes, float]:
    """What changes when a file does, and how long to wait before asking again."""
    started = monotonic()
    found = blake2b(digest_size=16)
    for path in _files(paths, places, []):
        found.update(f"{path}\0{_state(path)}\0".encode("utf-8", "surrogatepass"))
    return found.digest(), max(_SHORTEST, _SHARE * (monotonic() - started))


def unwatched(paths: list[str], places: Places) -> list[str]:
    """Folders in which a change may go unnoticed: they have more folders than are looked at."""
    cuts: list[str] = []
    for _ in _files(paths, places, cuts):
        pass
    return cuts


def _files(paths: list[str], places: Places, cuts: list[str]) -> Iterator[str]:
    for path in paths or [places.cwd]:
        absolute = places.absolute(path)
        if not os.path.isdir(absolute):
            yield absolute
            continue
        yield from (entry.path for entry in walk(absolute, cut=cuts.append))
        for folder in places.replace(cwd=absolute).ancestors():
            yield from (os.path.join(folder, name) for name, _ in FILES)


def _state(path: str) -> str:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return ""
    return f"{status.st_mtime_ns}.{status.st_size}.{status.st_ino}"
