"""A loaded module: what it registered, under its path and the generation of the load that it belongs to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from pisces.shapes.listener import Listener
from pisces.shapes.tool import Tool
from pisces.value import Value


class SlashCommand(Value):
    """`run` takes the text behind the name. `completions` takes what is typed so far and lists what may follow."""

    name: str
    description: str
    run: Callable[..., Any]
    module: str = ""
    completions: Callable[[str], Any] | None = None


class ModuleFlag(Value):
    """An option of the command line: `type` is `boolean` or `string`."""

    name: str
    description: str
    type: str = "boolean"
    default: bool | str | None = None
    module: str = ""


class Shortcut(Value):
    """`run` takes nothing. `key` is in small letters: `ctrl+shift+k`."""

    key: str
    description: str
    run: Callable[..., Any]
    module: str = ""


class Renderer(Value):
    """Draws a custom message or a tool's call or result as lines of text. `kind` is message, entry, call or result."""

    kind: str
    name: str
    draw: Callable[..., Any]
    module: str = ""


class Provider(Value):
    """A source of models; `config` is as pi describes it."""

    name: str
    config: Mapping[str, Any]
    module: str = ""


Thing = TypeVar("Thing", Tool, SlashCommand, ModuleFlag, Shortcut, Provider)


class LoadedModule:
    """Grows while its factory runs, and later when it registers more. `generation` is new with each load."""

    __slots__ = (
        *("generation", "label", "name", "path"),
        *("commands", "flags", "handlers", "providers", "renderers", "shortcuts", "tools"),
    )

    def __init__(self, path: str, name: str, generation: int) -> None:
        self.path = path
        self.name = name
        self.generation = generation
        self.label = name
        self.handlers: list[Listener] = []
        self.tools: dict[str, Tool] = {}
        self.commands: dict[str, SlashCommand] = {}
        self.flags: dict[str, ModuleFlag] = {}
        self.shortcuts: dict[str, Shortcut] = {}
        self.renderers: list[Renderer] = []
        self.providers: dict[str, Provider] = {}

    def add(self, where: str, thing: Thing) -> Thing:
        """Registers a tool, command, flag, shortcut or provider under its name or key."""
        getattr(self, where)[thing.key if isinstance(thing, Shortcut) else thing.name] = thing
        return thing
