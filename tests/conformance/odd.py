"""Draws odd words from `odd_words.json` with one seeded `Random`, so that a seed is a corpus."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

WORDS: dict[str, Any] = json.loads(Path(__file__).with_name("odd_words.json").read_text(encoding="utf-8"))

Files = dict[str, str]
LINK = "-> "  # a file whose text starts with this becomes a link


def pick(random: Random, words: str) -> Any:
    """One of a list of words, by the name of the list."""
    return random.choice(WORDS[words])


def text(random: Random, words: str) -> str:
    return str(pick(random, words))


def chance(random: Random, of: float) -> bool:
    return random.random() < of


def some_of(random: Random, words: str, of: float) -> dict[str, str]:
    """Of a table of keys and their possible values, each key with the given chance."""
    return {key: random.choice(values) for key, values in WORDS[words].items() if chance(random, of)}


def numbered(random: Random, words: str, index: int) -> str:
    return text(random, words).replace("#", str(index))


def quoted(random: Random, word: str) -> str:
    """An author's ways to write a text; not all of them are right."""
    return random.choice([word, f'"{word}"', f"'{word}'", json.dumps(word), f" {word} "])


def as_json(random: Random, value: Any) -> str:
    """Strict JSON most of the time, and now and then something that only looks like it."""
    written = json.dumps(value, ensure_ascii=chance(random, 0.5))
    if chance(random, 0.9):
        return written
    spoiled = [written[:-1], written + ",", written.replace('"', "'", 2), written.replace(":", ": NaN,", 1)]
    return random.choice(["\ufeff" + written, "// x\n" + written, *spoiled])


def header(random: Random, lines: list[str]) -> str:
    """A Markdown file with these lines in its YAML header."""
    if chance(random, 0.2):
        lines = [line + random.choice([" ", "", "\t", " # c"]) for line in lines]
    written = "\n".join([text(random, "header_starts"), *lines, text(random, "header_ends")]) + text(random, "bodies")
    return written.replace("\n", "\r\n") if chance(random, 0.15) else written
