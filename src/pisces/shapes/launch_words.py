"""Command lines that fetch what they run: which ones there are, what they would fetch, and what an exact version is.

A shell line is looked at piece by piece; the first piece that floats makes the whole line float.
"""

from __future__ import annotations

import re
import shlex

from pisces.shapes.launch_runners import RUNNERS, Floating

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Words = tuple[str, ...]

_SHELLS = {"sh", "bash", "zsh", "dash", "ksh", "fish", "cmd", "powershell", "pwsh"}
_RUNS_LINE = re.compile(r"-[a-z]*c|/c|/k|-command", re.IGNORECASE)
_BETWEEN = re.compile(r"&&|\|\||[;&|\n]")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_DOWNLOADS = {"curl", "wget", "invoke-webrequest", "iwr", "invoke-restmethod", "irm"}
_ENDINGS = (".exe", ".cmd", ".bat", ".ps1")
_DEEPEST = 5
_LONGEST = 20_000  # characters; nobody reviews a longer line, and taking it apart would take long


def float_of(argv: Words, depth: int = 0) -> Floating | None:
    """Why a command line does not always start the same code; None if it does."""
    if sum(map(len, argv)) > _LONGEST:
        return Floating("the command line is too long to be judged", "start a program of the package")
    words = _without_env(argv)
    if not words or depth > _DEEPEST:
        return None
    program = program_of(words[0])
    if program in _SHELLS:
        found = (float_of(each, depth + 1) for each in _lines_of(words))
        return next((each for each in found if each), None)
    if program in _DOWNLOADS and depth:
        return Floating(f"`{program}` downloads what is run", "put the program into the package")
    runner = RUNNERS.get(program)
    return runner(words[1:]) if runner else None


def commands_in(argv: Words, depth: int = 0) -> Iterator[Words]:
    """The command line without `env` before it, and each that a shell would start if it is one."""
    words = _without_env(argv)
    if not words or depth > _DEEPEST or sum(map(len, argv)) > _LONGEST:
        return
    yield words
    for line in _lines_of(words) if program_of(words[0]) in _SHELLS else ():
        yield from commands_in(line, depth + 1)


def program_of(word: str) -> str:
    name = word.replace("\\", "/").rpartition("/")[2].lower()
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    return name


def _without_env(words: Words) -> Words:
    """`env -i A=B npx x` starts npx, and so does `A=B npx x` in a shell."""
    passed = False
    while words and (_ASSIGNMENT.match(words[0]) or (passed and words[0].startswith("-")) or _is_prefix(words[0])):
        passed = passed or _is_prefix(words[0])
        words = words[1:]
    return words


def _is_prefix(word: str) -> bool:
    return program_of(word) in ("env", "exec", "command", "cross-env", "nohup")


def _lines_of(words: Words) -> Iterator[Words]:
    """What a shell would start. `cmd /c npx x` gives the rest as words, `sh -c "npx x"` as one text."""
    for at, word in enumerate(words[1:], 1):
        if _RUNS_LINE.fullmatch(word):
            rest = words[at + 1 :]
            if program_of(words[0]) == "cmd" or len(rest) > 1:
                yield rest
            for line in _BETWEEN.split(rest[0] if rest else ""):
                yield _split(line)
            return


def _split(line: str) -> Words:
    try:
        return tuple(shlex.split(line))
    except ValueError:  # an open quote
        return tuple(line.split())
