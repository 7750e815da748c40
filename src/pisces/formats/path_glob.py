"""Patterns over paths: `*` and `?` stay inside one name, `**` stands for any number of folders. Bounded in time."""

from __future__ import annotations

from pisces.formats.wildcard import wildcard_matches


def path_glob_matches(pattern: str, path: str) -> bool:
    """Whether the whole path fits. Only the last `**` is tried again."""
    parts, names = pattern.split("/"), path.split("/")
    part = name = 0
    retry = tried = -1
    while name < len(names):
        if part < len(parts) and parts[part] == "**":
            retry, tried = part, name
            part += 1
        elif part < len(parts) and wildcard_matches(parts[part], names[name]):
            part, name = part + 1, name + 1
        elif retry < 0:
            return False
        else:
            tried += 1
            part, name = retry + 1, tried
    return all(rest == "**" for rest in parts[part:])
