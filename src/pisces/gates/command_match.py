"""Whether the words of a rule are the first words of a command in a shell line: yes, no, or known only when it runs.

Rules see what runs, however it is written: `/bin/rm`, `'rm'`, `\\rm`, `A=1 rm` and the `rm` in `timeout 5 rm` are all
`rm`. A word that is known only when the line runs fits any word, perhaps.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.shapes.shell_line import LineCommand, ShellLine

    Words = Sequence[tuple[str, ...]]  # of a rule: for each place the words that fit there

NO, MAYBE, YES = 0, 1, 2

# They start the command that follows and change nothing about what it does.
TRANSPARENT = frozenset(("timeout", "gtimeout", "nice", "ionice", "nohup", "time", "stdbuf", "setsid", "command"))
_APPENDING = frozenset(("xargs", "parallel", "find", "fd"))  # they add words to the command that they start
_EXPANDED_AGAIN = ("@P}", "@p}")  # `${x@P}` runs the commands in a variable's value
UNKNOWN = "$?"


def prefix_match(words: Words, command: LineCommand) -> int:
    """The best answer over all readings of the command."""
    answer = _fit(words, command.words, command)
    for each in command.readings if answer != YES else ():
        answer = max(answer, _fit(words, each, command))
    return answer if command.is_plain else max(answer, MAYBE)


def plain_texts(command: LineCommand) -> list[str]:
    """Each reading with one blank between its words and inside them; `$?` stands for a word that is not known."""
    named = ((command.name, *command.words[1:]),) if command.words else ()
    readings = dict.fromkeys((*named, command.words, *command.readings))
    texts = (" ".join(UNKNOWN if word is None else word for word in each) for each in readings)
    return [" ".join(text.split()) for text in texts]  # a line break in a word would end a `.*`


def is_readable(line: ShellLine) -> bool:
    """Whether a rule may allow the line: all that runs is in it, and nothing else decides what runs.

    `env`, `xargs`, `eval`, `sh -c` and their like are judged by what they start, but never allowed by a rule.
    """
    if not line.is_plain or any(sign in line.text for sign in _EXPANDED_AGAIN):
        return False
    return all(TRANSPARENT.issuperset(each.wrappers) for each in line.commands)


def _fit(words: Words, given: Sequence[str | None], command: LineCommand) -> int:
    if not words or not given:
        return YES if not words else NO
    if given[0] is None:
        return MAYBE
    if given[0] not in words[0] and given[0].rpartition("/")[2] not in words[0]:
        return NO
    for at in range(1, len(words)):
        word = given[at] if at < len(given) else ""
        if at >= len(given):
            return MAYBE if not _APPENDING.isdisjoint(command.wrappers) else NO
        if word is None or at in command.patterns:
            return MAYBE
        if word not in words[at]:
            return NO
    return YES
