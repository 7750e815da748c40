"""The whole parser of one command, for help, for mistakes and for the reference page (see `_quick_words`)."""

from __future__ import annotations

import argparse

from pisces.cli._shell_command import NOT_IN_HELP, ShellCommand


def parser_of(command: ShellCommand) -> argparse.ArgumentParser:
    """With the command's examples at the end of its help."""
    examples = "\n".join(f"  {line:<52} {what}" for line, what in command.examples)
    parser = argparse.ArgumentParser(
        prog=f"pisces {command.name}",
        description=command.summary[0].upper() + command.summary[1:] + ".",
        epilog=f"examples:\n{examples}" if examples else None,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.arguments(parser)
    for action in parser._actions:
        if action.help == NOT_IN_HELP:
            action.help = argparse.SUPPRESS  # compared by identity
    return parser
