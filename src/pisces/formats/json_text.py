"""JSON as one line of text, as `json` writes it. It raises what `json` raises.

By the C encoder alone: the regular expressions of `json` take as long to load as Python itself.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    def ascii_json(value: Any) -> str: ...
    def plain_json(value: Any) -> str: ...
    def quoted(text: str) -> str: ...

else:
    try:
        from _json import encode_basestring as quoted, encode_basestring_ascii, make_encoder
    except ImportError:  # an interpreter without the C module
        from json.encoder import JSONEncoder, py_encode_basestring as quoted

        ascii_json = JSONEncoder().encode
        plain_json = JSONEncoder(ensure_ascii=False).encode
    else:

        def ascii_json(value):
            return _written(value, encode_basestring_ascii)

        def plain_json(value):
            """Other than ASCII letters stay as they are."""
            return _written(value, quoted)

        def _written(value, text):
            encode = make_encoder({}, _refuse, text, None, ": ", ", ", False, False, True)
            return "".join(encode(value, 0))

        def _refuse(value):
            raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")
