"""What modules in the sidecar ask of their host, each with the action that answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pisces.modules.actions import Actions
from pisces.modules.module_ui import ModuleUi

Args = Mapping[str, Any]


def _ui(actions: Actions) -> ModuleUi:
    return ModuleUi(actions.ui)


async def _compact(actions: Actions, args: Args) -> None:
    actions.compact(args.get("instructions") or "")


QUESTIONS: Mapping[str, Callable[[Actions, Args], Awaitable[Any]]] = {
    "ui.select": lambda actions, args: _ui(actions).select(args["title"], args["options"], args.get("timeout")),
    "ui.confirm": lambda actions, args: _ui(actions).confirm(
        args["title"], args.get("message") or "", args.get("timeout")
    ),
    "ui.input": lambda actions, args: _ui(actions).input(
        args["title"], args.get("placeholder") or "", args.get("timeout")
    ),
    "ui.editor": lambda actions, args: _ui(actions).editor(args["title"], args.get("text") or ""),
    "set_model": lambda actions, args: actions.set_model(args["model"]),
    "compact": _compact,
    "control": lambda actions, args: actions.control(args["action"], args["options"]),
    "model.complete": lambda actions, args: actions.complete(args["model"], args["context"], args.get("options") or {}),
}


def _send_message(actions: Actions, args: Args) -> None:
    actions.send_message(args["message"], deliver_as=args["deliver_as"], trigger_turn=args["trigger_turn"])


def _send_user_message(actions: Actions, args: Args) -> None:
    actions.send_user_message(args["content"], deliver_as=args["deliver_as"])


ORDERS: Mapping[str, Callable[[Actions, Args], None]] = {
    "ui.notify": lambda actions, args: actions.ui.notify(args["message"], args.get("level") or "info"),
    "ui.status": lambda actions, args: actions.ui.status(args["key"], args["text"]),
    "ui.title": lambda actions, args: actions.ui.title(args["title"]),
    "ui.working": lambda actions, args: actions.ui.working(args["message"]),
    "ui.widget": lambda actions, args: actions.ui.widget(args["key"], args["lines"], args["placement"]),
    "ui.set_editor_text": lambda actions, args: actions.ui.set_editor_text(args["text"]),
    "send_message": _send_message,
    "send_user_message": _send_user_message,
    "append_entry": lambda actions, args: actions.append_entry(args["kind"], args["value"]),
    "session_name": lambda actions, args: actions.session.set_name(args["name"]),
    "label": lambda actions, args: actions.session.label(args["entry"], args["label"]),
    "set_active_tools": lambda actions, args: actions.set_active_tools(args["names"]),
    "set_thinking_level": lambda actions, args: actions.set_thinking_level(args["level"]),
    "abort": lambda actions, _args: actions.abort(),
    "shutdown": lambda actions, _args: actions.shutdown(),
}

# Orders after which the sidecar's own copy may be wrong, and which part of it.
TOUCHED: Mapping[str, str] = {
    "session_name": "session",
    "set_active_tools": "activeTools",
    "set_thinking_level": "thinkingLevel",
    "ui.set_editor_text": "editorText",
    "set_model": "model",
}
