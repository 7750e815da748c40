"""What Goose does with a server's entry, by its documentation: `env_keys` are variables of the user.

The words of a program are literal. `timeout` is in seconds. `available_tools` are the only ones that are offered,
unless the list is empty.
"""

from __future__ import annotations

from pisces.mcp.dialect import ServerDialect, listed, number
from pisces.mcp.fills import braced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def _given(fields: Mapping[str, Any]) -> Mapping[str, str]:
    return {name: name for name in listed("env_keys")(fields) or () if name}


DIALECT = ServerDialect(
    fill=braced,
    filled=("headers", "url"),
    given=_given,
    seconds=lambda fields, _places: (number(fields.get("timeout")),) * 2,
    include=lambda fields: listed("available_tools")(fields) or None,
)
