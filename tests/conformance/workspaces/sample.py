"""How many workspaces are tried: few in the suite, all of them in `scripts/soak`."""

from __future__ import annotations

import os
from collections.abc import Sequence

from tests.conformance.workspaces.comparison import Compared


def seeds(sample: int, all_of_them: int) -> range:
    """PISCES_WORKSPACES names another number, or a range as in 10-20."""
    wanted = os.environ.get("PISCES_WORKSPACES", "")
    first, _, last = wanted.rpartition("-")
    if wanted:
        return range(int(first or 0), int(last))
    return range(all_of_them if os.environ.get("PISCES_SOAK") else sample)


def agreement(results: Sequence[Compared]) -> float:
    """Percent of the workspaces that agree whole."""
    return 100 * sum(each.agrees for each in results) / len(results)
