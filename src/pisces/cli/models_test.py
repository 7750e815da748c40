"""`pisces models test`: one tiny request to a model, and how long it took. Nothing else is sent."""

from __future__ import annotations

import asyncio
from time import monotonic

from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.models.model import cost_of
from pisces.models.wire import ModelAsk, ModelFailed
from pisces.session.model_here import model_here
from pisces.shapes.message import BY_USER, ChatMessage, TextPart
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.models.model import Model

_PROMPT = "Answer with the single word: ready"
_SHOWN = 200
_REFUSED = (401, 403)


def _arguments(parser: ArgumentParser) -> None:
    add_output_format(parser)
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="provider/model; without it, what is used")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    model = model_here(arguments.name, places)
    if model is None:
        screen.failed("there is no model", "`pisces models` says what was looked for")
        return PROBLEMS
    try:
        tested = asyncio.run(_tested(model))
    except ModelFailed as failed:
        return _failed(failed, model, arguments, screen)
    if arguments.output_format == "json":
        screen.json(tested)
    else:
        _show(tested, screen)
    return FINE


async def _tested(model: Model) -> dict[str, Any]:
    ask = ModelAsk("", (ChatMessage(BY_USER, (TextPart(_PROMPT),)),))
    start, first = monotonic(), None
    try:
        async with model.answering(ask) as stream:
            async for _ in stream:
                first = monotonic() - start if first is None else first
            answer = stream.whole()
    finally:
        await model.close()
    return {
        "model": model.facts.name,
        "answered_by": answer.model or None,
        "text": answer.message.text[:_SHOWN],
        "first_seconds": None if first is None else round(first, 3),
        "seconds": round(monotonic() - start, 3),
        "usage": answer.usage.as_json(),
        "cost": cost_of(answer.usage, model.facts.prices),
    }


def _show(tested: dict[str, Any], screen: Screen) -> None:
    usage, cost = tested["usage"], tested["cost"]
    screen.line(f"{visible(tested['model'])} answers: {visible(tested['text'].strip()) or '(nothing)'}")
    first = tested["seconds"] if tested["first_seconds"] is None else tested["first_seconds"]
    paid = "" if cost is None else f", ${cost:.6f}"
    screen.note(
        f"first word after {first:.2f} s, all after {tested['seconds']:.2f} s; "
        f"{usage['input']} tokens in, {usage['output']} out{paid}"
    )


def _failed(failed: ModelFailed, model: Model, arguments: Namespace, screen: Screen) -> int:
    if arguments.output_format == "json":
        wrong = {"message": str(failed), "status": failed.status or None, "may_pass": failed.is_passing}
        screen.json({"model": model.facts.name, "failed": wrong})
        return PROBLEMS
    hint = "the provider does not accept the key" if failed.status in _REFUSED else ""
    hint = "the same request may succeed later" if failed.is_passing else hint
    screen.failed(f"{visible(model.facts.name)}: {visible(str(failed))}", hint)
    return PROBLEMS


_EXAMPLES = (
    ("pisces models test", "does the model that would be used answer?"),
    ("pisces models test ollama/llama3.2", "a server on this machine"),
)
COMMAND = ShellCommand(
    "models test", "one tiny request to a model: does it answer, how soon, how many tokens", _EXAMPLES, _arguments, _run
)
