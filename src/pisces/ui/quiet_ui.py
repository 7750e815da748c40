"""The screen of modules where there is none: questions answer at once with nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.modules.actions import INFO

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.modules.actions import UiComponent


class QuietUi:
    """`note` gets what modules want the user to read."""

    is_available = False

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note

    def notify(self, message: str, level: str = INFO) -> None:  # noqa: ARG002
        self._note(message)

    async def confirm(self, title: str, message: str, timeout: float | None = None) -> bool:  # noqa: ARG002
        return False

    async def select(self, title: str, options: Sequence[str], timeout: float | None = None) -> str | None:  # noqa: ARG002
        return None

    async def input(self, title: str, placeholder: str = "", timeout: float | None = None) -> str | None:  # noqa: ARG002
        return None

    async def editor(self, title: str, text: str = "") -> str | None:  # noqa: ARG002
        return None

    async def custom(self, component: UiComponent) -> Any:  # noqa: ARG002
        return None

    def status(self, key: str, text: str | None) -> None: ...
    def widget(self, key: str, lines: Sequence[str] | None, placement: str = "aboveEditor") -> None: ...
    def title(self, text: str) -> None: ...
    def working(self, message: str | None) -> None: ...

    def editor_text(self) -> str:
        return ""

    def set_editor_text(self, text: str) -> None: ...
