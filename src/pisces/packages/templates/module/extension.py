"""@title@: a command that counts words. Nothing happens at import; `extension` registers what there is."""

from __future__ import annotations

from typing import Any


def counted(text: str) -> str:
    """How many words a text has, in words."""
    words = len(text.split())
    return f"{words} word" if words == 1 else f"{words} words"


def extension(pisces: Any) -> None:
    """Called once by pisces when the module is loaded."""

    @pisces.command("count-words", "Count the words that follow")
    def count(arguments: str) -> str:
        return counted(arguments)
