"""Calls that no gate is asked about because they are malformed: the result that tells the model how to correct them."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pisces.session.session import Session
    from pisces.shapes.message import CallPart

_MOST_SHOWN = 200
_MOST_NAMES = 3


def call_failure(call: CallPart, session: Session) -> str:
    """Empty for a call that may go ahead."""
    if call.malformed:
        return _malformed(call)
    tools = session.host.tools
    if call.name in tools and not session.is_active(call.name):
        return f"The tool `{call.name}` is switched off"
    if call.name in tools or "__" in call.name or call.name in session.host.denied_tools:
        return ""  # the host knows why it holds a tool of a server back, and which rule denies a tool
    near = get_close_matches(call.name, [each.name for each in session.offered_tools], _MOST_NAMES)
    others = f". Did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
    return f"There is no tool `{call.name[:_MOST_SHOWN]}`{others}"


def _malformed(call: CallPart) -> str:
    try:
        value = json.loads(call.malformed)
    except ValueError as error:
        wrong = f"{error}"
    except RecursionError:
        wrong = "they are nested too deeply"
    else:
        wrong = f"they are {type(value).__name__}, and have to be an object"
    return f"The arguments of `{call.name}` are no JSON object: {wrong}. You wrote: {call.malformed[:_MOST_SHOWN]}"
