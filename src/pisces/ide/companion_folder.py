"""Where editors leave a trace of their companion. Looking there costs little: most terminals have no editor."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_VARIABLES = "GEMINI_CLI_IDE_SERVER_"  # what the names of a companion's variables begin with


def temporary_folder(env: Mapping[str, str], system: str = os.name) -> str:
    """Where Node puts temporary files. Unlike Python, it takes the first variable that is set, even if no folder."""
    if system == "nt":
        folder = env.get("TEMP") or env.get("TMP") or (env.get("SystemRoot") or env.get("windir") or "") + "\\temp"
        return folder[:-1] if len(folder) > 1 and folder.endswith("\\") and not folder.endswith(":\\") else folder
    folder = env.get("TMPDIR") or env.get("TMP") or env.get("TEMP") or "/tmp"
    return folder[:-1] if len(folder) > 1 and folder.endswith("/") else folder


def discovery_folder(env: Mapping[str, str]) -> str:
    return os.path.join(temporary_folder(env), "gemini", "ide")


def companion_traces(env: Mapping[str, str]) -> frozenset[tuple[str, int]]:
    """Where an editor may be there: names of variables, and of files with the time of their last change. One that left
    neither cannot be found at all.
    """
    variables = [(name, 0) for name in env if name.startswith(_VARIABLES)]
    try:
        with os.scandir(discovery_folder(env)) as found:
            return frozenset((*variables, *((each.name, each.stat().st_mtime_ns) for each in found)))
    except OSError:
        return frozenset(variables)
