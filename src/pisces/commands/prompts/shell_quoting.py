"""The user's words as one word of a shell's line, so that no character of them means anything to the shell.

On POSIX the result is that of shell-quote, which Gemini CLI uses, but for `~`, which it forgets, and for `!` between
double quotes, where its backslash would stay in the text.
"""

from __future__ import annotations

import re

from pisces.formats.js_text import BLANKS

BASH = "bash"  # and every other POSIX shell
POWERSHELL = "powershell"
CMD = "cmd"

_WANTS_QUOTES = re.compile(rf"""["'\\{BLANKS}]""")
_SPECIAL_IN_QUOTES = re.compile(r'(["\\$`])')
_SPECIAL = re.compile(r"""([A-Za-z]:)?([#!"$&'()*,:;<=>?@\[\\\]^`{|}~])""")
_HARMLESS = re.compile(r"[a-zA-Z0-9\-_.]+")


def quoted(text: str, shell: str) -> str:
    """Nothing stays nothing, as in Gemini CLI: a line can ask whether there were arguments."""
    if not text:
        return ""
    return {POWERSHELL: powershell_quoted, CMD: cmd_quoted}.get(shell, posix_quoted)(text)


def posix_quoted(text: str) -> str:
    if not _WANTS_QUOTES.search(text):
        return _SPECIAL.sub(r"\1\\\2", text)
    if "'" not in text:
        return f"'{text}'"
    return '"' + _SPECIAL_IN_QUOTES.sub(r"\\\1", text) + '"'


def powershell_quoted(text: str) -> str:
    return text if _HARMLESS.fullmatch(text) else "'" + text.replace("'", "''") + "'"


def cmd_quoted(text: str) -> str:
    """As near as `cmd` allows: it has no way to take the meaning from `%`."""
    return text if _HARMLESS.fullmatch(text) else '"' + text.replace('"', '""') + '"'
