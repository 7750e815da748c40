"""`pisces extensions validate [PATH...]`: what Gemini CLI calls validating, done by `pisces check`."""

from __future__ import annotations

from pisces.cli import check
from pisces.cli._shell_command import ShellCommand

_EXAMPLES = (("pisces extensions validate ./my-extension", "every problem, with file and line"),)
_SUMMARY = "check packages strictly: the same as pisces check"
COMMAND = ShellCommand("extensions validate", _SUMMARY, _EXAMPLES, check.COMMAND.arguments, check.COMMAND.run)
