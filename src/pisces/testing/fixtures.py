"""For pytest: `pytest_plugins = ["pisces.testing.fixtures"]` in a `conftest.py` gives tests `pisces_host`.

It is not registered by the package itself: pytest would then rewrite the assertions of every file of pisces in every
run, whether a test uses it or not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from pisces.testing.driven_now import DrivenHost, open_host


@pytest.fixture
def pisces_host() -> Iterator[Callable[..., DrivenHost]]:
    """`host = pisces_host({"work/CLAUDE.md": "..."}, approve=True)`: `open_host`, closed when the test ends."""
    with ExitStack() as stack:

        def opened(*files: Any, **options: Any) -> DrivenHost:
            return stack.enter_context(open_host(*files, **options))

        yield opened
