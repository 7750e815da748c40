"""Streaming Markdown: blocks are the same however the text was cut, and their lines are those of the text."""

from __future__ import annotations

import random
import re

import pytest

from pisces.ui.terminal.blocks import CODE, MOST_CODE_LINES, PROSE, Block, Blocks
from pisces.ui.terminal.markdown import MarkdownLines

TEXT = """\
# Title
Intro line one
line two

- first item
- second item
  going on

  ```sh
  - not an item
  ```
- third

1. one
2. two

> quoted
> more

```python
def f():

    return "```"
```
| a | b |
|---|---|
| 1 | 2 |

Setext
======
***
Last words"""


def blocks_of(text: str, *sizes: int) -> list[Block]:
    blocks, made, at = Blocks(), [], 0
    for size in sizes or (len(text),):
        made += blocks.feed(text[at : at + size])
        at += size
    return [*made, *blocks.feed(text[at:]), *blocks.end()]


def test_each_block_is_one() -> None:
    made = blocks_of(TEXT)
    assert [(each.kind, each.text.split("\n")[0]) for each in made] == [
        (PROSE, "# Title"),
        (PROSE, "Intro line one"),
        (PROSE, "- first item"),
        (PROSE, "- second item"),
        (PROSE, "- third"),
        (PROSE, "1. one"),
        (PROSE, "2. two"),
        (PROSE, "> quoted"),
        (CODE, "def f():"),
        (PROSE, "| a | b |"),
        (PROSE, "Setext"),
        (PROSE, "***"),
        (PROSE, "Last words"),
    ]
    assert next(each for each in made if each.kind == CODE).language == "python"
    assert "- not an item" in made[3].text


@pytest.mark.parametrize("seed", range(50))
def test_how_the_text_was_cut_makes_no_difference(seed: int) -> None:
    source = random.Random(seed)
    sizes = [source.randint(0, 12) for _ in range(60)]
    assert blocks_of(TEXT, *sizes) == blocks_of(TEXT)


@pytest.mark.parametrize("seed", range(100))
def test_no_line_is_lost_or_written_twice(seed: int) -> None:
    source = random.Random(seed)
    pieces = ["- x", "text", "", "```", "~~~~", "  in", "# h", "1) y", "---", "| t |", "    code", "> q", "\tz", "***"]
    lines = [
        f"{source.choice(pieces)} {number}" if source.random() < 0.7 else source.choice(pieces) for number in range(40)
    ]
    made = "\n".join(each.text for each in blocks_of("\n".join(lines)))
    assert [line for line in lines if line and line[-1].isdigit() and "```" not in line and "~~~" not in line] == [
        line for line in made.split("\n") if line and line[-1].isdigit() and "```" not in line and "~~~" not in line
    ]


def test_long_code_comes_in_parts_and_stays_code() -> None:
    blocks = Blocks()
    made = blocks.feed("```py\n" + "x = 1\n" * (MOST_CODE_LINES * 2 + 5))
    assert [(each.kind, each.text.count("\n") + 1) for each in made] == [(CODE, MOST_CODE_LINES)] * 2
    assert blocks.open_block.kind == CODE
    assert [each.text for each in blocks.end()] == ["\n".join(["x = 1"] * 5)]


def test_a_huge_text_is_linear() -> None:
    blocks = Blocks()
    for _ in range(200_000):
        blocks.feed("word ")
    assert len(blocks.open_block.text) == 1_000_000
    assert sum(len(each.text) for each in blocks_of("a\n" * 200_000)) > 300_000


@pytest.mark.parametrize("colours", [None, "truecolor"])
def test_characters_that_are_written_by_number_are_cleaned_too(colours: str | None) -> None:
    """Markdown makes characters of references, after the text of the model has been cleaned."""
    text = "&#x202e;&#8238;&rlm;&#x2066;**bold**&#27;[2J&#155;31m&#13;&#8;\n\n| a | b |\n|---|---|\n| &#x202e; | c |"
    shown = "\n".join(MarkdownLines(colours).lines(Block(PROSE, text), 60))
    assert "bold" in shown
    bare = re.sub("\x1b\\[[0-9;]*m", "", shown)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]", bare)
