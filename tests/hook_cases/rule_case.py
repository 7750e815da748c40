"""Cases of rules alone: policies and calls, without a session."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def policy_decision(row: Mapping[str, Any]) -> tuple[str, int]:
    raise NotImplementedError


def execpolicy_decision(row: Mapping[str, Any]) -> tuple[str, int]:
    raise NotImplementedError
