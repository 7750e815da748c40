"""A path leads where it led when the call was judged, or the tool does not run.

Calls of one answer run at the same time: while one waits for its answer, another may put a link in its way.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from pisces.shapes.request import ToolRequest
from pisces.shapes.tool import ToolFailed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.shapes.request import Request

_MOST_CALLS = 1000  # that are remembered; denied ones are never asked for
_ARGUMENTS = ("path", "cwd")


class JudgedPlaces:
    """`note` is a gate without an opinion, the last one that is asked. Without it nothing is checked."""

    def __init__(self) -> None:
        self._places: dict[str, str] = {}

    def note(self, request: Request) -> None:
        if not isinstance(request, ToolRequest):
            return
        while len(self._places) >= _MOST_CALLS:
            del self._places[next(iter(self._places))]
        self._places[request.call.call_id] = _place(request.cwd, request.call.input)

    def check(self, call_id: str, folder: str, given: Mapping[str, Any]) -> None:
        """Raises `ToolFailed`."""
        judged = self._places.pop(call_id, None)
        if judged is not None and judged != _place(folder, given):
            raise ToolFailed("the path leads elsewhere than when the call was judged: call it again")


def _place(folder: str, given: Mapping[str, Any]) -> str:
    named = next((given[name] for name in _ARGUMENTS if isinstance(given.get(name), str)), "")
    try:
        return os.path.realpath(os.path.join(folder, named))
    except (OSError, ValueError):  # no path at all: the tool says so
        return ""
