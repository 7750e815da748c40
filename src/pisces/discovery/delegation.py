"""Finders that only know where to look hand the looking itself to another finder."""

from __future__ import annotations

import os

from pisces.discovery.harness import finder_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where


def passed_on(where: Where, path: str) -> Iterator[Found | Diagnostic]:
    """What the finder named by the option `finder` finds at a path, with the options in `options`.

    Where there is nothing, the finder is not even loaded.
    """
    if os.path.lexists(path):
        find = finder_named(where.options["finder"])
        yield from find(where.replace(path=path, options=where.options.get("options", {})))
