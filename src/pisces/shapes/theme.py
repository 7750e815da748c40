"""A colour theme brought by a package or found in a harness's themes folder."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.shapes.field import Keys


class Theme(Value):
    """`fields` is the theme as found, `keys` lead to it in a manifest."""

    name: str
    path: str
    fields: Mapping[str, Any]
    keys: Keys = ()
