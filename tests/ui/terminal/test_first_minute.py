"""The first minute of a newcomer: it opens whatever is missing or broken, and says so briefly."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs POSIX terminals", allow_module_level=True)

pytest.importorskip("pyte")

from tests.ui.terminal.typist import ENTER, Typist

SETTINGS = ".pisces/agent/config.yml"
OFFLINE = {"OLLAMA_HOST": "127.0.0.1:9"}


def person_with(folder: Path, files: dict[str, str], size: tuple[int, int] = (80, 24)) -> Typist:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return Typist(folder, size=size, words=["--model", ""], env=OFFLINE)


def test_a_model_of_the_settings_without_its_key_is_said_and_everything_else_works(tmp_path: Path) -> None:
    person = person_with(tmp_path, {SETTINGS: "model: anthropic/claude-sonnet-4-5\n"})
    person.sees("no model: there is no key for `anthropic`")
    person.type(b"/extensions" + ENTER)
    person.sees("`/extensions NAME` says more")
    person.type(b"hello" + ENTER)
    person.sees("hint: set `ANTHROPIC_API_KEY`")
    assert person.leave() == 0


def test_settings_that_cannot_be_read_are_named_with_their_line(tmp_path: Path) -> None:
    person = person_with(tmp_path, {SETTINGS: "model: [unclosed\n  x: y: z\n"})
    person.sees("no model: ~/.pisces/agent/config.yml:2")
    person.type(b"!echo $((20+3))" + ENTER)
    person.sees("23")
    assert person.leave() == 0


def test_a_module_that_does_not_load_is_shown_once_and_other_problems_are_a_number(tmp_path: Path) -> None:
    files = {
        ".pisces/agent/extensions/broken.py": "def extension(pisces):\n    raise ValueError('boom')\n",
        ".gemini/extensions/one/gemini-extension.json": "{",
        ".gemini/extensions/two/gemini-extension.json": "{}",
    }
    person = person_with(tmp_path, files, (40, 20))
    person.sees("/help")
    shown = [line for line in person.everything if line]
    assert len([line for line in shown if "boom" in line]) == 1
    assert any("2 more problems in extensions" in line for line in shown)
    assert not any("gemini-extension.json" in line for line in shown)
    person.type(b"/doctor" + ENTER)
    person.sees("manifest-invalid")
    assert person.leave() == 0
