"""Where policies of the user and of the administrator are: folders that settings list, and the system's own."""

from __future__ import annotations

import os

from pisces.harnesses.gemini.system_files import system_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.harnesses.gemini.settings import Settings
    from pisces.places import Places


def system_policies() -> str:
    return os.path.join(system_folder(), "policies")


def listed_folders(key: str, settings: Settings, places: Places) -> list[str]:
    """Those of `policyPaths` or `adminPolicyPaths`, each once."""
    paths = settings.value(key)
    texts = [path for path in paths if isinstance(path, str) and path] if isinstance(paths, list) else []
    return list(dict.fromkeys(places.absolute(path) for path in texts))


def has_policies(folder: str) -> bool:
    return os.path.isdir(folder) and any(name.endswith(".toml") for name in os.listdir(folder))
