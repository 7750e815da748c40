"""What `write` and `edit` do. One change at a time: two edits of one file in one answer both hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pisces.tools.proposed import proposed_edit, proposed_write
from pisces.tools.saving import saved

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.tools.workbench import Workbench


def write(bench: Workbench, given: Mapping[str, Any]) -> dict[str, Any]:
    with bench.seen.changing:
        return saved(bench, proposed_write(given, bench.folder()), given["path"])


def edit(bench: Workbench, given: Mapping[str, Any]) -> dict[str, Any]:
    with bench.seen.changing:
        return saved(bench, proposed_edit(given, bench.folder()), given["path"])
