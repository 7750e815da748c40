"""Google Cloud Shell, which manages its extensions itself."""

from __future__ import annotations

from pisces.ide.detected_ide import DetectedIde, Sign

EDITOR = DetectedIde(
    "cloudshell",
    "Cloud Shell",
    order=60,
    signs=(
        Sign("EDITOR_IN_CLOUD_SHELL"),
        Sign("CLOUD_SHELL"),
    ),
)
