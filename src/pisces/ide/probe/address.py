"""The port and token of the companion to probe, from its discovery file, which may be wrong otherwise."""

from __future__ import annotations

import json

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.files import Unreadable, read_text

NOTHING_TO_PROBE = Rule("ide-nothing-to-probe", ERROR, "there is no companion that could be asked")


def address_in(path: str) -> tuple[int, str]:
    try:
        found = json.loads(read_text(path))
    except Unreadable as error:
        raise PiscesError(NOTHING_TO_PROBE.at(path, error.message)) from None
    except (ValueError, RecursionError):
        raise PiscesError(NOTHING_TO_PROBE.at(path, "is not JSON")) from None
    values = found if isinstance(found, dict) else {}
    port, token = str(values.get("port")), values.get("authToken")
    if not (port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536):
        raise PiscesError(NOTHING_TO_PROBE.at(path, "names no port between 1 and 65535"))
    return int(port), token if isinstance(token, str) else ""
