"""What a model can call: a name, a description, a JSON Schema of the arguments, and the function that runs."""

from __future__ import annotations

from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


class ToolFailed(Exception):
    """A tool could not do what was asked. The text is the answer for the model; no bug is reported."""


class ToolContext(Value):
    """What a tool learns about its call, as its parameter `ctx`: `update(partial)` shows how far it has come."""

    call_id: str
    update: Callable[[Any], None]


class Tool(Value):
    """`parameters` is a JSON Schema. `run` takes the arguments as a mapping, and a `ToolContext`.

    `module` is the path of the module that registered it; empty for a tool of the program itself. `prepare` takes the
    arguments as the model sent them and returns those that are checked, judged and run. `takes` has the names that
    the function takes; None if it takes any.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    run: Callable[..., Any]
    module: str = ""
    label: str = ""
    hints: Mapping[str, Any] = EMPTY
    prepare: Callable[[Any], Any] | None = None
    takes: tuple[str, ...] | None = None


def arguments_of(given: Any) -> Any:
    """A copy of frozen arguments that the tool may change: plain dicts and lists, as JSON has them."""
    if isinstance(given, dict):
        return {name: arguments_of(value) for name, value in given.items()}
    return [arguments_of(each) for each in given] if isinstance(given, list | tuple) else given
