"""TOML 1.0, as Codex and Python's own tools read it; `toml` is the older dialect that Gemini CLI reads."""

from __future__ import annotations

import re
import tomllib

from pisces.formats.malformed import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)")


def parse(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        message = _PLACE.sub("", str(error))
        lines = text.split("\n")
        end = (len(lines), len(lines[-1]) + 1)
        line, column = (int(place[1]), int(place[2])) if place and place[1] else end
        raise Malformed(message[:1].lower() + message[1:], line, column) from None
    except ValueError:  # the standard library raises no TOMLDecodeError for it
        raise Malformed("a number is too long") from None
