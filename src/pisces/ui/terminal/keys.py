"""What the keys do. Editing keys are prompt_toolkit's (those of Emacs); these are the ones of the program."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Protocol

from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys

if TYPE_CHECKING:
    from prompt_toolkit.filters import Filter
    from prompt_toolkit.key_binding import KeyPressEvent

    from pisces.ui.terminal.input_box import InputBox
    from pisces.ui.terminal.main_screen import MainScreen

QUICK = 0.04  # seconds between keys that no person types: they are pasted
_AGAIN = 2.0  # seconds in which a second Ctrl-C leaves


class KeyActions(Protocol):
    """What keys can make the program do."""

    @property
    def is_working(self) -> bool: ...
    def send(self) -> None: ...
    def steer(self) -> None: ...
    def interrupt(self) -> bool: ...
    def edit_queued(self) -> bool: ...
    def show_last_tool(self) -> None: ...
    def toggle_thinking(self) -> None: ...
    def search_history(self) -> None: ...
    def open_editor(self) -> None: ...
    def paste_image(self) -> None: ...
    def suspend(self) -> None: ...
    def quit(self) -> None: ...
    def say(self, text: str) -> None: ...


class BoxKeys:
    """Enter, which sends, unless it is part of a paste; Ctrl-C, which asks twice."""

    def __init__(self, screen: MainScreen, box: InputBox, actions: KeyActions) -> None:
        self._screen, self._box, self._actions = screen, box, actions
        self._last_key = self._last_stop = float("-inf")
        self._quick_lines = 0
        self._presses = 0

    def pressed(self, *_sender: object) -> None:
        """After each key."""
        self._last_key = time.monotonic()
        self._presses += 1

    def enter(self, event: KeyPressEvent) -> None:
        """Where a terminal has no bracketed paste, Enter right behind another key may be a line of what is pasted: that
        is known a moment later, when more has come or not.
        """
        text = self._box.buffer.document.text_before_cursor
        if text.endswith("\\"):
            self._box.buffer.delete_before_cursor()
            self._box.insert("\n")
            return
        if time.monotonic() - self._last_key >= QUICK:
            self._quick_lines = 0
            if not self._box.completes_command():
                self._actions.send()
            return
        self._quick_lines += 1
        self._box.insert("\n")
        assert event.app.loop is not None, "keys come from a loop"
        event.app.loop.call_later(QUICK, self._after_quick_enter, self._presses)

    def _after_quick_enter(self, presses: int) -> None:
        if self._presses != presses + 1:  # more was pasted
            return
        lines, self._quick_lines = self._quick_lines, 0
        if lines == 1 and self._box.buffer.document.text_before_cursor.endswith("\n"):
            self._box.buffer.delete_before_cursor()
            self._actions.send()
            self._screen.redraw()

    def paste(self, event: KeyPressEvent) -> None:
        self._box.paste(event.data)

    def newline(self, _event: KeyPressEvent) -> None:
        self._box.insert("\n")

    def backspace(self, event: KeyPressEvent) -> None:
        if not self._box.delete_mark():
            self._box.buffer.delete_before_cursor(event.arg)

    def up(self, event: KeyPressEvent) -> None:
        """Edits what is queued, where the box is empty."""
        if self._box.text or not self._actions.edit_queued():
            self._box.buffer.auto_up(event.arg)

    def escape(self, _event: KeyPressEvent) -> None:
        if self._box.buffer.complete_state is not None:
            self._box.buffer.cancel_completion()
        else:
            self._actions.interrupt()

    def unfold(self, _event: KeyPressEvent) -> None:
        self._box.unfold()

    def stop(self, _event: KeyPressEvent) -> None:
        now = time.monotonic()
        if now - self._last_stop < _AGAIN:
            self._actions.quit()
            return
        self._last_stop = now
        if self._box.text:
            self._box.set_text("")
        else:
            self._actions.interrupt()
        self._actions.say("ctrl+c again leaves")


def program_keys(screen: MainScreen, box: InputBox, actions: KeyActions) -> tuple[KeyBindings, BoxKeys]:
    keys, own = KeyBindings(), BoxKeys(screen, box, actions)
    # What is typed behind the key that ends a panel is for the box, also if it comes before the panel is taken away.
    has_panel = Condition(lambda: screen.panel is not None and not screen.panel.is_done)
    _add_panel_keys(keys, screen, has_panel)
    _add_box_keys(keys, own, ~has_panel)
    is_empty = Condition(lambda: not box.text)
    keys.add("c-d", filter=~has_panel & is_empty)(lambda _event: actions.quit())
    for name, action in (
        ("c-s", actions.steer),
        ("c-o", actions.show_last_tool),
        ("c-t", actions.toggle_thinking),
        ("c-r", actions.search_history),
        ("c-g", actions.open_editor),
        ("c-v", actions.paste_image),
        ("c-z", actions.suspend),
    ):
        keys.add(name, filter=~has_panel, eager=True)(lambda _event, action=action: action())
    return keys, own


def _add_panel_keys(keys: KeyBindings, screen: MainScreen, has_panel: Condition) -> None:
    @keys.add(Keys.Any, filter=has_panel, eager=True)
    @keys.add("escape", filter=has_panel, eager=True)
    @keys.add(Keys.BracketedPaste, filter=has_panel, eager=True)
    def _panel_key(event: KeyPressEvent) -> None:
        press = event.key_sequence[-1]
        named = press.key.value if isinstance(press.key, Keys) else ""
        screen.key(_NAMES.get(named, named), event.data if not named or press.key == Keys.BracketedPaste else "")


def _add_box_keys(keys: KeyBindings, own: BoxKeys, no_panel: Filter) -> None:
    for names, action in (
        ((Keys.BracketedPaste,), own.paste),
        (("enter",), own.enter),
        (("escape", "enter"), own.newline),
        (("c-j",), own.newline),
        (("backspace",), own.backspace),
        (("up",), own.up),
        (("escape",), own.escape),
        (("escape", "p"), own.unfold),
        (("<sigint>",), own.stop),
    ):
        keys.add(*names, filter=no_panel)(action)
    keys.add("c-c", filter=no_panel, eager=True)(own.stop)


_NAMES = {"c-m": "enter", "c-i": "tab", "c-h": "backspace", "<bracketed-paste>": ""}
