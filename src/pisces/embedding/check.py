"""What is wrong with extensions, as their author wants to know it."""

from __future__ import annotations

from pisces.checking.check import check as check_targets
from pisces.checking.checked import Checked
from pisces.places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def check(paths: str | Sequence[str], places: Places) -> Checked:
    """What is wrong with packages, single files or a project, and which harness loads each part of them.

    `diagnostics` are in the order of files and lines. Runs, imports and fetches nothing, and raises for no broken file.
    """
    return check_targets([paths] if isinstance(paths, str) else paths, places)
