"""The page of `pisces report` in a real browser: silent, asking for nothing, readable in light, dark and on paper."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from pisces.discovery.harness import Run
from pisces.discovery.registry import Switches
from pisces.ui.report.page import page
from pisces.ui.report.survey import survey
from tests.ui.browser import Browser, browser, program
from tests.ui.harbour import Workspace, harbour, hostile

pytestmark = pytest.mark.skipif(
    os.name == "nt" or not program(), reason="no chromium here, so the report is not looked at in a browser"
)

# The weakest contrast of any text with what is behind it, and the text.
WEAKEST = """(() => {
  const parts = colour => (colour.match(/[\\d.]+/g) || []).map(Number);
  const light = colour => {
    const [r, g, b] = parts(colour).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = element => {
    for (let each = element; each; each = each.parentElement) {
      const found = each.matches("svg .loses ~ text") ? "" : getComputedStyle(each).backgroundColor;
      if (found && !found.startsWith("rgba(0, 0, 0, 0")) return found;
    }
    return getComputedStyle(document.body).backgroundColor;
  };
  let weakest = [21, ""];
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].filter(node => node.nodeType === 3 && node.data.trim());
    if (!own.length || !element.checkVisibility() || element.closest(".hidden")) continue;
    const style = getComputedStyle(element);
    const ink = element.closest("svg") ? style.fill : style.color;
    const two = [light(ink), light(behind(element))].sort((a, b) => b - a);
    const ratio = (two[0] + 0.05) / (two[1] + 0.05);
    if (ratio < weakest[0]) weakest = [ratio, own[0].data.trim() + " " + ink];
  }
  return weakest;
})()"""


def written(made: Workspace, file: Path) -> Path:
    file.write_text(page(survey(made.places, Switches(), Run()), "15 November 2026"), "utf-8")
    return file


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def page_of_harbour(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("harbour")
    return written(harbour(folder), folder / "report.html")


@pytest.fixture(scope="module")
def page_of_attacks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    return written(hostile(folder), folder / "report.html")


@pytest.mark.parametrize("which", ["page_of_harbour", "page_of_attacks"])
def test_it_asks_for_nothing_and_nothing_stands_on_the_console(
    window: Browser, which: str, request: pytest.FixtureRequest
) -> None:
    file: Path = request.getfixturevalue(which)
    window.look()
    window.open(file)
    assert window.ask("document.querySelectorAll('details').forEach(each => each.open = true)") is None
    window.pdf()
    assert window.requests() == [file.as_uri()]
    assert window.complaints() == []


def test_the_policy_stops_what_would_get_through(window: Browser, page_of_harbour: Path, tmp_path: Path) -> None:
    """A page with a script and an image in it, as if the escaping had failed: neither works."""
    file = tmp_path / "broken.html"
    attack = (
        "<script>document.title = 'run'</script><img src='http://127.0.0.1:9/x' onerror=\"document.title = 'run'\">"
    )
    file.write_text(page_of_harbour.read_text("utf-8").replace("<main>", f"<main>{attack}<b style='color:red'>x</b>"))
    window.open(file)
    assert window.ask("document.title").startswith("pisces report: ")
    assert window.complaints(), "the browser says what it stopped"
    assert window.ask("getComputedStyle(document.querySelector('main > b')).color") != "rgb(255, 0, 0)"


def test_hostile_names_make_no_element(window: Browser, page_of_attacks: Path) -> None:
    window.open(page_of_attacks)
    assert window.ask("document.querySelectorAll('img, script, iframe, object, [onload], [onerror]').length") == 0
    assert window.ask("document.querySelectorAll('main > section').length") == 6
    assert window.ask("document.querySelectorAll('section > svg, section > .wide > svg').length") == 1
    assert "onerror=alert(1)" in window.ask("document.body.innerText")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_can_be_read(window: Browser, page_of_harbour: Path, scheme: str) -> None:
    window.look(scheme=scheme)
    window.open(page_of_harbour)
    ratio, words = window.ask(WEAKEST)
    assert ratio >= 4.5, words


def test_light_and_dark_differ(window: Browser, page_of_harbour: Path, tmp_path: Path) -> None:
    pictures = []
    for scheme in ("light", "dark"):
        window.look(scheme=scheme)
        window.open(page_of_harbour)
        pictures.append(window.screenshot(tmp_path / f"{scheme}.png"))
    assert pictures[0] != pictures[1]
    assert all(picture.startswith(b"\x89PNG") for picture in pictures)


@pytest.mark.parametrize("width", [320, 390, 427, 1280])  # 427 is 1280 at 300 %
@pytest.mark.parametrize("which", ["page_of_harbour", "page_of_attacks"])
def test_the_page_fits_its_width(window: Browser, which: str, width: int, request: pytest.FixtureRequest) -> None:
    window.look(width)
    window.open(request.getfixturevalue(which))
    window.ask("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert window.ask("document.documentElement.scrollWidth") <= width


def test_paper_shows_what_is_folded(window: Browser, page_of_harbour: Path) -> None:
    window.look()
    window.open(page_of_harbour)
    folded = "document.querySelector('details:not([open]) :is(article, table)').checkVisibility()"
    assert not window.ask(folded)
    window.call("Emulation.setEmulatedMedia", media="print")
    assert window.ask(folded)
    assert window.pdf().startswith(b"%PDF")


def test_choosing_a_program_hides_what_it_does_not_find(window: Browser, page_of_harbour: Path) -> None:
    window.look()
    window.open(page_of_harbour)
    rows = "[...document.querySelectorAll('.items tr.i')].filter(each => each.checkVisibility()).length"
    every = window.ask(rows)
    window.ask("[...document.querySelectorAll('.filter label')].find(each => each.innerText.includes('Codex')).click()")
    some = window.ask(rows)
    window.ask("document.querySelector('#f-not').click()")
    few = window.ask(rows)
    assert every > some > few > 0
    window.call("Emulation.setEmulatedMedia", media="print")
    assert window.ask(rows) == every, "paper shows everything"


def test_a_link_to_a_kind_unfolds_it(window: Browser, page_of_harbour: Path) -> None:
    window.look()
    window.open(page_of_harbour)
    skills = "document.querySelector('#skills').closest('details').open"
    window.ask("document.querySelectorAll('details').forEach(each => each.open = false)")
    assert not window.ask(skills)
    window.ask("document.querySelector('a[href=\"#skills\"]').click()")
    assert window.ask(skills)


def test_the_keyboard_reaches_every_link_fold_and_wide_table(window: Browser, page_of_harbour: Path) -> None:
    window.look()
    window.open(page_of_harbour)
    assert window.ask("[...document.querySelectorAll('a, summary, input, .wide')].every(each => each.tabIndex >= 0)")
    keys = {"type": "keyDown", "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
    window.call("Input.dispatchKeyEvent", **keys)
    assert window.ask("document.activeElement.tagName") == "A"
    assert window.ask("getComputedStyle(document.activeElement).outlineStyle") == "solid"


def test_what_assistive_programs_hear(window: Browser, page_of_harbour: Path) -> None:
    window.open(page_of_harbour)
    nodes = window.call("Accessibility.getFullAXTree")["nodes"]
    roles = [each["role"]["value"] for each in nodes if not each["ignored"]]
    assert {"main", "navigation", "heading", "table", "columnheader", "rowheader", "region"} <= set(roles)
    unnamed = [
        each
        for each in nodes
        if not each["ignored"] and each["role"]["value"] in ("link", "region", "image", "radio", "heading")
        if not each.get("name", {}).get("value", "").strip()
    ]
    assert unnamed == []
