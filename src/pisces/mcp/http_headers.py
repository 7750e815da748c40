"""Headers that a program prints: `headersHelper` of an entry. It is part of what was agreed to with the server's start.

The program is started as every other: bounded, with an environment of names on a list, and ended with all of its group.
"""

from __future__ import annotations

import asyncio
import os
import threading
from typing import TYPE_CHECKING

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.processes.environment import ALWAYS, passed_on
from pisces.processes.launch import Launch, Limits
from pisces.processes.run import captured

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.mcp.plan import ServerPlan

HEADERS_HELPER = Rule("mcp-headers-helper", ERROR, "A program for the headers of an MCP server gives none")

_SECONDS = 10.0
_LARGEST = 64 * 1024
_NAME = "PISCES_MCP_SERVER"
_ADDRESS = "PISCES_MCP_URL"


async def helper_headers(plan: ServerPlan, env: Mapping[str, str]) -> dict[str, str]:
    """What the program prints. Raises `PiscesError` with why it cannot be used, never with what it printed."""
    own = {**passed_on(env), _NAME: plan.name, _ADDRESS: plan.url, **ALWAYS}
    limits = Limits(seconds=_SECONDS, output=_LARGEST)
    launch = Launch(_shell(plan.headers_helper, env), plan.cwd, own, limits)
    is_over = threading.Event()
    try:
        out, _, ended = await asyncio.to_thread(captured, launch, is_over.is_set)
    finally:
        is_over.set()
    if ended.code != 0:
        raise _flaw(plan, "it failed" if ended.code is not None else "it was not started, or ended before its time")
    try:
        value = parse(out.decode("utf-8"))
    except (UnicodeDecodeError, Malformed):
        raise _flaw(plan, "it printed no JSON") from None
    if not isinstance(value, dict) or not all(_is_header(name, text) for name, text in value.items()):
        raise _flaw(plan, "it printed no object of headers")
    return {str(name): str(text) for name, text in value.items()}


def _shell(line: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """Harnesses run it as a line for a shell, so it is written as one."""
    return (env.get("COMSPEC") or "cmd.exe", "/d", "/s", "/c", line) if os.name == "nt" else ("/bin/sh", "-c", line)


def _is_header(name: object, text: object) -> bool:
    """Whether it can be sent: a name of a header, and a value without a line end, which would begin another."""
    if not isinstance(name, str) or not isinstance(text, str) or not name:
        return False
    is_name = all(char.isalnum() or char in "!#$%&'*+-.^_`|~" for char in name) and name.isascii()
    return is_name and text.isprintable() and text.isascii()


def _flaw(plan: ServerPlan, why: str) -> PiscesError:
    message = f"the program for the headers of `{plan.name}` cannot be used: {why}"
    return PiscesError(HEADERS_HELPER.at(plan.found.source.path, message, about=plan.name))
