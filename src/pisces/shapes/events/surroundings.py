"""What happens beside the agent: the user's own shell, resources, files and folders, and modules that failed."""

from __future__ import annotations

from pisces.shapes.event import Cancellable, Event

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
    code: str
    cwd: str = ""
    exclude_from_context: bool = False
    result: Any = None

    @property
    def is_settled(self) -> bool:
        return self.result is not None


class CommandUpdate(Event):
    """What the program of a slash command has written since the last time, without escape codes."""

    command: str
    text: str
    stream: str = "out"


class ProjectTrust(Event):
    """The user's modules are asked before those that the project brings are loaded. `trusted` is yes, no or undecided.

    One `no` keeps them out, and so does a handler that fails. A `yes` allows nothing: only the user gives trust.
    """

    cwd: str = ""
    trusted: str = "undecided"
    remember: bool = False

    @property
    def is_settled(self) -> bool:
        return self.trusted not in ("yes", "undecided")

    def after_failure(self, reason: str) -> Self:  # noqa: ARG002  # the failure itself is reported
        return self.replace(trusted="no")


class ResourcesDiscover(Event):
    """Handlers add folders to look in; all of them count."""

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
        ).noted("adding")


class TodoReminder(Event):
    todos: Sequence[Any] = ()


class GoalUpdated(Event):
    goal: Any = None


class Notification(Event):
    """The user gets a message that may need attention. `kind` is, for example, permission_prompt or idle_prompt."""

    message: str
    title: str = ""
    kind: str = ""


class IdeContextChanged(Event):
    """`context` is what the editor sent: the params of `ide/contextUpdate`."""

    context: Mapping[str, Any]


class ConfigChange(Cancellable):
    """A settings file changed during the session. `source` is its scope. Cancelled: the old settings stay in force."""

    path: str
    source: str = ""
    cancelled: bool = False
    reason: str = ""


class InstructionsLoaded(Event):
    """A context file was read. `kind` is whose it is (user, project, local), `cause` why it was read."""

    path: str
    kind: str = ""
    cause: str = "session_start"


class CwdChanged(Event):
    old_cwd: str
    new_cwd: str


class DirectoryAdded(Event):
    path: str


class FileChanged(Event):
    """`change` is created, changed or deleted."""

    path: str
    change: str = "changed"


class WorktreeCreate(Event):
    """A working copy is needed. The first handler that names its `path` has made it."""

    name: str
    path: str = ""

    @property
    def is_settled(self) -> bool:
        return bool(self.path)


class WorktreeRemove(Event):
    path: str


class ModuleFailed(Event):
    """A handler, tool, command or task of a module failed. `event` names which; a guarded event was blocked."""

    NAME = "extension_error"

    module: str
    event: str
    message: str
    trace: str = ""
