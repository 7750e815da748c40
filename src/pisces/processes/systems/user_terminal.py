"""The user's own terminal while a program has it: raw, so that every key reaches the program, and always given back."""

from __future__ import annotations

from pisces.processes.launch import Terminal
from pisces.processes.systems.terminals import make_raw, modes_of, set_modes, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self


class UserTerminal:
    """`keyboard` and `screen` are descriptors. A keyboard that is no terminal is left alone.

    Whoever takes signals gives it back before SIGSTOP and takes it again after SIGCONT.
    """

    def __init__(self, keyboard: int = 0, screen: int = 1) -> None:
        self.keyboard = keyboard
        self.screen = screen
        self._modes = modes_of(keyboard)

    def __enter__(self) -> Self:
        self.take()
        return self

    def __exit__(self, *_error: object) -> None:
        self.give_back()

    @property
    def has_person(self) -> bool:
        return self._modes is not None

    @property
    def size(self) -> tuple[int, int] | None:
        return size_of(self.screen) or size_of(self.keyboard)

    @property
    def likeness(self) -> Terminal:
        """A terminal like this one: its size, and what its keys mean."""
        rows, columns = self.size or (24, 80)
        return Terminal(rows, columns, self._modes)

    def take(self) -> None:
        if self._modes is not None:
            make_raw(self.keyboard)

    def give_back(self) -> None:
        if self._modes is not None:
            set_modes(self.keyboard, self._modes)
