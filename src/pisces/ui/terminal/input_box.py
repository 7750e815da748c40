"""The input box: prompt_toolkit's buffer, with history, completion and folded pastes. It is drawn by the frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import DummyCompleter, DynamicCompleter
from prompt_toolkit.document import Document

from pisces.formats.visible import visible
from pisces.ui.terminal.history import WorkspaceHistory
from pisces.ui.terminal.pastes import Pastes
from pisces.ui.width import width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prompt_toolkit.completion import Completer

    from pisces.places import Places
    from pisces.ui.terminal.pastes import SentLine
    from pisces.ui.terminal.themes import Palette

_WIDEST_NAME = 24  # that meanings are set apart for


class InputBox:
    """`completer` may be set at any time."""

    def __init__(self, places: Places) -> None:
        self.pastes = Pastes(places)
        self.history = WorkspaceHistory(places)
        self.completer: Completer = DummyCompleter()
        self.buffer = Buffer(
            completer=DynamicCompleter(lambda: self.completer),
            complete_while_typing=True,
            history=self.history,
            multiline=True,
            enable_history_search=False,
        )

    @property
    def text(self) -> str:
        return self.buffer.text

    @property
    def cursor(self) -> int:
        return self.buffer.cursor_position

    def set_text(self, text: str) -> None:
        self.buffer.set_document(Document(text, len(text)), bypass_readonly=True)

    def insert(self, text: str) -> None:
        self.buffer.insert_text(text)

    def paste(self, text: str) -> None:
        self.buffer.insert_text(self.pastes.taken(text))

    def unfold(self) -> None:
        self.set_text(self.pastes.unfolded(self.text))

    def delete_mark(self) -> bool:
        """Deletes the mark of a paste before the caret as one character; whether there was one."""
        length = self.pastes.mark_before(self.buffer.document.text_before_cursor)
        if length:
            self.buffer.delete_before_cursor(length)
        return bool(length)

    def sent(self) -> SentLine:
        """Takes what is in the box, and remembers it."""
        line = self.pastes.sent(self.text)
        if line.text.strip():
            self.history.append_string(line.shown)
        self.buffer.reset()
        return line

    def completes_command(self) -> bool:
        """Whether `/na` became the first command of the list: no command itself is called so."""
        state, text = self.buffer.complete_state, self.text
        if state is None or not state.completions or state.complete_index is not None:
            return False
        is_beginning = text.startswith("/") and text not in {f"/{each.text.strip()}" for each in state.completions}
        if is_beginning and " " not in text:
            self.buffer.apply_completion(state.completions[0])
            return True
        return False

    def choices(self, palette: Palette, most: int) -> Sequence[str]:
        """The completions about the one that is chosen, as lines."""
        state = self.buffer.complete_state
        if state is None or not state.completions:
            return ()
        index = state.complete_index
        first = min(max(0, (index or 0) - most + 1), max(0, len(state.completions) - most))
        shown = state.completions[first : first + most]
        column = min(max(width_of(visible(each.display_text)) for each in shown), _WIDEST_NAME)
        made = []
        for at, each in enumerate(shown, first):
            meaning, name = visible(each.display_meta_text), visible(each.display_text)
            gap = " " * (column - width_of(name) + 2)
            name = f"{'>' if at == index else ' '} {name}"
            name = palette.paint(name, "accent") if at == index else name
            made.append(f"{name}{gap}{palette.paint(meaning, 'dim')}" if meaning else name)
        if len(state.completions) > most:
            made[-1] += palette.paint(f"  ({(index or 0) + 1}/{len(state.completions)})", "dim")
        return made
