"""Antigravity's MCP servers. The program itself writes an empty file where there are none."""

from __future__ import annotations

import os

from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.discovery.options import McpConfig


def find(where: Where) -> FinderResults:
    if os.path.isfile(where.path) and os.path.getsize(where.path) == 0:
        return
    yield from passed_on(where, McpConfig(), where.path)
