"""What the user's words must look like where quotes alone do not make them safe."""

from __future__ import annotations

import re

from pisces.value import Value

_WORD = r"(?!-)[\w./:@+,-]+"


class Need(Value):
    """`pattern` matches what may stand there. `each_word` looks at each word where several stand, else at the text."""

    pattern: str
    reason: str
    hint: str
    each_word: bool = False

    def is_met(self, text: str) -> bool:
        return re.fullmatch(self.pattern, text) is not None


_AS_ARGUMENT = "pass the words on as an argument: `sh -c 'grep -- \"$1\" notes.txt' sh {{args}}`"
_PLAIN = "letters, digits and `_./:@+,-`"
_END_OPTIONS = "write `--` before the placeholder: what follows it is no option"
_OPTION = "words that begin with `-` would be options there"

NEVER = Need(r"", "what is typed there would be code", _AS_ARGUMENT)
ORDINARY = Need(
    rf"(?:{_WORD})?", f"only one word of {_PLAIN} can stand there, because it is read as code", _AS_ARGUMENT
)
PHRASE = Need(
    rf"(?:{_WORD}(?: {_WORD})*)?",
    f"only words of {_PLAIN} can stand there, because they are read once more",
    _AS_ARGUMENT,
)
DIGITS = Need(
    r"\d*",
    "only digits can stand there",
    "the shell calculates there, and runs what stands in `a[$(...)]`; compare text with `=`",
)
GLUED = Need(
    r"\d*",
    "what follows the option in the same word could be another option",
    "write the option and the placeholder as two words",
)
NAME = Need(
    r"(?:\w[\w-]*(?:\.\w[\w-]*)*)?",
    "the words are part of a program's name",
    "only letters, digits and `_.-` are taken",
)
NOT_AN_OPTION = Need(r"(?s:(?!-).*)", _OPTION, _END_OPTIONS, each_word=True)
NO_FIRST_OPTION = Need(r"(?s:(?!-).*)", _OPTION, _END_OPTIONS)
NEITHER_SIGN = Need(
    r"(?s:(?![-+]).*)", "words that begin with `-` or `+` would be options there", _END_OPTIONS, each_word=True
)
SPLIT = Need(
    r"(?s:(?!\s*-)(?!.*\s-)[^*?\[\\]*)",
    "the shell splits the words there, and options or patterns may be among them",
    'write double quotes around the variable, as in `grep -- "$x" notes.txt`',
)
# Such a word names no program: the shell answers that it knows no such command, as it does for Gemini CLI.
NO_PROGRAM = Need(
    r"(?s:|(?=.*[ \t\n])[^/]*)", "the words would be the program", "name the program in the line itself", each_word=True
)
NO_RUNNING = Need(
    r"(?s:(?!(?:.*\s)?(?:exec|run|x|dlx|shell|eval|sh|bash|node|python3?|perl)(?:\s|$)).*)",
    "the words would choose what runs",
    "name the subcommand in the line itself",
)
GIT_READING = Need(
    r"(?:(?:status|log|diff|show|branch|blame|shortlog|describe|tag|fetch|pull|push|add|commit|checkout|switch|restore"
    rf"|merge|stash|rev-parse|ls-files|reflog)(?: {_WORD})*)?",
    "some subcommands of git run what they are given",
    "name the subcommand in the line itself",
)
GIT_OPTION = Need(
    r"(?s:(?!-).*)|-\d+|-[npw]\d*|--(?:oneline|stat|shortstat|numstat|name-only|name-status|graph|all|cached|staged|patch"
    r"|no-merges|merges|reverse|first-parent|decorate|follow|since=.*|until=.*|after=.*|before=.*|author=.*|grep=.*"
    r"|max-count=\d+)",
    "only options that neither write nor run anything can stand there",
    _END_OPTIONS,
    each_word=True,
)

NO_TRANSPORT = Need(
    r"(?s:(?!\w+::).*)", "git runs a program for `NAME::`", "name an address with `https://`", each_word=True
)


def no_part_of(end: str) -> Need:
    """For a line of a here document that the words could make equal to its end."""
    parts = {end[start:stop] for start in range(len(end)) for stop in range(start + 1, len(end) + 1)}
    taken = "|".join(sorted(map(re.escape, parts)))
    return Need(rf"(?!(?:{taken})\Z).*", f"`{end}` ends the text there", "write another word behind the `<<`")


def within(delimiter: str) -> Need:
    """For text between the delimiters of a sed command."""
    reason = f"a `{delimiter}`, a backslash or a new line would end that part of the sed script"
    return Need(rf"[^{re.escape(delimiter)}\\\n]*", reason, "read the words in awk: `awk -v x={{args}} ...`")
