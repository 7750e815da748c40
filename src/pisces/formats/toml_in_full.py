"""TOML 1.0 by the standard library, for what the shortcut of `toml_current` is not sure about."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from pisces.formats.malformed import Malformed

_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)")


def parse(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise Malformed("nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _PLACE.search(message)
        fault = _PLACE.sub("", message)
        lines = text.split("\n")
        end = (len(lines), len(lines[-1]) + 1)
        line, column = (int(place[1]), int(place[2])) if place and place[1] else end
        raise Malformed(fault[:1].lower() + fault[1:], line, column) from None
    except ValueError:  # the one thing that the standard library does not call a mistake in the text
        raise Malformed("a number is too long") from None
