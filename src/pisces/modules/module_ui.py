"""The screen as a module sees it: while the user thinks, the module's time stands still."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Sequence
from typing import Any

from pisces.events.time_limit import not_counted
from pisces.modules.actions import Ui, UiComponent


class ModuleUi:
    """Passes everything on to the real screen."""

    __slots__ = ("_ui",)

    def __init__(self, ui: Ui) -> None:
        self._ui = ui

    def confirm(self, title: str, message: str = "", timeout: float | None = None) -> Coroutine[Any, Any, bool]:
        return Question(self._ui.confirm, title, message, timeout)

    def select(
        self, title: str, options: Sequence[str], timeout: float | None = None
    ) -> Coroutine[Any, Any, str | None]:
        return Question(self._ui.select, title, options, timeout)

    def input(self, title: str, placeholder: str = "", timeout: float | None = None) -> Coroutine[Any, Any, str | None]:
        return Question(self._ui.input, title, placeholder, timeout)

    def editor(self, title: str, text: str = "") -> Coroutine[Any, Any, str | None]:
        return Question(self._ui.editor, title, text)

    def custom(self, component: UiComponent) -> Coroutine[Any, Any, Any]:
        return Question(self._ui.custom, component)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ui, name)


class Question(Coroutine):  # type: ignore[type-arg]  # answers with anything
    """Awaited, it is the answer. Before that it is neither yes nor no: a guard that forgets to wait must not pass."""

    __slots__ = ("_answer", "_name")

    def __init__(self, ask: Callable[..., Any], *given: Any) -> None:
        self._answer = _uncounted(ask, given)
        self._name = getattr(ask, "__name__", "confirm")
        self._answer.__name__ = f"pisces.ui.{self._name}"  # type: ignore[attr-defined]  # what a guard is told that never awaits it

    def __await__(self) -> Generator[Any, Any, Any]:
        return self._answer.__await__()

    def send(self, value: Any) -> Any:
        return self._answer.send(value)

    def throw(self, *error: Any) -> Any:
        return self._answer.throw(*error)

    def close(self) -> None:
        self._answer.close()

    def __bool__(self) -> bool:
        self.close()
        raise TypeError(f"nobody was asked: write `await pisces.ui.{self._name}(...)`")


async def _uncounted(ask: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    with not_counted():
        return await ask(*given)
