"""Dialogs and components of modules: answers, times that are over, and code that is slow, broken or hostile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest

from pisces.modules.sidecar.component import RemoteComponent
from pisces.ui.terminal.choices import answer_of_user
from pisces.ui.terminal.component_panel import raw_key
from pisces.ui.terminal.drawn import coloured_row
from pisces.ui.terminal.module_ui import TerminalUi
from pisces.ui.width import width_of
from tests.ui.terminal_views.collecting_screen import CollectingScreen


def with_ui(screen: CollectingScreen, use: Callable[[TerminalUi], Awaitable[Any]]) -> Any:
    async def used() -> Any:
        return await use(TerminalUi(screen, screen.clock))

    return asyncio.run(used())


@pytest.mark.parametrize(("keys", "answer"), [("y", True), ("n", False), (["<escape>"], False), (["<enter>"], True)])
def test_a_confirmation_is_answered_by_one_key(keys: Sequence[str], answer: bool) -> None:
    assert with_ui(CollectingScreen(keys), lambda ui: ui.confirm("Sure?", "it deletes")) is answer


def test_one_of_many_is_chosen_by_arrows_and_by_number() -> None:
    many = [f"number {n}" for n in range(500)]
    screen = CollectingScreen(["<down>", "<down>", "<enter>"], ["2"], ["<up>", "<enter>"], ["<escape>"], height=6)

    async def four(ui: TerminalUi) -> list[str | None]:
        return [await ui.select("Which?", many) for _ in range(4)]

    assert with_ui(screen, four) == ["number 2", "number 1", "number 499", None]


def test_a_line_and_a_text_are_typed() -> None:
    screen = CollectingScreen([*"ab", "<left>", "x", "<enter>"], ["<enter>", *"more", "<c-s>"], ["<escape>"])

    async def both(ui: TerminalUi) -> list[str | None]:
        return [await ui.input("Name", "your name"), await ui.editor("Text", "first"), await ui.input("Again")]

    assert with_ui(screen, both) == ["axb", "first\nmore", None]


def test_a_question_whose_time_is_over_has_no_answer() -> None:
    screen = CollectingScreen([], [], [])

    async def three(ui: TerminalUi) -> list[Any]:
        return [await ui.confirm("a", "b", 0.01), await ui.select("a", ["b"], 0.01), await ui.input("a", "", 0.01)]

    assert with_ui(screen, three) == [False, None, None]


def test_text_of_modules_cannot_move_the_cursor() -> None:
    screen = CollectingScreen()

    async def say(ui: TerminalUi) -> None:
        ui.notify("a\x1b[2J\x1b]0;title\x07b\nc", "error")
        ui.status("k\n", "\x1b[1A" + "x" * 1000)
        ui.widget("w", ["\x1b[31mred", "\x1b[5;5Hmoved", *["more"] * 1000], "nowhere")
        ui.title("\x1b]0;x\x07t")
        ui.working("busy\r\n")

    with_ui(screen, say)
    assert screen.printed == ["ab\nc"]
    assert len(screen.statuses["k\\n"] or "") == 60
    assert screen.widgets["aboveEditor w"] is not None
    assert list(screen.widgets["aboveEditor w"] or ())[:3] == ["\x1b[31mred\x1b[0m", "moved", "more"]
    assert len(screen.widgets["aboveEditor w"] or ()) == 10
    assert "\x1b" not in str(screen.statuses)


class Counter:
    """Counts keys until Enter."""

    def __init__(self) -> None:
        self.keys: list[str] = []
        self.is_done = False
        self.result: Any = None

    async def render(self, width: int) -> Sequence[str]:
        return [f"{len(self.keys)} keys on {width} columns"]

    async def key(self, data: str) -> None:
        self.keys.append(data)
        if data == "\r":
            self.is_done, self.result = True, len(self.keys)


def test_a_component_draws_takes_keys_and_has_a_result() -> None:
    component, screen = Counter(), CollectingScreen(["a", "<up>", "<c-b>", "<enter>"])
    assert with_ui(screen, lambda ui: ui.custom(component)) == 4
    assert component.keys == ["a", "\x1b[A", "\x02", "\r"]


class Broken(Counter):
    def __init__(self, rendered: Any) -> None:
        super().__init__()
        self._rendered = rendered

    async def render(self, width: int) -> Sequence[str]:
        made: Sequence[str] = self._rendered(width)
        return made


def _raises(_width: int) -> Any:
    raise ValueError("\x1b[2Jboom")


@pytest.mark.parametrize("rendered", [_raises, lambda _width: 3, lambda _width: None])
def test_a_component_that_breaks_is_ended_and_named(rendered: Any) -> None:
    screen = CollectingScreen([])
    assert with_ui(screen, lambda ui: ui.custom(Broken(rendered))) is None
    assert "was ended" in screen.shown
    assert "\x1b" not in screen.shown


@pytest.mark.parametrize(
    "rendered",
    [
        lambda _width: ["x" * 10_000_000],
        lambda _width: [f"\x1b[{n};1H\x1b[2J" for n in range(100_000)],
        lambda _width: ["\u202e文字\x1b[31m" * 5000] * 3,
    ],
)
def test_a_hostile_component_stays_in_its_place_and_ctrl_c_ends_it(rendered: Any) -> None:
    """The screen of these tests refuses lines that are too wide, and too many of them."""
    screen = CollectingScreen(["a", "b", "<c-c>"], width=30, height=5)
    assert with_ui(screen, lambda ui: ui.custom(Broken(rendered))) is None


def test_a_component_that_never_answers_is_ended_by_ctrl_c() -> None:
    class Slow(Counter):
        async def render(self, width: int) -> Sequence[str]:  # noqa: ARG002
            await asyncio.Event().wait()
            return ()

    assert with_ui(CollectingScreen(["<c-c>"]), lambda ui: ui.custom(Slow())) is None


def test_keys_are_what_a_terminal_sends() -> None:
    assert [raw_key(*each) for each in (("c-a", ""), ("down", ""), ("", "ä"), ("f5", "x"))] == [
        "\x01",
        "\x1b[B",
        "ä",
        "x",
    ]


@pytest.mark.parametrize("width", [0, 1, 7, 40])
def test_a_row_with_colours_fits(width: int) -> None:
    row = coloured_row("\x1b[1mbold \x1b[38;5;200mpink 文字文字\x1b[8mhidden\x1b[0m end of it all, really", width)
    assert width_of(row) <= width
    assert row.rpartition("\x1b[")[2].startswith("0m"), "colours are undone"
    assert "\x1b[8m" not in row


def test_a_question_of_the_model_takes_a_choice_or_other_words() -> None:
    async def answers(*keys: Sequence[str]) -> list[str | None]:
        screen = CollectingScreen(*keys)
        given: tuple[list[str], ...] = ([], ["red", "blue"], ["red", "blue"], ["red", "blue"])
        return [await answer_of_user(screen, "Which?", each, screen.clock) for each in given]

    keys = ([*"mine", "<enter>"], ["2"], [*"green", "<enter>"], ["<escape>"])
    assert asyncio.run(answers(*keys)) == ["mine", "blue", "green", None]


def test_a_component_beside_this_process_is_drawn_when_it_says_so_and_may_end_by_itself() -> None:
    asked: list[str] = []

    async def use(ui: TerminalUi) -> Any:
        async def call(name: str, given: Any) -> Any:
            asked.append(name)
            if name == "component.key":
                component.finish(f"typed {given['data']}")
            return [f"frame {len(asked)}"]

        component = RemoteComponent(1, call, {})
        first = await ui.custom(component)
        component = RemoteComponent(2, call, {})
        asyncio.get_running_loop().call_later(0.05, component.finish, "alone")
        return [first, await ui.custom(component)]

    assert with_ui(CollectingScreen(["x"], []), use) == ["typed x", "alone"]
    assert asked.count("component.render") < 10, "nothing is drawn again that did not change"
