"""What happens around the agent: the user's own shell, resources, trust, servers, and handlers that failed."""

from __future__ import annotations

from pisces.shapes.event import Event
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Self


class UserShell(Event):
    """The user runs a command of their own (`!ls`). The first result that a handler brings counts."""

    NAME = "user_bash"

    command: str
    cwd: str = ""
    exclude_from_context: bool = False
    result: Any = None

    @property
    def is_settled(self) -> bool:
        return self.result is not None


class UserPython(Event):
    NAME = "user_python"

    code: str
    cwd: str = ""
    exclude_from_context: bool = False
    result: Any = None

    @property
    def is_settled(self) -> bool:
        return self.result is not None


class ResourcesDiscover(Event):
    """Handlers add folders to look in; all of them count."""

    NAME = "resources_discover"

    cwd: str = ""
    cause: str = "startup"
    skill_paths: Sequence[str] = ()
    prompt_paths: Sequence[str] = ()
    theme_paths: Sequence[str] = ()

    def adding(self, *, skills: Sequence[str] = (), prompts: Sequence[str] = (), themes: Sequence[str] = ()) -> Self:
        return self.replace(
            skill_paths=(*self.skill_paths, *skills),
            prompt_paths=(*self.prompt_paths, *prompts),
            theme_paths=(*self.theme_paths, *themes),
        )


class McpNotification(Event):
    NAME = "mcp_notification"

    server: str
    method: str
    params: Mapping[str, Any] = EMPTY


class TodoReminder(Event):
    NAME = "todo_reminder"

    todos: Sequence[Any] = ()


class GoalUpdated(Event):
    NAME = "goal_updated"

    goal: Any = None


class ModuleFailed(Event):
    """Somebody's handler broke. Its `event` went on, or was blocked if it was a guard's."""

    NAME = "extension_error"

    module: str
    event: str
    message: str
    trace: str = ""
