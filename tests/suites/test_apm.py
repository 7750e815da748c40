"""microsoft/apm: the plugins and skills among its fixtures load, so an error in them is explained."""

from __future__ import annotations

import pytest

from tests.suites.shelved import errors, repository

# APM is more lenient than the program for which a fixture is written.
EXPLAINED = {
    "mock-claude-plugin": "`name` must not have a blank in it",  # Claude Code refuses the plugin
    "azure-skills": "there is no folder `./.github/plugins/azure-skills`",  # only its marketplace was copied
}


@pytest.mark.parametrize(
    "fixture",
    ["mock-claude-plugin", "mock-marketplace-plugin", "azure-skills"],
)
def test_a_fixture_has_no_errors(fixture: str) -> None:
    found = errors(repository("microsoft/apm") / "tests" / "fixtures" / fixture)
    assert [each for each in found if not each.endswith(EXPLAINED.get(fixture, "nothing"))] == []
