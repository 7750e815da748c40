"""TOML 1.0 by the standard library, for what the shortcut of `toml_current` is not sure about."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from pisces.formats.malformed import Malformed

_MOST_PARTS = 1000  # of a key: the standard library takes time that grows with their square
_PART = re.compile(r"""(?<![A-Za-z0-9_-])(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*""")
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)")


def parse(text: str) -> dict[str, Any]:
    if text.count(".") > _MOST_PARTS:
        _refuse_endless_keys(text)
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


def _refuse_endless_keys(text: str) -> None:
    run, end = 0, -1
    for part in _PART.finditer(text):
        run = run + 1 if part.start() == end else 1
        end = part.end()
        if run > _MOST_PARTS:
            line = text.count("\n", 0, end) + 1
            raise Malformed("a key has too many parts", line, 1)
