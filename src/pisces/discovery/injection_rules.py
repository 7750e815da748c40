"""Rules about `!{...}` and `@{...}` in prompts, which `check` reports as well as running a command."""

from __future__ import annotations

from pisces.diagnostics import ERROR, Rule

COMMAND_INJECTION = Rule("command-injection", ERROR, "A `!{` or `@{` in a command is not closed")
COMMAND_FILE_IN_SHELL = Rule("command-file-in-shell", ERROR, "A command puts `@{...}` inside `!{...}`")

BALANCE_HINT = "braces must be balanced, in quotes too; move the shell command into a script"
