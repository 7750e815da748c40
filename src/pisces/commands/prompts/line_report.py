"""What of a command line's output becomes text of a prompt: all that it wrote, and how it ended if not well."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.commands.prompts.shell_line import ShellOutput


def reported(line: str, output: ShellOutput) -> str:
    """In the words of Gemini CLI, which others took over."""
    if output.reason:
        return f"{output.text}\n[Shell command '{line}' aborted]"
    if output.code:
        return f"{output.text}\n[Shell command '{line}' exited with code {output.code}]"
    if output.signal:
        return f"{output.text}\n[Shell command '{line}' terminated by signal {output.signal}]"
    return output.text
