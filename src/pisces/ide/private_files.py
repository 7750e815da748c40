"""Files that hold secrets by their name: neither they nor a selection in them is ever sent."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatch

PRIVATE = (
    *(".env", ".env.*", "*.pem", "*.key", "*.p12", "*.pfx", "*.kdbx", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"),
    *(".netrc", ".pgpass", ".npmrc", ".pypirc"),
)


def is_private(path: str, patterns: Iterable[str] = PRIVATE) -> bool:
    """Whether the file's name matches a pattern, regardless of case."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    return any(fnmatch(name, pattern.lower()) for pattern in patterns)
