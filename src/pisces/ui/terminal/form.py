"""A form for the data that a server asks for: one field after the other, each as its JSON Schema says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.formats.json_copy import json_copy
from pisces.formats.json_schema import Checker
from pisces.formats.visible import visible
from pisces.ui.terminal.choices import ChoicePanel, Option, TextPanel, asked
from pisces.ui.terminal.listing import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pisces.shapes.server_requests import ElicitationRequest
    from pisces.ui.terminal.panel import TerminalScreen

MOST_FIELDS = 50
_LEFT_OUT = object()


async def answered_form(
    request: ElicitationRequest, screen: TerminalScreen, clock: Callable[[], float]
) -> Mapping[str, Any] | None:
    """The data as the user gave them, None for a no. Nothing is handed over before the user has seen all of it."""
    properties = request.schema.get("properties")
    fields = list(properties.items()) if isinstance(properties, dict) else []
    required = request.schema.get("required")
    needed = {each for each in required if isinstance(each, str)} if isinstance(required, list) else set()
    if len(fields) > MOST_FIELDS:
        say(
            screen,
            f"the MCP server `{request.name}` asks for {len(fields)} values: declined",
            "warn",
        )
        return None
    head = f"The MCP server `{visible(request.name)}` asks you:\n{request.exact}"
    given: dict[str, Any] = {}
    for name, schema in fields:
        shape = schema if isinstance(schema, dict) else {}
        value = await _field(f"{head}\n{_label(name, shape, name in needed)}", shape, name in needed, (screen, clock))
        if value is None:
            return None
        if value is not _LEFT_OUT:
            given[name] = value
    shown = "\n".join(visible(f"{name}: {value}") for name, value in given.items()) or "nothing"
    options = [Option("send it", "", "y"), Option("send nothing", "", "n")]
    panel = ChoicePanel(f"{head}\nThis would be sent:\n{shown}", options, screen.palette, clock=clock)
    await asked(panel, screen)
    return given if panel.chosen == 0 else None


def _label(name: str, schema: Mapping[str, Any], is_needed: bool) -> str:
    title, more = schema.get("title"), schema.get("description")
    parts = [title if isinstance(title, str) else name, more if isinstance(more, str) else ""]
    return visible(": ".join(filter(None, parts))) + ("" if is_needed else " (may stay empty)")


async def _field(title: str, schema: Mapping[str, Any], is_needed: bool, where: tuple[TerminalScreen, Any]) -> Any:
    """None where the user leaves."""
    screen, clock = where
    choices = _choices(schema)
    if choices:
        more = () if is_needed else (Option("leave it out"),)
        panel = ChoicePanel(title, [*(Option(label) for _, label in choices), *more], screen.palette, clock=clock)
        await asked(panel, screen)
        if panel.chosen is None:
            return None
        return choices[panel.chosen][0] if panel.chosen < len(choices) else _LEFT_OUT
    problem, text = "", "" if schema.get("default") is None else str(schema["default"])
    while True:
        line = TextPanel(f"{title}\n{problem}".rstrip("\n"), text, screen.palette, clock=clock)
        await asked(line, screen)
        if line.answer is None:
            return None
        text = line.answer
        if not text and not is_needed:
            return _LEFT_OUT
        value = value_of(text, schema)
        misfits = Checker(json_copy(schema) or True).misfits(value)
        if not misfits:
            return value
        problem = f"that does not fit: {misfits[0]}"


def _choices(schema: Mapping[str, Any]) -> Sequence[tuple[Any, str]]:
    if schema.get("type") == "boolean":
        return ((True, "yes"), (False, "no"))
    values, names = schema.get("enum"), schema.get("enumNames")
    if isinstance(values, list):
        labels = names if isinstance(names, list) and len(names) == len(values) else values
        return tuple((value, str(label)) for value, label in zip(values, labels, strict=True))
    several = schema.get("oneOf")
    if isinstance(several, list):
        return tuple((each["const"], str(each.get("title", each["const"]))) for each in several if _is_constant(each))
    return ()


def _is_constant(each: Any) -> bool:
    return isinstance(each, dict) and "const" in each


def value_of(text: str, schema: Mapping[str, Any]) -> Any:
    """What was typed as the type that the schema wants; the text itself where it is none of that."""
    kind = schema.get("type")
    try:
        if kind == "integer":
            return int(text)
        if kind == "number":
            return float(text)
    except ValueError:
        return text
    if kind == "array":
        return [each.strip() for each in text.split(",") if each.strip()]
    return text
