"""Programs that fetch what they run, and which package they would fetch."""

from __future__ import annotations

_RUNNERS = (
    *(("npx",), ("bunx",), ("uvx",), ("pnpx",), ("npm", "exec"), ("npm", "x"), ("pnpm", "dlx"), ("yarn", "dlx")),
    *(("bun", "x"), ("uv", "tool", "run"), ("uv", "run", "--with"), ("pipx", "run"), ("deno", "run")),
)
_TAKES_PACKAGE = ("--from", "-p", "--package", "--spec")
_TAKES_VALUE = ("--python", "--with", "--index", "--index-url", "-c", "--call", "--registry", "--directory")


def launched_package(words: tuple[str, ...]) -> str:
    """The package that npx, uvx and their like would fetch; empty for other commands."""
    program = words[0].replace("\\", "/").rpartition("/")[2].removesuffix(".cmd").removesuffix(".exe")
    line = (program, *words[1:])
    for runner in _RUNNERS:
        if line[: len(runner)] == runner:
            package = _first_package(line[len(runner) :])
            return package if program != "deno" or package.startswith(("http", "npm:", "jsr:")) else ""
    return ""


def _first_package(words: tuple[str, ...]) -> str:
    at = 0
    while at < len(words):
        flag, _, value = words[at].partition("=")
        if flag in _TAKES_PACKAGE:
            return value or (words[at + 1] if at + 1 < len(words) else "")
        if not flag.startswith("-"):
            return words[at]
        at += 2 if flag in _TAKES_VALUE and not value else 1
    return ""
