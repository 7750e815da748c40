"""A Python module that pisces runs in its own process, beside a manifest that makes it a package."""

from __future__ import annotations

from pisces.packages.template import Template

_GUIDE = """
`extension.py` is code that pisces loads: its function `extension` gets the API and registers what the module brings.
`pyproject.toml` names the entry, `gemini-extension.json` makes the folder a package. Other harnesses take the package
and pass over the module. A module runs with your rights: pisces asks before it loads one that came from elsewhere.

Try it: `pisces check .`, then `pisces modules list -e .`, which says what would run
"""

_PYPROJECT = """[project]
name = "@name@"
version = "0.1.0"
description = "A module that counts the words of what the user types"
requires-python = ">=3.11"

[tool.pisces]
extensions = ["./extension.py"]
"""

_MODULE = '''"""@title@: a command that counts words. Nothing happens at import; `extension` registers what there is."""

from __future__ import annotations

from typing import Any


def counted(text: str) -> str:
    """How many words a text has, in words."""
    words = len(text.split())
    return f"{words} word" if words == 1 else f"{words} words"


def extension(pisces: Any) -> None:
    """Called once by pisces when the module is loaded."""

    @pisces.command("count-words", "Count the words that follow")
    def count(arguments: str) -> str:
        return counted(arguments)
'''

_TEST = '''"""Run with: python -m pytest"""

from __future__ import annotations

from extension import counted


def test_words_are_counted() -> None:
    assert [counted(text) for text in ("", "one", "two words")] == ["0 words", "1 word", "2 words"]
'''

TEMPLATE = Template(
    "module",
    "A Python module that counts words",
    _GUIDE,
    {"pyproject.toml": _PYPROJECT, "extension.py": _MODULE, "test_extension.py": _TEST},
    {},
)
