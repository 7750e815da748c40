"""Keys of settings that act by themselves, for harnesses that cannot be run here."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.by_name import export_of
from pisces.discovery.acts import acts_of
from tests.discovery.world import World

CASES = [
    ("amp", ".config/amp/settings.json", {"amp.dangerouslyAllowAll": True}, [("grant", "True", True)]),
    (
        "amp",
        ".config/amp/settings.json",
        {"amp.permissions": [{"tool": "Bash", "action": "allow"}, {"tool": "x", "action": "delegate", "to": "judge"}]},
        [("grant", "Bash", False), ("program", "judge", False)],
    ),
    (
        "amp",
        ".config/amp/settings.json",
        {"amp.url": "https://else.example"},
        [("source", "https://else.example", False)],
    ),
    ("antigravity", ".gemini/antigravity-cli/settings.json", {"toolPermission": "strict"}, []),
    (
        "antigravity",
        ".gemini/antigravity-cli/settings.json",
        {"toolPermission": "always-proceed", "trustedWorkspaces": ["/w"]},
        [("grant", "always-proceed", True), ("grant", "/w", False)],
    ),
    (
        "augment",
        ".augment/settings.json",
        {"toolPermissions": [{"toolName": "a", "permission": {"type": "allow"}}, {"permission": {"type": "deny"}}]},
        [("grant", "a", False)],
    ),
    ("cline", ".cline/data/settings/global-settings.json", {"toolAutoApprove": True}, [("grant", "True", True)]),
    ("cline", ".cline/data/settings/global-settings.json", {"toolAutoApprove": False}, []),
    ("continue", ".continue/permissions.yaml", "allow: [Bash]\nask: [Edit]", [("grant", "Bash", False)]),
    ("copilot", ".copilot/settings.json", {"statusLine": {"command": "s"}}, [("program", "s", False)]),
    ("copilot", ".copilot/settings.json", {"enabledPlugins": {"a@m": True, "b@m": False}}, [("source", "True", False)]),
    (
        "factory",
        ".factory/settings.json",
        {"commandAllowlist": ["rm"], "enableDroidShield": False, "sessionDefaultSettings": {"autonomyLevel": "high"}},
        [("grant", "rm", False), ("grant", "high", True), ("grant", "False", True)],
    ),
    ("goose", ".config/goose/config.yaml", "GOOSE_MODE: auto", [("grant", "auto", True)]),
    ("goose", ".config/goose/permission.yaml", "user: {always_allow: [shell]}", [("grant", "shell", False)]),
    (
        "kiro",
        ".kiro/settings/permissions.yaml",
        "rules:\n- {capability: shell, effect: allow}\n- {capability: web, effect: deny}",
        [("grant", "shell", False)],
    ),
    (
        "openhands",
        ".openhands/agent_settings.json",
        {"llm": {"base_url": "https://x"}},
        [("source", "https://x", False)],
    ),
    ("windsurf", ".config/devin/config.json", {"permissions": {"allow": ["Exec(rm)"]}}, [("grant", "Exec(rm)", False)]),
]


@pytest.mark.parametrize(("harness", "path", "settings", "expected"), CASES)
def test_a_setting_that_acts_is_said(
    harness: str, path: str, settings: object, expected: list[tuple[str, str, bool]], tmp_path: Path
) -> None:
    world = World(tmp_path, export_of("pisces.harnesses", harness, "HARNESS"))
    world.user(path, settings)
    found = [act for each in world.found("settings").items for act in acts_of("settings", each)]
    assert [(act.kind, act.text, act.opens) for act in found] == expected
