"""The options of a session from the flags of the agent: the same for the terminal and for `pisces -p`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pisces.agent.loop import LoopLimits
from pisces.agent.transcript import memory_transcript, open_transcript
from pisces.by_name import export_of
from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.gates.rules import rulebooks_of_flags
from pisces.session.options import SessionOptions
from pisces.value import Value

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from pisces.agent.transcript import Transcript
    from pisces.diagnostics import Diagnostic
    from pisces.host.options import Approve
    from pisces.models.model import Model
    from pisces.modules.actions import Ui
    from pisces.places import Places
    from pisces.tools.workbench import AskUser

AGENT_EXTRA = Rule("agent-extra", ERROR, "The agent needs packages that are not installed")

_EXTRA = ("httpx2", "prompt_toolkit", "rich", "pygments")


class Seat(Value):
    """Who answers questions: `approve` about what wants to run, `ask` those of the model. `ui` is for modules."""

    approve: Approve
    ask: AskUser
    ui: Ui


def session_options(arguments: Namespace, places: Places, seat: Seat) -> SessionOptions:
    """Raises `PiscesError` for a model, a session, a rule or a module that does not exist."""
    modules, hooks = _named(arguments)
    missing = [each for each in map(places.absolute, modules) if not os.path.exists(each)]
    if missing:
        rule: Rule = export_of("pisces.modules", "configured", "MODULE_PATH")
        raise PiscesError(rule.at(missing[0], "there is no such file or folder"))
    model, no_model = chosen_model(arguments, places)
    return SessionOptions(
        seat.approve,
        seat.ask,
        seat.ui,
        model,
        transcript=chosen_transcript(arguments, places),
        limits=LoopLimits(arguments.max_turns, arguments.max_cost),
        thinking=arguments.thinking,
        mode=arguments.approve_mode,
        packages=arguments.package or (),
        modules=modules,
        hooks=hooks,
        rules=rulebooks_of_flags(arguments.allow or (), arguments.deny or ()),
        discover=not arguments.no_extensions,
        trust_workspace=arguments.trust_workspace,
        no_model=no_model,
    )


def dropped(arguments: Namespace) -> Sequence[Diagnostic]:
    """What `--no-extensions` drops though it was named."""
    named = [*(arguments.extension or ()), *(arguments.hook or ())]
    if not arguments.no_extensions or not named:
        return ()
    found: Sequence[Diagnostic] = export_of("pisces.modules", "entries", "no_entries")(named).diagnostics
    return found


def chosen_model(arguments: Namespace, places: Places) -> tuple[Model | None, Diagnostic | None]:
    """What was named, what a trusted project asks for, or what is there. Raises `PiscesError` for one that was named.

    With settings that cannot be followed there is none, and the reason: what needs no model works all the same.
    """
    model_here = export_of("pisces.session", "model_here", "model_here")
    try:
        return model_here(arguments.model, places, trust_workspace=arguments.trust_workspace), None
    except ModuleNotFoundError as error:
        raise needs_extra(error) from None
    except PiscesError as error:
        if arguments.model:
            raise
        return None, error.diagnostic


def needs_extra(error: ModuleNotFoundError) -> Exception:
    """What to say instead. Another module that is missing is a mistake of ours, and stays what it is."""
    name = (error.name or "").partition(".")[0]
    if name not in _EXTRA:
        return error
    return PiscesError(AGENT_EXTRA.at("", f"`{name}` is not installed", hint="pip install 'pisces-agent[agent]'"))


def chosen_transcript(arguments: Namespace, places: Places) -> Transcript | None:
    """The one to go on with, or one that is not stored; None for a new one."""
    if arguments.no_session:
        return memory_transcript(places)
    wanted = "last" if arguments.last else arguments.resume
    return None if wanted is None else open_transcript(wanted or "last", places)


def _named(arguments: Namespace) -> tuple[Sequence[str], Sequence[str]]:
    """Modules, and files of hooks: what `--hook` names is a module unless it is data."""
    if arguments.no_extensions:
        return (), ()
    hooks: list[Any] = arguments.hook or []
    files = [each for each in hooks if each.lower().endswith(".json")]
    return [*(arguments.extension or ()), *(each for each in hooks if each not in files)], files
