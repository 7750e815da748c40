"""A loaded module: what it registered, under its path and the generation of the load that it belongs to."""

from __future__ import annotations

from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from pisces.shapes.event import Event


class Listener(Value):
    """`call` takes the event and gives back a changed copy, or None, or a coroutine of either."""

    event: type[Event]
    call: Callable[[Any], Any]
    extension: str
    priority: int = 0


class ToolFailed(Exception):
    """A tool says that it could not do what was asked: an answer for the model, and nobody's bug."""


class Tool(Value):
    """`parameters` is a JSON Schema. `run` takes the arguments by name, and a `ToolContext` as `ctx` if it asks."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    run: Callable[..., Any]
    extension: str = ""
    label: str = ""
    hints: Mapping[str, Any] = EMPTY


class SlashCommand(Value):
    """`run` takes the text behind the name. `completions` takes what is typed so far and lists what may follow."""

    name: str
    description: str
    run: Callable[..., Any]
    extension: str = ""
    completions: Callable[[str], Any] | None = None


class Flag(Value):
    """An option of the command line: `type` is `boolean` or `string`."""

    name: str
    description: str
    type: str = "boolean"
    default: bool | str | None = None
    extension: str = ""


class Shortcut(Value):
    """`run` takes nothing. `key` is in small letters: `ctrl+shift+k`."""

    key: str
    description: str
    run: Callable[..., Any]
    extension: str = ""


class Renderer(Value):
    """Draws a custom message or a tool's call or result as lines of text. `kind` is message, entry, call or result."""

    kind: str
    name: str
    draw: Callable[..., Any]
    extension: str = ""


class Provider(Value):
    """A source of models; `config` is as pi describes it."""

    name: str
    config: Mapping[str, Any]
    extension: str = ""


class Extension:
    """Grows while its factory runs, and later when it registers more. `generation` tells an old load from a new one."""

    __slots__ = (
        "commands",
        "flags",
        "generation",
        "handlers",
        "label",
        "name",
        "path",
        "providers",
        "renderers",
        "shortcuts",
        "tools",
    )

    def __init__(self, path: str, name: str, generation: int) -> None:
        self.path = path
        self.name = name
        self.generation = generation
        self.label = name
        self.handlers: list[Listener] = []
        self.tools: dict[str, Tool] = {}
        self.commands: dict[str, SlashCommand] = {}
        self.flags: dict[str, Flag] = {}
        self.shortcuts: dict[str, Shortcut] = {}
        self.renderers: list[Renderer] = []
        self.providers: dict[str, Provider] = {}
