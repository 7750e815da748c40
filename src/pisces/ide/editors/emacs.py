"""Emacs: its shells set `INSIDE_EMACS`. Gemini CLI does not know it; the companion's file names it."""

from __future__ import annotations

from pisces.ide.detected_ide import Copied, DetectedIde, Sign

_THEN = """add these two lines to your init file, and restart Emacs:
(add-to-list 'load-path "{target}")
(when (require 'pisces-ide nil t) (pisces-ide-mode 1))"""

EDITOR = DetectedIde(
    "emacs",
    "Emacs",
    order=160,
    signs=(Sign("INSIDE_EMACS"),),
    copied=Copied("emacs", ("emacs", "pisces"), "config", _THEN),
)
