"""Why a prompt was blocked, for a framework that writes that into the conversation."""

from __future__ import annotations

_QUOTED = "Original prompt:"


def without_prompt(reason: str, prompt: str) -> str:
    """The reason without the prompt at its end: the model would read what it must not."""
    return reason.removesuffix(prompt).rstrip().removesuffix(_QUOTED).rstrip() or "The prompt was blocked."
