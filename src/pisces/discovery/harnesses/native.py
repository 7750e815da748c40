"""pisces itself: project before user, hidden folders not counted (seed 000)."""

from __future__ import annotations

from pisces.discovery.harness import Harness, Look

_PACKAGES = {
    "manifest": "gemini-extension.json",
    "format": "gemini",
    "message": "Failed to parse",
    "hidden": False,
    "name_or": True,
}

HARNESS = Harness(
    id="native",
    label="pisces",
    priority=100,
    user_dir="~/.pisces/agent",
    project_dir=".pisces",
    user_dir_variable="PI_CODING_AGENT_DIR",
    looks={
        "packages": (Look("manifests", "project:extensions", _PACKAGES), Look("manifests", "user:extensions", _PACKAGES)),
    },
)
