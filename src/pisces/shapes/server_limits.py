"""What one harness makes of an MCP server: how long it waits, which names it takes, how much it shows of answers."""

from __future__ import annotations

from pisces.value import Value


class ServerLimits(Value):
    """`start_seconds` is how long it waits for `initialize` by default. The name of a tool, with the harness's
    words before it, has at most `longest_name` characters: letters, digits and `punctuation`. Other names are changed
    or refused. With `reads_first_page` it never asks for a second page of a list. With `shows_structured` the model
    reads only the `structuredContent` of a result that has some. `verified` says what was checked.
    """

    label: str
    start_seconds: float
    longest_name: int
    punctuation: str
    reads_first_page: bool = False
    shows_structured: bool = False
    verified: str = ""
