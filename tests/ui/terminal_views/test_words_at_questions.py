"""Whoever types a word at a question answers it with none of its letters."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pisces.shapes.request import NO, ONCE, SESSION
from pisces.ui.terminal.card_lines import CardText
from pisces.ui.terminal.choices import ChoicePanel, Option
from pisces.ui.terminal.consent_answers import ConsentAnswer
from pisces.ui.terminal.consent_panel import ConsentPanel
from pisces.ui.terminal.themes import PLAIN

ANSWERS = [ConsentAnswer("y", ONCE, "yes"), ConsentAnswer("s", SESSION, "session"), ConsentAnswer("n", NO, "no")]
OPTIONS = [Option("edit without asking", "", "e"), Option("go on", "", "n")]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def card(clock: Callable[[], float]) -> ConsentPanel:
    panel = ConsentPanel(CardText("Run this?", lambda _width, _palette: iter(("ls",)), ()), ANSWERS, PLAIN, str, clock)
    panel.lines(80, 24)
    return panel


def type_into(panel: ConsentPanel | ChoicePanel, text: str) -> None:
    for letter in text:
        panel.key("", letter)


def test_a_word_at_a_card_allows_nothing_and_after_a_pause_a_letter_answers() -> None:
    clock = Clock()
    panel = card(clock)
    clock.now = 1.0
    type_into(panel, "just try yes")
    assert panel.answer is None
    assert panel.settling.typed == "", "it was typed at the question and not into the box"
    clock.now = 2.0
    panel.key("", "y")
    assert panel.answer is not None
    assert panel.answer.kind == ONCE


@pytest.mark.parametrize("key", ["escape", "c-c"])
def test_a_word_does_not_keep_a_question_open(key: str) -> None:
    clock = Clock()
    panel = card(clock)
    clock.now = 1.0
    type_into(panel, "oh")
    panel.key(key, "")
    assert panel.answer is not None
    assert panel.answer.kind == NO


def test_a_command_that_is_typed_at_a_dialog_chooses_nothing() -> None:
    panel = ChoicePanel("How to go on?", OPTIONS, PLAIN)
    panel.lines(80, 24)
    type_into(panel, "/theme")
    panel.key("enter", "\r")
    assert (panel.chosen, panel.is_done) == (None, False)
    panel.key("escape", "")
    assert (panel.chosen, panel.is_done) == (None, True)
