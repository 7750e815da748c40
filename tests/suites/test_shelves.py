"""Collections that their own programs load: `pisces check --recursive` finds no error in them."""

from __future__ import annotations

import pytest

from tests.suites.shelved import errors, repository


@pytest.mark.parametrize(
    "name",
    [
        "anthropics/claude-plugins-official",
        "anthropics/knowledge-work-plugins",
        "anthropics/skills",
        "cursor/plugins",
        "dotnet/skills",
        "github/awesome-copilot",
        "openai/skills",
    ],
)
def test_a_collection_has_no_errors(name: str) -> None:
    assert errors(repository(name)) == []
