"""Messages for people: paths are shortened, and nothing else is."""

from __future__ import annotations

import os

import pytest

from pisces.places import Places
from pisces.ui.plain import shortened

posix_only = pytest.mark.skipif(os.name == "nt", reason="paths with slashes")


@posix_only
@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("`/home/ada/x/a.toml` and /home/ada/b", "`a.toml` and ~/b"),
        ("/srv/home/ada/b", "/srv/home/ada/b"),
        ("chmod +x '/home/ada/b' '/home/ada/x/a'", "chmod +x '/home/ada/b' 'a'"),
        ("no command is called `/review`", "no command is called `/review`"),
        ("", ""),
    ],
)
def test_paths_are_shortened(message: str, shown: str) -> None:
    assert shortened(message, Places("/home/ada", "/home/ada/x")) == shown


@posix_only
@pytest.mark.parametrize("top", ["/", ""])
def test_at_the_top_of_all_folders_slashes_stay(top: str) -> None:
    assert shortened("`/review` is in /etc/x", Places(top, "/")) == "`/review` is in /etc/x"
