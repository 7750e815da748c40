"""microsoft/apm: what its fixtures have for some program loads there, so an error in them is explained."""

from __future__ import annotations

from pathlib import Path

from tests.suites.shelved import errors, repository

FIXTURES = ("tests/fixtures", "tests/integration/fixtures/target_resolution")
# A folder of APM's own files (`.apm`, `apm.yml`), or of empty folders that only a name speaks of.
NOTHING = "nothing here is loaded by any harness"
# APM is more lenient than the program for which a fixture is written.
EXPLAINED = {
    "mock-claude-plugin": "`name` must not have a blank in it",  # Claude Code refuses the plugin
    "azure-skills": "there is no folder `./.github/plugins/azure-skills`",  # only its marketplace was copied
}


def test_no_fixture_has_an_error_that_nobody_explained() -> None:
    folders = [each for part in FIXTURES for each in (repository("microsoft/apm") / part).iterdir() if each.is_dir()]
    found = {each.name: [error for error in errors(each) if not _is_explained(each, error)] for each in folders}
    assert {name: rest for name, rest in found.items() if rest} == {}
    assert len(folders) > len(EXPLAINED), "nothing was read: the suite has changed its form"


def _is_explained(fixture: Path, error: str) -> bool:
    return error.endswith((NOTHING, EXPLAINED.get(fixture.name, NOTHING)))
