"""The whole surface that a module sees. A factory gets one of these and registers; handlers act through it later.

def extension(pisces):
    @pisces.on(ToolCall)
    def guard(event):
        if event.tool == "bash" and "rm -rf" in event.input["command"]:
            return event.block("not on my watch")
"""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, overload

from pisces.by_name import export_of
from pisces.modules.actions import Actions, NotInitialised, SessionView, Stale
from pisces.modules.bus import Bus, BusOf
from pisces.modules.loaded_module import LoadedModule, ModuleFlag, Provider, Renderer, Shortcut, SlashCommand
from pisces.modules.module_ui import ModuleUi
from pisces.modules.schema import called, signature_of
from pisces.shapes.event import Event
from pisces.shapes.events import event_like
from pisces.shapes.listener import Listener
from pisces.shapes.tool import Tool

if TYPE_CHECKING:
    from pisces.modules.exec import Executed

Function = TypeVar("Function", bound=Callable[..., Any])
E = TypeVar("E", bound=Event)


class Registering(Protocol[E]):
    """A decorator for handlers of one event: what they take is that event, and what they return a copy of it."""

    @overload
    def __call__(self, handler: Callable[[E], E | None], /) -> Callable[[E], E | None]: ...
    @overload
    def __call__(self, handler: Callable[[E], Awaitable[E | None]], /) -> Callable[[E], Awaitable[E | None]]: ...


class Api:
    """`bus` connects modules with each other; `flags` has the values of this module's own flags."""

    def __init__(self, module: LoadedModule, wiring: Wiring) -> None:
        self._module = module
        self._wiring = wiring

    # Registering: in the factory, or later.

    def on(self, event: type[E], *, priority: int = 0, seconds: float = 0) -> Registering[E]:
        """`handler(event)` returns a changed copy, or None, or a coroutine of either. Higher priorities come first.

        `seconds` is its time limit; 0 means that of the event.
        """
        if not isinstance(event, type) or not issubclass(event, Event):
            name = event_like(event).__name__ if isinstance(event, str) else "ToolCall"
            raise TypeError(f"`on` takes the class of an event, as in `@pisces.on({name})`, not {event!r}")

        def register(handler: Any) -> Any:
            self._add_handler(Listener(event, handler, self._module.path, priority, seconds))
            return handler

        return register

    def tool(
        self, name: str = "", description: str = "", parameters: Mapping[str, Any] | None = None
    ) -> Callable[[Function], Function]:
        """The function's own name, docstring and annotations stand for what is not given."""
        _demand_text("tool()", name)

        def register(run: Function) -> Function:
            own, what = name or run.__name__, description or (run.__doc__ or "").strip()
            signature = signature_of(run, sys._getframe(1).f_locals)  # a class may be local to the factory
            schema = signature.schema if parameters is None else parameters
            function = called(run, own, signature)
            self._add("tools", Tool(own, what, schema, function, self._module.path, takes=signature.takes))
            return run

        return register

    def command(
        self, name: str, description: str = "", completions: Callable[[str], Any] | None = None
    ) -> Callable[[Function], Function]:
        """`run(args)` gets the text that was typed behind `/name`."""
        _demand_text('command("name")', name)

        def register(run: Function) -> Function:
            what = description or (run.__doc__ or "").strip()
            self._add("commands", SlashCommand(name.removeprefix("/"), what, run, self._module.path, completions))
            return run

        return register

    def flag(self, name: str, description: str = "", *, default: bool | str = False) -> None:
        """An option of the command line, `--name`; its value is `pisces.flags[name]` once the session runs."""
        kind = "boolean" if isinstance(default, bool) else "string"
        self._add("flags", ModuleFlag(name, description, kind, default, self._module.path))

    def shortcut(self, key: str, description: str = "") -> Callable[[Function], Function]:
        _demand_text('shortcut("ctrl+k")', key)

        def register(run: Function) -> Function:
            self._add("shortcuts", Shortcut(key.lower(), description, run, self._module.path))
            return run

        return register

    def renderer(self, name: str, kind: str = "message") -> Callable[[Function], Function]:
        """Draws custom messages of a type, or a tool's call or result, as lines of text."""
        _demand_text('renderer("name")', name)

        def register(draw: Function) -> Function:
            self._check("renderer")
            self._module.renderers.append(Renderer(kind, name, draw, self._module.path))
            return draw

        return register

    def provider(self, name: str, config: Mapping[str, Any]) -> None:
        self._add("providers", Provider(name, config, self._module.path))

    # Acting: from handlers, tools and commands.

    @property
    def flags(self) -> Mapping[str, bool | str | None]:
        values = self._wiring.flag_values
        return {name: values.get(name, flag.default) for name, flag in self._module.flags.items()}

    @property
    def bus(self) -> BusOf:
        """`on(topic, listener)` gives back the function that ends it; `emit(topic, value)` calls every listener."""
        self._check("bus")
        return self._wiring.bus.of(self._module)

    @property
    def ui(self) -> ModuleUi:
        """notify, confirm, select, input, editor, status, widget, title: see `Ui`."""
        return ModuleUi(self._host("ui").ui)

    @property
    def session(self) -> SessionView:
        return self._host("session").session

    @property
    def host(self) -> Actions:
        """Everything else that can be asked of whoever runs this: model, thinking level, usage, compaction."""
        return self._host("host")

    @property
    def cwd(self) -> str:
        return self._host("cwd").cwd

    def send_message(self, message: Mapping[str, Any], *, deliver_as: str = "", trigger_turn: bool = False) -> None:
        """A custom message, `{"customType": ..., "content": ..., "display": True}`, which the model reads too."""
        self._host("send_message").send_message(message, deliver_as=deliver_as, trigger_turn=trigger_turn)

    def send_user_message(self, content: Any, *, deliver_as: str = "") -> None:
        """As if the user had typed it; starts a turn where none runs."""
        self._host("send_user_message").send_user_message(content, deliver_as=deliver_as)

    def append_entry(self, kind: str, value: Any) -> None:
        """Kept in the transcript, never sent to the model."""
        self._host("append_entry").append_entry(kind, value)

    async def exec(
        self, *argv: str, cwd: str = "", timeout: float = 0, env: Mapping[str, str] | None = None
    ) -> Executed:
        """Runs a program without a shell and waits for it. `env` is added to the little that every program gets."""
        self._check("exec")
        execute = export_of("pisces.modules", "exec", "execute")  # few modules start programs
        ended: Executed = await execute(argv, cwd or self._wiring.cwd, timeout, env)
        return ended

    async def set_model(self, model: Any) -> bool:
        return await self._host("set_model").set_model(model)

    @property
    def active_tools(self) -> Sequence[str]:
        return self._host("active_tools").active_tools()

    @active_tools.setter
    def active_tools(self, names: Sequence[str]) -> None:
        self._host("active_tools").set_active_tools(names)

    def _add(self, where: str, thing: Any) -> None:
        self._check(where)
        self._module.add(where, thing)
        self._wiring.changed(self._module, thing)

    def _add_handler(self, handler: Listener) -> None:
        self._check("on")
        others = [each for each in self._module.handlers if (each.event, each.call) != (handler.event, handler.call)]
        self._module.handlers[:] = [*others, handler]  # a function that is registered again is asked once
        self._wiring.changed(self._module, handler)

    def _host(self, action: str) -> Actions:
        self._check(action)
        if self._wiring.actions is None:
            raise NotInitialised(action)
        return self._wiring.actions

    def _check(self, action: str) -> None:
        if self._module.generation != self._wiring.generations.get(self._module.path):
            raise Stale(action, self._module.name)


class Wiring:
    """What the modules of one runner share. `generations` has the living generation of each path.

    `is_embedded`: another program's process, whose stdout, signal handlers and event loop are left alone. `pins` has
    the files that somebody agreed to, by the path of the module.
    """

    __slots__ = ("actions", "bus", "changed", "cwd", "flag_values", "generations", "is_embedded", "pins")

    def __init__(self, cwd: str, bus: Bus) -> None:
        self.cwd = cwd
        self.bus = bus
        self.is_embedded = False
        self.actions: Actions | None = None
        self.flag_values: dict[str, bool | str] = {}
        self.generations: dict[str, int] = {}
        self.pins: dict[str, Mapping[str, str]] = {}
        self.changed: Callable[[LoadedModule, Any], None] = _nobody_listens


def _demand_text(usage: str, name: Any) -> None:
    """A decorator that was not called would take the function for its first argument, and lose it."""
    if not isinstance(name, str):
        raise TypeError(f"write `@pisces.{usage}`: the first argument is a text, not {name!r}")


def _nobody_listens(_module: LoadedModule, _thing: Any) -> None:
    """Before a runner listens, registering only adds to the module."""
