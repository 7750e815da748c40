"""What modules may ask of whoever runs them: one small protocol that a session, a host or a test implements.

Everything that needs a model or a screen goes through here. Until a runner is bound to such a host, every action raises
`NotInitialised`: a factory registers, it does not act.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    from pisces.shapes.tool import Tool
else:
    Protocol = object

INFO = "info"
WARNING = "warning"
ERROR = "error"

STEER = "steer"  # at once, into the running turn
FOLLOW_UP = "followUp"  # when the running turn has ended
NEXT_TURN = "nextTurn"  # with the user's next message


class NotInitialised(RuntimeError):
    """An action was called while a module was being loaded."""

    def __init__(self, action: str) -> None:
        super().__init__(f"`{action}` cannot be called while the extension loads: do it in a handler of SessionStart")


class Stale(RuntimeError):
    """An action was called by a module that has been reloaded or unloaded since."""

    def __init__(self, action: str, name: str) -> None:
        super().__init__(f"`{action}` was called by an unloaded generation of `{name}`")


class Ui(Protocol):
    """The screen. Without one, questions answer None or False at once, and the rest does nothing."""

    @property
    def is_available(self) -> bool: ...

    def notify(self, message: str, level: str = INFO) -> None: ...

    async def confirm(self, title: str, message: str, timeout: float | None = None) -> bool: ...

    async def select(self, title: str, options: Sequence[str], timeout: float | None = None) -> str | None: ...

    async def input(self, title: str, placeholder: str = "", timeout: float | None = None) -> str | None: ...

    async def editor(self, title: str, text: str = "") -> str | None: ...

    def status(self, key: str, text: str | None) -> None: ...

    def widget(self, key: str, lines: Sequence[str] | None, placement: str = "aboveEditor") -> None: ...

    def title(self, text: str) -> None: ...

    def working(self, message: str | None) -> None: ...

    def editor_text(self) -> str: ...

    def set_editor_text(self, text: str) -> None: ...

    async def custom(self, component: UiComponent) -> Any: ...


class UiComponent(Protocol):
    """Something drawn as lines that takes keys, until it is done. Its result is what `custom` returns."""

    @property
    def result(self) -> Any: ...

    @property
    def is_done(self) -> bool: ...

    async def render(self, width: int) -> Sequence[str]: ...

    async def key(self, data: str) -> None: ...


class SessionView(Protocol):
    """The session as modules see it: entries are plain mappings as they stand in the transcript."""

    def entries(self) -> Sequence[Mapping[str, Any]]: ...

    def branch(self) -> Sequence[Mapping[str, Any]]: ...

    @property
    def id(self) -> str: ...

    @property
    def file(self) -> str: ...

    @property
    def name(self) -> str: ...

    def set_name(self, name: str) -> None: ...

    def label(self, entry_id: str, label: str | None) -> None: ...


class Actions(Protocol):
    """Whoever runs modules."""

    @property
    def ui(self) -> Ui: ...

    @property
    def session(self) -> SessionView: ...

    @property
    def cwd(self) -> str: ...

    @property
    def is_idle(self) -> bool: ...

    @property
    def model(self) -> Mapping[str, Any] | None: ...

    @property
    def system_prompt(self) -> str: ...

    def send_message(self, message: Mapping[str, Any], *, deliver_as: str = "", trigger_turn: bool = False) -> None: ...

    def send_user_message(self, content: Any, *, deliver_as: str = "") -> None: ...

    def append_entry(self, kind: str, value: Any) -> None: ...

    async def set_model(self, model: Any) -> bool: ...

    def active_tools(self) -> Sequence[str]: ...

    def set_active_tools(self, names: Sequence[str]) -> None: ...

    def all_tools(self) -> Sequence[Tool]: ...

    def thinking_level(self) -> str: ...

    def set_thinking_level(self, level: str) -> None: ...

    def context_usage(self) -> Mapping[str, Any] | None: ...

    def abort(self) -> None: ...

    def shutdown(self) -> None: ...

    def compact(self, instructions: str = "") -> None: ...

    async def complete(
        self, model: Any, context: Mapping[str, Any], options: Mapping[str, Any]
    ) -> Mapping[str, Any] | None:
        """One answer of a model to `{"systemPrompt": ..., "messages": [...]}`; None where no model is at hand."""

    async def control(self, action: str, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """What only commands may do: wait_for_idle, new_session, fork, navigate_tree, switch_session, reload."""
