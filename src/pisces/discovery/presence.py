"""Which harnesses matter here: those that are set up on this machine, and those that this project has files for."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from pisces.discovery.harness import Harness
    from pisces.places import Places


def is_set_up(harness: Harness, places: Places) -> bool:
    """It has a folder of the user's, or its program is on the PATH."""
    user = harness.user_path(places)
    if user != places.home and os.path.isdir(user):
        return True
    folders = places.env.get("PATH", "").split(os.pathsep) if harness.programs else ()
    return any(os.path.exists(os.path.join(folder, name)) for folder in folders for name in _files_of(harness.programs))


def matters(harness: Harness, places: Places) -> bool:
    """Whether it loads anything here, or would if somebody set it up. A convention always does."""
    if not harness.is_program or is_set_up(harness, places):
        return True
    own = [*harness.context_names, *harness.own_files]
    if harness.project_dir != ".":
        own.append(harness.project_dir)
    return any(os.path.lexists(os.path.join(folder, name)) for folder in places.ancestors() for name in own)


def _files_of(programs: Iterable[str]) -> list[str]:
    if os.name != "nt":
        return list(programs)
    return [program + suffix for program in programs for suffix in (".exe", ".cmd", ".bat", ".ps1")]
