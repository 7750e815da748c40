"""prompt_toolkit reads the keys and edits the text; the frame draws. So its renderer is one that draws our frame."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from prompt_toolkit.application import Application
from prompt_toolkit.input.defaults import create_input
from prompt_toolkit.input.typeahead import store_typeahead
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.layout.containers import Window
from prompt_toolkit.layout.controls import BufferControl
from prompt_toolkit.layout.layout import Layout
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.renderer import Renderer
from prompt_toolkit.styles import DummyStyle

from pisces.ui.terminal.keys import program_keys

if TYPE_CHECKING:
    from prompt_toolkit.input.base import Input
    from prompt_toolkit.key_binding.key_processor import KeyPress

    from pisces.ui.terminal.input_box import InputBox
    from pisces.ui.terminal.keys import KeyActions
    from pisces.ui.terminal.main_screen import MainScreen

_ESCAPE_SECONDS = 0.05  # in which the rest of an escape sequence has to come
_KEYS_SECONDS = 0.15  # in which the second key of two has to come
_SHIFT_ENTERS = ("\x1b[13;2u", "\x1b[27;2;13~")  # of terminals that tell Shift-Enter from Enter
_ALT_ENTER = "\x1b\r"


class FrameRenderer(Renderer):
    def __init__(self, screen: MainScreen, output: DummyOutput) -> None:
        self._main = screen
        super().__init__(DummyStyle(), output)

    def render(self, app: Application[Any], layout: Layout, is_done: bool = False) -> None:  # noqa: ARG002
        self._main.redraw()

    def erase(self, leave_alternate_screen: bool = True) -> None: ...
    def request_absolute_cursor_position(self) -> None: ...

    def clear(self) -> None:
        """Ctrl-L: what is on the screen moves up into the scrollback."""
        self._main.clear()

    @property
    def height_is_known(self) -> bool:
        return True


class KeyReader(Application[None]):
    """Runs until `exit`. A resize is drawn at once."""

    def __init__(self, screen: MainScreen, box: InputBox, actions: KeyActions) -> None:
        bindings, own = program_keys(screen, box, actions)
        output = DummyOutput()  # it writes nothing itself
        super().__init__(
            Layout(Window(BufferControl(box.buffer))),
            key_bindings=bindings,
            input=_with_shift_enter(create_input(sys.stdin)),
            output=output,
            style=DummyStyle(),
            include_default_pygments_style=False,
            terminal_size_polling_interval=None,
        )
        self._main = screen
        self.renderer = FrameRenderer(screen, output)
        self.ttimeoutlen, self.timeoutlen = _ESCAPE_SECONDS, _KEYS_SECONDS
        self.key_processor.after_key_press += own.pressed
        box.buffer.on_completions_changed += lambda _buffer: screen.redraw()
        box.buffer.on_text_changed += lambda _buffer: screen.redraw()

    def feed(self, typed: str) -> None:
        """Keys that were typed before anybody read them."""
        presses: list[KeyPress] = []
        parser = Vt100Parser(presses.append)
        parser.feed_and_flush(typed)
        store_typeahead(self.input, presses)

    def _on_resize(self) -> None:
        self._main.resized()


def _with_shift_enter(source: Input) -> Input:
    """prompt_toolkit takes Shift-Enter for Enter; here it is Alt-Enter, which begins a new line."""
    parser = getattr(source, "vt100_parser", None)
    if parser is not None:
        feed = parser.feed

        def spelled(data: str) -> None:
            for sequence in _SHIFT_ENTERS:
                data = data.replace(sequence, _ALT_ENTER)
            feed(data)

        parser.feed = spelled
    return source
