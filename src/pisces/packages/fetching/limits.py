"""Timeouts and size limits for fetching."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SILENCE_VARIABLE = "PISCES_HTTP_TIMEOUT"
WHOLE_VARIABLE = "PISCES_FETCH_TIMEOUT"
MOST_BYTES = 512 * 1024 * 1024  # of one download
MOST_REPLY_BYTES = 8 * 1024 * 1024  # of an answer that is read as a whole


class FetchLimits(Value):
    """Timeouts in seconds: `silence` between two bytes, `whole` for one transfer."""

    silence: float = 30.0
    whole: float = 600.0


def limits_of(env: Mapping[str, str]) -> FetchLimits:
    default = FetchLimits()
    silence = _seconds(env, SILENCE_VARIABLE, default.silence)
    return FetchLimits(silence, _seconds(env, WHOLE_VARIABLE, default.whole))


def _seconds(env: Mapping[str, str], variable: str, otherwise: float) -> float:
    try:
        seconds = float(env.get(variable, ""))
    except ValueError:
        return otherwise
    return seconds if 0 < seconds < 86_400 else otherwise
