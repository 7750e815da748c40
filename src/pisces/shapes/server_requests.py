"""What a connected MCP server may want of the user: a review of what it offers, data, an answer of the model."""

from __future__ import annotations

from pisces.shapes.request import Request
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

TOOLS = "tools"
ELICITATION = "elicitation"
SAMPLING = "sampling"


class ToolsRequest(Request):
    """A server offers something else than what was reviewed. `exact` is the difference; `sha256` is of both sides."""

    KIND = TOOLS

    exact: str
    name: str
    path: str
    level: str
    sha256: str = ""


class ElicitationRequest(Request):
    """The server `name` wants data of the user: `exact` is its message, `schema` what would fit.

    With `url` the user is to open an address instead. `content` are the data that a handler or a hook would give it:
    True hands them over. A program that asks the user returns the data themselves.
    """

    KIND = ELICITATION

    exact: str
    name: str
    schema: Mapping[str, Any] = EMPTY
    url: str = ""
    content: Mapping[str, Any] = EMPTY


class SamplingRequest(Request):
    """The server `name` wants an answer of the model: `exact` is all that would be asked."""

    KIND = SAMPLING

    exact: str
    name: str
