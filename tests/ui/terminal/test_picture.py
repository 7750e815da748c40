"""Pictures of the README: text on its grid, and nothing of the machine that made them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.ui.terminal.picture import CELL, LINE, MARGIN, svg_of

ROOT = Path(__file__).parents[3]
PICTURES = sorted((ROOT / "docs" / "pictures").glob("*.svg"))
TEXT = "{http://www.w3.org/2000/svg}text"


def texts(svg: str) -> list[tuple[str, float, float, str | None]]:
    found = ET.fromstring(svg).iter(TEXT)
    return [(each.text or "", float(each.attrib["x"]), float(each.attrib["y"]), each.get("fill")) for each in found]


def test_each_run_of_a_style_is_at_its_own_column() -> None:
    made = texts(svg_of("a \x1b[31m  b<&\x1b[0m\n  \x1b[2mc  d\ne", 20))
    assert [(text, round((x - MARGIN) / CELL), round((y - MARGIN - 13) / LINE)) for text, x, y, _ in made] == [
        ("a", 0, 0),
        ("b<&", 4, 0),
        ("c\xa0\xa0d", 2, 1),
        ("e", 0, 2),
    ]
    red, dim = made[1][3], made[2][3]
    assert (made[0][3], made[3][3]) == (None, dim)
    assert red != dim


@pytest.mark.parametrize("codes", ["38;5;9", "38;5;75", "38;5;240", "38;2;1;2;3", "97", "1;36"])
def test_every_kind_of_colour_is_one(codes: str) -> None:
    fill = texts(svg_of(f"\x1b[{codes}mx", 5))[0][3]
    assert fill is not None
    assert re.fullmatch("#[0-9a-f]{6}", fill)


@pytest.mark.parametrize("path", PICTURES, ids=[path.stem for path in PICTURES])
def test_the_readme_shows_it_and_it_names_no_folder_of_a_machine(path: Path) -> None:
    svg = path.read_text("utf-8")
    assert texts(svg)
    assert not re.search(r"/(?:tmp|home|root|Users|var|usr)/", svg)
    assert f"docs/pictures/{path.name}" in (ROOT / "README.md").read_text("utf-8")
