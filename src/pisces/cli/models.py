"""`pisces models`: what was looked for, which model would be used and why. Asks nobody but servers on this machine."""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.diagnostics import ERROR
from pisces.models.known_models import AS_OF, facts_of, known_names
from pisces.models.providers import provider_called
from pisces.session.model_here import project_model
from pisces.ui.plain import show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.models.looking import Looked
    from pisces.models.model import ModelFacts


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--model", default="", metavar="NAME", help="say what this name would stand for")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    looked: Looked = export_of("pisces.models", "looking", "looked")(arguments.model, places, project_model(places))
    if arguments.output_format == "json":
        screen.json(_as_json(looked))
    else:
        _show(looked, places, screen)
    wrong = [*looked.diagnostics, *([looked.problem] if looked.problem else ())]
    return PROBLEMS if any(each.severity == ERROR for each in wrong) else FINE


def _as_json(looked: Looked) -> dict[str, Any]:
    choice = looked.choice
    wrong = [*([looked.problem] if looked.problem else ()), *looked.diagnostics]
    return {
        "used": None if choice is None else {**_facts_json(choice.facts), "why": choice.why},
        "looked_for": [each.as_json() for each in looked.rows],
        "known": {name: [_facts_json(each) for each in _known(name)] for name in _usable(looked)},
        "known_as_of": AS_OF,
        "diagnostics": [each.as_json() for each in wrong],
    }


def _facts_json(facts: ModelFacts) -> dict[str, Any]:
    prices = facts.prices
    return {
        "name": facts.name,
        "window": facts.window or None,
        "most_output": facts.most_output or None,
        "prices": None if prices is None else dict(zip(prices.__fields__[:4], prices.as_tuple()[:4], strict=True)),
        "images": facts.has_images,
    }


def _usable(looked: Looked) -> list[str]:
    return [each.name for each in looked.rows if not each.missing and provider_called(each.name)]


def _known(provider: str) -> list[ModelFacts]:
    return [facts_of(name, provider, "") for name in known_names(provider)]


def _show(looked: Looked, places: Places, screen: Screen) -> None:
    rows = [[visible(each.name), visible(each.model), visible(each.missing or each.found)] for each in looked.rows]
    screen.lines(table(rows))
    choice = looked.choice
    if choice is not None:
        screen.note(f"{visible(choice.facts.name)} would be used: {visible(choice.why)}{_cost(choice.facts)}")
    elif looked.problem is None:
        screen.note("there is no model: set one of these keys, start a server, or name one in `config.yml`")
    show_diagnostics([*([looked.problem] if looked.problem else ()), *looked.diagnostics], places, screen)


def _cost(facts: ModelFacts) -> str:
    window = f"; {facts.window:,} tokens" if facts.window else ""
    prices = facts.prices
    if prices is None:
        return window
    return f"{window}; ${prices.input:g} and ${prices.output:g} for a million tokens in and out ({AS_OF})"


_EXAMPLES = (
    ("pisces models", "what was looked for, and which model would be used"),
    ("pisces models --model opus", "what a name stands for"),
    ("pisces models --output-format json", "for programs, with what is known of models"),
)
_SUMMARY = "which model would be used and why, what was looked for, and what is missing"
COMMAND = ShellCommand("models", _SUMMARY, _EXAMPLES, _arguments, _run)
