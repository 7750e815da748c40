"""Which files a command of a shell line reads and writes, as far as its words say it.

What a program does that is not listed here is not known: then its operands are read, but nobody is sure.
"""

from __future__ import annotations

import re
from itertools import takewhile

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pisces.gates.shell_words import Words
    from pisces.shapes.shell_line import LineCommand

READERS = frozenset(
    """
    cat head tail wc sort uniq cut nl tac rev fold fmt od hexdump xxd strings base64 base32 md5sum sha1sum sha224sum
    sha256sum sha384sum sha512sum b2sum cksum sum diff cmp comm paste join column file stat ls dir tree du less more bat
    zcat bzcat xzcat source . readlink expand unexpand pr tsort iconv mapfile readarray lsof shellcheck
    """.split()
)
_PATTERN_FIRST = frozenset("grep egrep fgrep zgrep rg ag ack jq yq gojq awk gawk mawk nawk".split())
_ALL_WRITTEN = frozenset("touch rm rmdir mkdir tee truncate shred unlink mkfifo mknod patch chattr".split())
_SECOND_WRITTEN = frozenset("chmod chown chgrp setfacl".split())
_LAST_WRITTEN = frozenset("cp install ln rsync scp split".split())
_NO_FILES = frozenset(
    """
    echo printf true false : sleep expr seq basename dirname pwd whoami id date uname hostname which type man help cd
    export unset set read wait exit return break continue shift kill ps uptime free history jobs alias env printenv
    arch nproc locale groups cal tty umask ulimit times trap eval exec command builtin timeout nice nohup time xargs tr
    realpath test [ [[ ((
    """.split()
)
_OUTPUT_OPTIONS = {
    "sort": ("-o", "--output"),
    "curl": ("-o", "--output", "-D", "--dump-header", "-c", "--cookie-jar"),
    "wget": ("-O", "--output-document", "-o", "--output-file", "-P", "--directory-prefix"),
    "tar": ("-C", "--directory", "-f", "--file"),
    "unzip": ("-d",),
    "tree": ("-o",),
    "git": ("--output",),
    "gcc": ("-o",),
}
_DEEP = frozenset(("rm", "mv", "rmdir", "cp", "rsync", "shred"))
_GIT_READS = frozenset("diff show log blame grep cat-file annotate archive ls-tree".split())
_GIT_WRITES = frozenset("checkout restore rm mv clean apply".split())
_IN_PLACE = re.compile(r"-[A-Za-z0-9]*i|--i")
_FOLLOWING = {
    **dict.fromkeys(("grep", "egrep", "fgrep"), re.compile(r"-[A-Za-z]*R|--d")),
    "rg": re.compile(r"-[A-Za-z]*L|--fo"),
    "tree": re.compile(r"-[A-Za-z]*l"),
    "find": re.compile(r"-L|-follow"),
    "du": re.compile(r"-[A-Za-z]*L|--d"),
    "ls": re.compile(r"-[A-Za-z]*L|--d"),
}
_TO_FOLDER = ("-t", "--target-directory")
_WRITTEN_BY = (">", ">>", ">|", "&>", "&>>", "<>")


class FileUse(Value):
    """`path` is None where it is known only when the line runs. `is_sure` is false where a program is not known.

    `is_deep` is set where everything below a folder is concerned, `is_pattern` where the shell finds the names.
    """

    path: str | None
    writes: bool
    is_sure: bool = True
    is_deep: bool = False
    is_pattern: bool = False


def file_uses(command: LineCommand) -> list[FileUse]:
    """Of the command as it is written; redirections first."""
    found = [each for redirect in command.redirects for each in _redirected(redirect.operator, redirect.target)]
    patterns = {command.words[number] for number in command.patterns if number < len(command.words)}
    uses = uses_of(command.words)
    return [*found, *(each.replace(is_pattern=True) if each.path in patterns else each for each in uses)]


def _redirected(operator: str, target: str | None) -> Iterator[FileUse]:
    if operator in _WRITTEN_BY or (operator == ">&" and not (target or "").rstrip("-").isdigit() and target != "-"):
        yield FileUse(target, writes=True)
    if operator in ("<", "<>"):
        yield FileUse(target, writes=False)


def uses_of(words: Words) -> list[FileUse]:
    name = (words[0] or "").rpartition("/")[2].lower() if words else ""
    operands, options = _operands(words[1:])
    if not name or name in _NO_FILES:
        return []
    uses = _by_options(name, words[1:])
    if name == "git":
        return [*uses, *_git(operands)]
    if name == "dd":
        return [FileUse(each[3:], each.startswith("of=")) for each in operands if each and each[:3] in ("if=", "of=")]
    if name == "find":
        is_written = any(each in ("-delete", "-fprint", "-fls", "-fprintf", "-fprint0") for each in words)
        is_deep = is_written or _follows(name, options)
        starts = list(takewhile(_is_a_start, words[1:])) or (["."] if is_deep else [])
        return [FileUse(each, is_written, is_deep=is_deep) for each in starts]
    found = _by_program(name, operands, options)
    if _follows(name, options):
        found = [each.replace(is_deep=True) for each in found or [FileUse(".", writes=False)]]
    return [*uses, *found]


def _follows(name: str, options: Sequence[str]) -> bool:
    """Whether a program goes through links that it finds below a folder."""
    sign = _FOLLOWING.get(name)
    return name == "diff" or (sign is not None and any(sign.match(each) for each in options))


def _is_a_start(word: str | None) -> bool:
    """Places come first, then tests."""
    return word is None or (not word.startswith("-") and word not in ("!", "(", ")", ","))


def _by_program(name: str, operands: Sequence[str | None], options: Sequence[str]) -> list[FileUse]:
    if name in ("sed", "gsed", "perl", "ruby"):
        is_written = any(_IN_PLACE.match(each) for each in options)
        has_script = any(each in ("-e", "-f", "--expression", "--file") for each in options)
        return [FileUse(each, is_written) for each in (operands if has_script and name == "sed" else operands[1:])]
    if name in _PATTERN_FIRST:
        has_pattern = any(each in ("-e", "-f", "--regexp", "--file") for each in options)
        return [FileUse(each, writes=False) for each in (operands if has_pattern else operands[1:])]
    if name in _ALL_WRITTEN:
        return [FileUse(each, writes=True, is_deep=name in _DEEP) for each in operands]
    if name in _SECOND_WRITTEN:
        return [FileUse(each, writes=True) for each in operands[1:]]
    if name == "mv":
        moved = [FileUse(each, writes=True, is_deep=True) for each in operands]
        return [*moved, *_put_into(operands[:-1], operands[-1:])]
    if name in _LAST_WRITTEN:
        has_folder = any(each.split("=")[0] in _TO_FOLDER for each in options)
        sources = operands if has_folder else operands[:-1]
        inside = _put_into(sources, operands[-1:]) if not has_folder else []
        read = [FileUse(each, writes=False, is_deep=name in _DEEP) for each in sources]
        return [*read, *(FileUse(each, writes=True) for each in (() if has_folder else operands[-1:])), *inside]
    return [FileUse(each, writes=False, is_sure=name in READERS) for each in operands]


def _put_into(sources: Sequence[str | None], target: Sequence[str | None]) -> list[FileUse]:
    """Where the target is a folder, each source gets a place in it."""
    names = [each.rstrip("/").rpartition("/")[2] for each in sources if each]
    return [FileUse(f"{folder}/{name}", writes=True) for folder in target if folder for name in names if name]


def _by_options(name: str, rest: Words) -> list[FileUse]:
    """Files that options name: `-o x`, `-ox`, `-so x`, `--output=x`, `--outp x`."""
    wanted = (*_OUTPUT_OPTIONS.get(name, ()), *(_TO_FOLDER if name in ("cp", "mv", "install", "ln") else ()))
    uses = []
    for number, each in enumerate(rest if wanted else ()):
        value = _option_value(each or "", wanted)
        if value is not None:
            following = rest[number + 1 : number + 2]
            uses += [FileUse(path, writes=True) for path in ((value,) if value else following)]
    return uses


def _option_value(word: str, wanted: Sequence[str]) -> str | None:
    """What stands in the word behind one of these options, empty where the next word is it; None for other words."""
    if word.startswith("--"):
        option, _, value = word.partition("=")
        return value if len(option) > 2 and any(each.startswith(option) for each in wanted) else None
    if not word.startswith("-"):
        return None
    letters = [each[1] for each in wanted if not each.startswith("--")]
    at = next((number for number, letter in enumerate(word[1:], 1) if letter in letters), 0)
    return word[at + 1 :] if at else None


def _git(operands: Sequence[str | None]) -> list[FileUse]:
    subcommand = operands[0] if operands else ""
    if subcommand in _GIT_WRITES:
        return [FileUse(each, writes=True) for each in operands[1:]]
    if subcommand not in _GIT_READS:
        return [FileUse(each, writes=False, is_sure=False) for each in operands[1:]]
    paths = [each.rpartition(":")[2] if each else each for each in operands[1:]]
    return [FileUse(each, writes=False) for each in paths if each != ""]


def _operands(rest: Words) -> tuple[list[str | None], list[str]]:
    """Operands, and options. Values of options are among the operands: a program's own options are not known here."""
    if "--" in rest:
        end = rest.index("--")
        before, options = _operands(rest[:end])
        return [*before, *rest[end + 1 :]], options
    operands = [each for each in rest if each is None or not each.startswith("-") or each == "-"]
    return operands, [each for each in rest if each and each.startswith("-") and each != "-"]
