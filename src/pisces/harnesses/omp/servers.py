"""What omp does with a server's entry, by its source: `${NAME}` and `${NAME:-default}`; in `env` and `headers` a text
that is the name of a variable stands for its value. A `!command` there is not run.

`timeout` is in milliseconds, for the start and for every call.
"""

from __future__ import annotations

from pisces.mcp.dialect import ServerDialect
from pisces.mcp.fills import braced, named_or_literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.mcp.names import Names


def _value(text: str, names: Names) -> str:
    return "" if text.startswith("!") else named_or_literal(text, names)


DIALECT = ServerDialect(fill=braced, fill_env=_value, include=lambda _fields: None, exclude=lambda _fields: ())
