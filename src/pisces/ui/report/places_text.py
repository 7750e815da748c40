"""Where something is, as people read it: below the current folder relative, below home with `~`, with its line."""

from __future__ import annotations

import os

from pisces.ui.report.escape import code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places


def place(path: str, places: Places, *numbers: int) -> str:
    """`path:line:column` as HTML; numbers that are 0 are left out."""
    return code(":".join([places.shown(path), *(str(each) for each in numbers if each)]))


def folder(places: Places) -> str:
    """The current folder, which every other path is relative to."""
    below_home = places.cwd.startswith(places.home.rstrip(os.sep) + os.sep)
    return code("~" + places.cwd[len(places.home.rstrip(os.sep)) :] if below_home else places.cwd)
