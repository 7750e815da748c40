"""A command line of a shell, read without running it: every command in it that may run."""

from __future__ import annotations

from pisces.value import Value


class LineRedirect(Value):
    """`target` is the file, or the text behind `<<` and `<<<`. None where it is known only when the line runs."""

    operator: str
    target: str | None


class LineCommand(Value):
    """One simple command somewhere in a line: alone, joined by `&&` or `|`, in `$( )`, `if`, a function.

    `words` are after quotes and backslashes; a word that is known only when the line runs is None. `text` is the
    command as written. `wrappers` are the programs around it that start it, outermost first: `("env", "timeout")` for
    `env A=1 timeout 5 rm x`, whose words are `rm x`. Every wrapper is also a command of its own in the line, before.
    `assigned` are the variables that are set for it alone. `is_plain` is false where what runs cannot be read from the
    text: a variable as the command, `eval` of something computed, `bash -c "$X"`.

    `readings` are other words that the same text may run: without the folder of the program, without global options
    (`git -C . push` is `git push`), with a variable's value. Rules that deny or ask look at them as well; a rule that
    allows never does. `patterns` are the positions of words that the shell replaces with names of files.
    """

    words: tuple[str | None, ...]
    text: str
    wrappers: tuple[str, ...] = ()
    assigned: tuple[str, ...] = ()
    redirects: tuple[LineRedirect, ...] = ()
    is_plain: bool = True
    readings: tuple[tuple[str | None, ...], ...] = ()
    patterns: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The program without its folder; empty where it is not known."""
        first = self.words[0] if self.words else None
        return (first or "").rpartition("/")[2]


class ShellLine(Value):
    """`problem` says what cannot be read; then `commands` has what was read all the same, and no rule may allow it.

    `is_compound` is set where there is anything but one simple command with plain words, `has_groups` where commands
    stand in brackets, in a function or a `case`, or run in the background.
    """

    text: str
    commands: tuple[LineCommand, ...]
    problem: str = ""
    is_compound: bool = False
    has_groups: bool = False

    @property
    def is_plain(self) -> bool:
        return not self.problem and all(each.is_plain for each in self.commands)
