"""Who may type a command or a skill of Claude Code (2.1.325): whatever `user-invocable` says but yes hides it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

KEY = "user-invocable"
_YES = ("true", "yes", "on", "1")


def is_for_users(fields: Mapping[str, object]) -> bool:
    """The key alone, with nothing behind it, hides too; other spellings of the key are not read."""
    return KEY not in fields or str(fields[KEY]).strip().lower() in _YES
