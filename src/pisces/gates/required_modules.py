"""No tool is called while a module that settings require does not run: a missing guard must not be overlooked."""

from __future__ import annotations

from pisces.gates.judge import Gate
from pisces.modules.required import unmet
from pisces.shapes.request import Request, ToolRequest
from pisces.shapes.verdict import DENY, Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.modules.entry import ModuleEntry
    from pisces.modules.module_set import ModuleSet
    from pisces.modules.required import RequiredModule

WHO = "required modules"


def requires_modules(loaded: ModuleSet, entries: Sequence[ModuleEntry], required: Sequence[RequiredModule]) -> Gate:
    """Asked at each call, because a module may be loaded again. The settings are those of the start."""

    def why_not(entry: ModuleEntry) -> str:
        if any(module.path == entry.path for module in loaded.runner.modules):
            return ""
        error = next((each for each in loaded.errors if entry.path in (each.about, each.path)), None)
        return f"it did not load: {error.message}" if error else "it was not loaded"

    def judged(request: Request) -> Verdict | None:
        if not isinstance(request, ToolRequest):
            return None
        problem = next(unmet(required, entries, why_not), None)
        return None if problem is None else Verdict(DENY, WHO, f"{problem.message} ({problem.path})", problem.hint)

    return Gate(WHO, judged, None)
