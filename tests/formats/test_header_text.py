"""What is written as YAML or TOML is read back the same, whatever a text holds."""

from __future__ import annotations

import random
import tomllib

from pisces.formats.toml_text import toml_text
from pisces.formats.yaml import parse
from pisces.formats.yaml_text import header_text, markdown_text

PIECES = (
    *"aB \n\r\t:#-?'\"\\{}[],&*!|>%@`~01=_.$/()+",
    *("1e3", "0x1", "yes", "null", "true", "2024-01-01", "---", "...", "<<", '"""', "'''"),
    *("\u2028", "\x85", "\x7f", "\x00", "\x1b", "\ufeff", "é", "\U0001f600"),
)


def nasty_texts(count: int) -> list[str]:
    chosen = random.Random(15)
    return ["".join(chosen.choices(PIECES, k=chosen.randint(0, 6))) for _ in range(count)]


def test_any_text_in_a_header_is_read_back_as_it_was() -> None:
    for text in (
        *nasty_texts(3000),
        ".1",
        ".5e3",
        "0o7",
        "1_000",
        "Use when: reviewing",
        "<example>\nuser: hi\n</example>",
    ):
        fields = {"description": text, "tools": [text, "read_file"], "more": {"inner": text, "flag": True, "count": 3}}
        assert parse(header_text(fields)) == fields, repr(text)


def test_any_text_in_toml_is_read_back_as_it_was() -> None:
    for text in nasty_texts(3000):
        values = {"description": text, "prompt": f"{text}\n{text}", "odd key": {"inner": [text]}}
        assert tomllib.loads(toml_text(values)) == values, repr(text)


def test_a_plain_word_is_written_without_quotes() -> None:
    assert markdown_text({"name": "reader", "description": "Reads files"}, "Read.\n") == (
        "---\nname: reader\ndescription: Reads files\n---\nRead.\n"
    )


def test_every_value_that_yaml_can_say_is_read_back_as_it_was() -> None:
    written = "day: 2026-05-18\ntimes: [2026-05-18T01:02:03Z, .inf, -.inf]\ndata: !!binary aGVsbG8=\nlarge: 1e400\n"
    fields = parse(written)
    assert isinstance(fields, dict)
    assert parse(header_text(fields)) == fields
    assert "2026-05-18" in header_text(fields).splitlines()[0]
    assert str(parse("[2026-05-18]")) == "[2026-05-18]"
