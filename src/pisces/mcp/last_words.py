"""What a program that failed says about it, of all its stderr: many print a usage or a stack after that."""

from __future__ import annotations

import re

_ERROR = re.compile(
    r"[^\s:]{0,80}?(?:error|exception|fatal|panic)\b[^:]{0,40}:\s*\S|.{0,80}?\blevel\W{1,4}(?:error|fatal)\b", re.I
)
_MOST_LINES = 5


def last_words(text: str) -> list[str]:
    """A few lines from the last one that begins as errors do, else the last ones."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    at = next((at for at in range(len(lines) - 1, -1, -1) if _ERROR.match(lines[at])), -_MOST_LINES)
    return lines[at:][:_MOST_LINES]
