"""Rules about `!{...}` and `@{...}` in prompts, which `check` reports as well as running a command."""

from __future__ import annotations

from pisces.diagnostics import ERROR, Rule

COMMAND_INJECTION = Rule(
    "command-injection",
    ERROR,
    "A `!{` or `@{` in a command is not closed",
    "Braces are counted, quotes are not understood, and there is no way to escape one. The command fails when it is "
    "run.",
    "prompt = '''List: !{find . -name '*.{js'}'''",
    "prompt = '''List: !{./scripts/list.sh}'''",
)
COMMAND_FILE_IN_SHELL = Rule(
    "command-file-in-shell",
    ERROR,
    "A command puts `@{...}` inside `!{...}`",
    "Files are put in before shell commands are looked for, which tears the shell command apart. It always fails.",
    "prompt = '''!{wc -l @{notes.md}}'''",
    "prompt = '''!{wc -l notes.md}'''",
)

BALANCE_HINT = "braces must be balanced, in quotes too; move the shell command into a script"
