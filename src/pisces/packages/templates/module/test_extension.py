"""Run with: python -m pytest"""

from __future__ import annotations

from extension import counted


def test_words_are_counted() -> None:
    assert [counted(text) for text in ("", "one", "two words")] == ["0 words", "1 word", "2 words"]
