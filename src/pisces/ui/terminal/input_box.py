"""The input box: prompt_toolkit's buffer, with history, completion and folded pastes. It is drawn by the frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.buffer import Buffer
from prompt_toolkit.completion import DummyCompleter, DynamicCompleter
from prompt_toolkit.document import Document

from pisces.formats.visible import visible
from pisces.ui.terminal.history import WorkspaceHistory
from pisces.ui.terminal.pastes import Pastes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from prompt_toolkit.completion import Completer

    from pisces.places import Places
    from pisces.ui.terminal.pastes import SentLine
    from pisces.ui.terminal.themes import Palette


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

    def choices(self, palette: Palette, most: int) -> Sequence[str]:
        """The completions about the one that is chosen, as lines."""
        state = self.buffer.complete_state
        if state is None or not state.completions:
            return ()
        index = state.complete_index
        first = min(max(0, (index or 0) - most + 1), max(0, len(state.completions) - most))
        made = []
        for at, each in enumerate(state.completions[first : first + most], first):
            meaning = visible(each.display_meta_text)
            name = f"{'>' if at == index else ' '} {visible(each.display_text)}"
            name = palette.paint(name, "accent") if at == index else name
            made.append(f"{name}  {palette.paint(meaning, 'dim')}" if meaning else name)
        if len(state.completions) > most:
            made[-1] += palette.paint(f"  ({(index or 0) + 1}/{len(state.completions)})", "dim")
        return made
