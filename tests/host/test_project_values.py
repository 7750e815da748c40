"""Values that a project brings for a package of the user count only as they were trusted: one may be an address."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from pisces import Host, Places
from tests.warm_shell import pisces

MANIFEST = {
    "name": "review",
    "version": "1.0.0",
    "settings": [{"name": "Address", "description": "d", "envVar": "REVIEW_URL"}],
    "mcpServers": {"reviewer": {"command": "true"}},
}


class Reviewed:
    def __init__(self, root: Path) -> None:
        self.home, self.work, package = root / "home", root / "work", root / "review"
        for each in (self.home, self.work, package):
            each.mkdir()
        self.env = {"PATH": "/usr/bin:/bin", "HOME": str(self.home)}
        (package / "gemini-extension.json").write_text(json.dumps(MANIFEST), "utf-8")
        asked = self.run("extensions", "install", str(package))
        self.run("extensions", "install", str(package), "--accept", re.findall(r"sha256:[0-9a-f]{64}", asked)[0])

    def run(self, *words: str) -> str:
        done = pisces(*words, cwd=self.work, env=self.env)
        return done.stdout + done.stderr

    def bring(self, value: str) -> None:
        file = self.work / ".pisces" / "settings" / "review.env"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"REVIEW_URL={value}\n", "utf-8")

    def value(self, *, trust_workspace: bool = False) -> str | None:
        async def planned() -> str | None:
            places = Places(str(self.home), str(self.work), self.env)
            async with Host.open(places, lambda _request, _why: False, trust_workspace=trust_workspace) as host:
                return host.servers["reviewer"].plan.env.get("REVIEW_URL")

        return asyncio.run(planned())


@pytest.fixture
def reviewed(tmp_path: Path) -> Reviewed:
    return Reviewed(tmp_path)


def test_trust_shows_the_values_and_holds_for_them_alone(reviewed: Reviewed) -> None:
    reviewed.bring("http://127.0.0.1/agreed")
    assert reviewed.value() is None
    assert reviewed.value(trust_workspace=True) == "http://127.0.0.1/agreed"
    assert "REVIEW_URL=http://127.0.0.1/agreed" in reviewed.run("trust", "--yes")
    assert reviewed.value() == "http://127.0.0.1/agreed"
    reviewed.bring("http://127.0.0.1/other")
    assert reviewed.value() is None
    assert "REVIEW_URL=http://127.0.0.1/other" in reviewed.run("trust")


def test_values_that_come_after_trust_do_not_count(reviewed: Reviewed) -> None:
    hooks = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}
    (reviewed.work / ".claude").mkdir()
    (reviewed.work / ".claude" / "settings.json").write_text(json.dumps(hooks), "utf-8")
    assert "trusted: 1 thing" in reviewed.run("trust", "--yes")
    reviewed.bring("http://127.0.0.1/other")
    assert reviewed.value() is None
