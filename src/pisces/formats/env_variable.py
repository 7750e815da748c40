"""How an environment variable is written in a manifest: `$NAME`, `${NAME}` or `${NAME:-default}`."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

_BARE = r"\$(\w+)"
_ANY = rf"{_BARE}|\$\{{([^}}]+)\}}"


def filled_in(text: str, env: Mapping[str, str]) -> str:
    """An unknown variable without a default stays as it is. Linear: a `${` is followed only where some `}` ends it."""

    def value(found: re.Match[str]) -> str:
        name, default = found[1], None
        if not name:
            first, mark, default = found[2][1:].partition(":-")  # a name has one character or more
            name, default = found[2][0] + first, default if mark else None
        return env.get(name, found[0] if default is None else default)

    end = text.rfind("}") + 1
    return re.sub(_ANY, value, text[:end], flags=re.ASCII) + re.sub(_BARE, value, text[end:], flags=re.ASCII)
