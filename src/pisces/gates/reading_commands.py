"""Commands of a shell line that change nothing and read only what they may: no question is put about them.

A short list on purpose: a program is on it if none of its options writes or runs anything, or if those are named here.
"""

from __future__ import annotations

import re

from pisces.by_name import export_of
from pisces.gates.command_files import FileUse, file_uses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.shapes.shell_line import LineCommand, ShellLine

    Inside = Callable[[FileUse], bool]

_ANY = frozenset(
    """
    cat head tail wc ls grep egrep fgrep cut diff cmp basename dirname realpath readlink md5sum sha1sum sha256sum
    sha512sum base64 od hexdump strings nl tac rev fold expr seq true false test [ [[ sleep echo pwd whoami id uname
    which type stat du df lsof netstat column paste comm uptime free nproc arch groups cal cd tr jq file
    """.split()
)
_ALONE = {  # with other arguments they set something, or print a file
    "hostname": re.compile(r"-[fiIs]"),
    "date": re.compile(r"\+.*|-u|-R|-I|--utc", re.DOTALL),
    "help": re.compile(r"\w+"),
    "history": re.compile(r"(?!)"),
    "locale": re.compile(r"(?!)"),
    "man": re.compile(r"\w[\w.+-]*"),
    # No `e` of the old kind, and no other column: the environment of other programs has keys in it.
    "ps": re.compile(
        r"-[AadefFHjlLMTwy]*[Coptu]?|[a-df-zA-DF-Z]+|[\d,]+|--forest|--sort=[-+%\w,]+|(?:,?(?:pid|ppid|pgid|sid|uid|user|"
        r"comm|cmd|args|stat|state|time|etime|start|lstart|tty|rss|vsz|ni|pri|nlwp|wchan|%?p?cpu|%?p?mem)=?)+"
    ),
    "uniq": re.compile(r"-[a-z]+|--count"),  # its second operand is written
}
_NEVER_SHORT = {  # options with which a program of the list writes or runs something
    "sort": re.compile(r"-[a-zA-Z]*[oT]"),
    "rg": re.compile(r"-[a-zA-Z]*z"),
    "tree": re.compile(r"-[a-zA-Z]*[oR]"),
    "find": re.compile(r"-(?:delete|exec|execdir|ok|okdir|fprint|fls|fprintf|fprint0|files0-from)"),
    "printf": re.compile(r"-v"),
    "base64": re.compile(r"-[a-zA-Z]*o"),
    "lsof": re.compile(r"-[a-zA-Z0-9]*D"),
    "jq": re.compile(r"-[a-zA-Z]*[fL]|.*\b(?:import|include|modulemeta)\b", re.DOTALL),
    "file": re.compile(r"-[a-zA-Z]*[Cm]"),
    "git": re.compile(r"-O"),
}
_NEVER_LONG = {
    "sort": "output temporary-directory compress-program files0-from",
    "rg": "pre hostname-bin search-zip pre-glob",
    "tree": "output fromfile",
    "jq": "from-file rawfile slurpfile argfile library",
    "base64": "output",
    "wc": "files0-from",
    "du": "files0-from",
    "file": "compile magic-file files-from",
    "git": "output ext-diff textconv filters open-files-in-pager exec upload-pack no-index contents",
}
_GIT = frozenset(
    "status log diff show blame shortlog describe rev-parse ls-files cat-file reflog grep branch tag remote".split()
)
_GIT_LISTS = {  # with operands they make something
    "branch": re.compile(r"(?:-a|-r|-v|-vv|--all|--remotes|--list|--show-current)\Z"),
    "tag": re.compile(r"(?:-l|--list)\Z"),
    "remote": re.compile(r"(?:-v|--verbose)\Z"),
    "stash": re.compile(r"list\Z"),
    "worktree": re.compile(r"list\Z"),
    "reflog": re.compile(r"-.*"),
}
_SED = re.compile(r"(?:\d+|\$)?(?:,(?:\d+|\$))?p")
_VERSION = frozenset(("node", "python", "python3"))
_LISTING = {"docker": ("ps", "images")}
# Set before a command, they change how it prints, not what it runs.
_SAFE_VARIABLES = frozenset(
    """
    LANG LANGUAGE LC_ALL LC_CTYPE LC_TIME CHARSET TERM COLORTERM NO_COLOR FORCE_COLOR TZ CI NODE_ENV RUST_BACKTRACE
    RUST_LOG PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE GOOS GOARCH CGO_ENABLED GO111MODULE
    """.split()
)
_SHOWS = "shows_without_running"
_LOOKED_THROUGH = frozenset(("timeout", "command", "builtin"))


def line_reads(line: ShellLine, is_inside: Inside, folders: Sequence[str]) -> bool:
    """Whether all of a line only reads. A group or a job in the background is not followed that far."""
    if not line.is_plain or line.has_groups:
        return False
    return all(command_reads(each, is_inside, folders) for each in line.commands)


def command_reads(command: LineCommand, is_inside: Inside, folders: Sequence[str]) -> bool:
    """`folders` are those in which it may run."""
    if not command.is_plain or None in command.words or not _starts_plainly(command):
        return False
    if not all(_is_harmless(each.operator, each.target) for each in command.redirects):
        return False
    words = [each for each in command.words if each is not None]
    if has_odd_blanks(command.text) or not sets_only_safe(command):
        return False
    if not words or not (_reads(words) or _looks_through(words)):
        return False
    if words[0] == "git" and not all(export_of("pisces.gates", "git_settings", _SHOWS)(each) for each in folders):
        return False
    paths = (each for each in file_uses(command) if each.path != "/dev/null")
    return all(not each.writes and is_inside(each) for each in paths) and _leads_nowhere(words, is_inside)


def has_odd_blanks(text: str) -> bool:
    """Blanks that people see as the end of a word, and a shell does not."""
    return "\\ " in text or "\\\t" in text or any(sign.isspace() and sign not in " \t\n" for sign in text)


def sets_only_safe(command: LineCommand) -> bool:
    is_computed = bool(command.assigned) and ("$" in command.text or "`" in command.text)
    return set(command.assigned) <= _SAFE_VARIABLES and not is_computed


def _looks_through(words: Sequence[str]) -> bool:
    return words[0] in _LOOKED_THROUGH and len(words) > 1 and words[1] not in ("-v", "-V")


def _starts_plainly(command: LineCommand) -> bool:
    return not command.wrappers or set(command.wrappers) <= _LOOKED_THROUGH


def _is_harmless(operator: str, target: str | None) -> bool:
    if operator in ("<", "<<<"):
        return target is not None
    if operator in ("<<", "<<-"):
        return False
    return target == "/dev/null" or (operator in (">&", "<&") and (target or "").isdigit())


def _leads_nowhere(words: Sequence[str], is_inside: Inside) -> bool:
    """Whether no option has a path in it that leads out."""
    options = [each for each in words[1:] if each.startswith("-") and ("/" in each or "~" in each)]
    paths = [each[re.search(r"[/~]", each).start() :] for each in options]  # type: ignore[union-attr]
    folders = words[1:2] if words[:1] == ["cd"] else []
    return all(is_inside(FileUse(each, writes=False)) for each in (*paths, *folders))


def _reads(words: Sequence[str]) -> bool:
    name, rest = words[0], words[1:]
    if any(_is_risky(name, each) for each in rest):
        return False
    if name in _ANY or name in ("sort", "rg", "tree", "printf", "find"):
        return True
    if name in _ALONE:
        return all(_ALONE[name].fullmatch(each) for each in rest)
    if name == "git":
        return _git_reads(rest)
    if name == "sed":
        return len(rest) > 1 and rest[0] == "-n" and _SED.fullmatch(rest[1]) is not None and rest[2:] == rest[2:3]
    if name in _VERSION:
        return list(rest) in (["--version"], ["-v"]) and (name != "python3" or rest[0] == "--version")
    return bool(rest) and rest[0] in _LISTING.get(name, ()) and len(rest) == 1


def _is_risky(name: str, word: str) -> bool:
    """Most programs take the beginning of a long option for all of it."""
    short = _NEVER_SHORT.get(name)
    if short and not word.startswith("--") and short.match(word):
        return True
    option = word[2:].partition("=")[0] if word.startswith("--") else ""
    return bool(option) and any(each.startswith(option) for each in _NEVER_LONG.get(name, "").split())


def _git_reads(rest: Sequence[str]) -> bool:
    lists = _GIT_LISTS.get(rest[0]) if rest else None
    if lists:
        return all(lists.match(each) for each in rest[1:]) and (rest[0] in _GIT or len(rest) == 2)
    return bool(rest) and rest[0] in _GIT
