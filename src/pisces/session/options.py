"""What a session is opened with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.agent.loop import LoopLimits
from pisces.by_name import export_of
from pisces.places import Places, places_here
from pisces.shapes.session_facts import MODE_ASK
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias, TypedDict

    from pisces.agent.transcript import Transcript
    from pisces.diagnostics import Diagnostic
    from pisces.gates.rulebook import Rulebook
    from pisces.host.options import Approve
    from pisces.models.model import Model
    from pisces.modules.actions import Ui
    from pisces.shapes.event import Event
    from pisces.shapes.mcp_server import McpServer
    from pisces.tools.workbench import AskUser

    Reader: TypeAlias = Callable[[Event], None]

    class OpenSession(TypedDict, total=False):
        """The keyword arguments of `Session.open`; `SessionOptions` says what they mean."""

        model: Model | str | None
        ask: AskUser
        ui: Ui
        readers: Sequence[Reader]
        transcript: Transcript | None
        limits: LoopLimits
        thinking: str
        mode: str
        packages: Sequence[str]
        modules: Sequence[str]
        hooks: Sequence[str]
        rules: Sequence[Rulebook]
        discover: bool
        trust_workspace: bool
        is_interactive: bool
        uses_editor: bool


class SessionOptions(Value):
    """`approve` is asked last about what nobody decided, `ask` puts a question of the model to the user. `ui` is the
    screen of modules. `readers` hear every event after all handlers: the screen, the output for programs. They must
    not raise.

    Without a `model` commands, skills, hooks and tools work all the same, and `no_model` says why there is none, where
    somebody wanted one. `transcript` is one to go on with.
    `uses_editor` tells the model what is open and selected in the editor that this terminal belongs to.
    `packages`, `servers`, `modules`, `hooks`, `rules`, `discover` and `trust_workspace` are those of a host.
    """

    approve: Approve
    ask: AskUser
    ui: Ui
    model: Model | None = None
    readers: Sequence[Reader] = ()
    transcript: Transcript | None = None
    limits: LoopLimits = LoopLimits()
    thinking: str = ""
    mode: str = MODE_ASK
    packages: Sequence[str] = ()
    servers: Sequence[McpServer] = ()
    modules: Sequence[str] = ()
    hooks: Sequence[str] = ()
    rules: Sequence[Rulebook] = ()
    discover: bool = True
    trust_workspace: bool = False
    is_interactive: bool = True
    uses_editor: bool = True
    no_model: Diagnostic | None = None


def options_for(where: str | Places, approve: Approve, given: OpenSession) -> tuple[Places, SessionOptions]:
    """Raises `PiscesError` for a model that nobody knows. Without a screen, questions answer nothing at once."""
    places = where if isinstance(where, Places) else places_here(where)
    wanted: Any = {"ask": _nobody, "is_interactive": False, "model": "", **given}
    if "ui" not in wanted:
        wanted["ui"] = export_of("pisces.modules", "headless", "HeadlessUi")(())
        wanted["ui"].is_available = False
    if isinstance(wanted["model"], str):
        trusts = bool(wanted.get("trust_workspace"))
        model_here = export_of("pisces.session", "model_here", "model_here")
        wanted["model"] = model_here(wanted["model"], places, trust_workspace=trusts)
    return places, SessionOptions(approve, **wanted)


async def _nobody(_question: str, _answers: object) -> None:
    return None
