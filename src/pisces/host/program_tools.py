"""The tools of the program that opened a host, as those of a module without a file."""

from __future__ import annotations

from pisces.modules.loaded_module import LoadedModule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.modules.runner import Runner
    from pisces.shapes.listener import Listener
    from pisces.shapes.tool import Tool

_PROGRAM = "program"  # the module under whose name they are


def add_program_tools(runner: Runner, tools: Sequence[Tool], listeners: Sequence[Listener] = ()) -> None:
    """A runner has one such module, and it is the first: no other takes a name from it."""
    own = next((each for each in runner.modules if not each.path), LoadedModule("", _PROGRAM, 0))
    own.handlers.extend(listeners)
    for tool in tools:
        own.tools.setdefault(tool.name, tool)
    runner.add([own])
    runner.arrange([own.path, *(each.path for each in runner.modules if each is not own)])
