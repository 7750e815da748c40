"""What kind of failure a request to a model ended with: who shows it, retries it or answers it decides by this word.

The words are those that hooks of other harnesses match, where they have one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pisces.models.wire import ModelFailed

TOO_LONG = "context_too_long"
LIMITED, REFUSED_KEY, UNPAID = "rate_limit", "authentication_failed", "billing_error"
INVALID, BROKEN, UNREACHED = "invalid_request", "server_error", "network"

# Each provider has its own sentence, and 400 or 413 for much else, too.
_TOO_LONG = re.compile(
    r"context.{0,20}(?:length|window|limit|size)|prompt is too long|input is too long|too many (?:input )?tokens"
    r"|maximum (?:number of )?(?:context|tokens)|input token count.{0,40}exceeds|request_too_large|reduce the length"
    r"|exceeds? the (?:model|available|maximum)",
    re.IGNORECASE,
)
_STATUS = {401: REFUSED_KEY, 403: REFUSED_KEY, 402: UNPAID, 429: LIMITED, 529: LIMITED}
_MAYBE_TOO_LONG = (0, 400, 413, 422)
_LONG = 90.0  # seconds, of a pause that a provider asks for


def hint_of(failed: ModelFailed) -> str:
    """What the user can do; empty where nobody knows."""
    if kind_of(failed) == REFUSED_KEY:
        return "the provider refuses the key: `pisces models` says which one is used"
    if failed.after is not None and failed.after >= _LONG:
        return f"the provider wants to be left alone for {failed.after / 60:,.0f} minutes"
    return ""


def kind_of(failed: ModelFailed) -> str:
    if failed.status in _MAYBE_TOO_LONG and not failed.is_passing and _TOO_LONG.search(str(failed)):
        return TOO_LONG
    if failed.status in _STATUS:
        return _STATUS[failed.status]
    if failed.status >= 500 or (failed.status and failed.is_passing):
        return BROKEN
    return INVALID if failed.status or not failed.is_passing else UNREACHED
