"""Neovim: its terminals set `NVIM`. Gemini CLI does not know it; the companion's file names it."""

from __future__ import annotations

from pisces.ide.detected_ide import Copied, DetectedIde, Sign

EDITOR = DetectedIde(
    "neovim",
    "Neovim",
    order=150,
    signs=(Sign("NVIM"),),
    copied=Copied(
        "neovim",
        ("nvim", "site", "pack", "pisces", "start", "pisces"),
        then="restart Neovim; `:help pisces` tells the rest",
    ),
)
