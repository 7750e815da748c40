"""What is said where a prompt needs a model and there is none."""

from __future__ import annotations

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.models.providers import PROVIDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic

NO_MODEL = Rule("no-model", ERROR, "A prompt was sent and there is no model")

_FEW = 3


def no_model(why: Diagnostic | None = None) -> PiscesError:
    """`why` is what is wrong with the one that somebody wanted."""
    if why is not None:
        return PiscesError(why)
    keys = ", ".join(each.keys[0] for each in PROVIDERS[:_FEW])
    hint = f"set {keys} or the key of another provider, start a server on this machine, or name one with `--model`"
    return PiscesError(NO_MODEL.at("", "there is no model", hint=f"{hint}; `pisces models` says what was looked for"))
