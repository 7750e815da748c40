"""Ignore files mean here what they mean to Git."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from random import Random

import pytest

from pisces.discovery.ignore_files import IgnoreFiles
from pisces.formats.git_glob import matches, parts_of

needs_git = pytest.mark.skipif(not shutil.which("git"), reason="needs git")

CASES = 300
SEED = int(os.environ.get("PISCES_ODD_SEED") or 1)
NAMES = ["a", "b", "ab", "abc", "a.txt", "b.log", "x y", "é", "[a]", "a-b", "#h", "!n", ".dot", "A", "a\\b", "foo", "]"]
PIECES = [
    *"a b ab c . .txt .log foo x * ** ? *** [ab] [!a] [^b] [a-c] [c-a] [a-] [-a] []a] [!]a] [[:alpha:]]".split(),
    *"[[:digit:]b] [[:nope:]] [[:alpha] [[:]] [a/b] [\\]] [a [ ] \\* \\[ \\a \\] é ? * / / **/ /**/ /** #".split(),
    *("[[:upper:]]", "!", "-", ".", " ", "  ", "\\ ", "\\\\"),
]
ODD_LINES = [
    "",
    " ",
    "/",
    "//",
    "**",
    "*/",
    "/*",
    "/**",
    "/**/",
    "**/",
    "!",
    "!/",
    "!*",
    "#h",
    "\\#h",
    "\\!n",
    "!\\!n",
    "a\\",
    "a \\ ",
    "x y  ",
    "x\\ y",
    "a/",
    "!a/",
    "a/*",
    "!a/b",
    "a/**/b",
    "**/b/**",
    "*.txt\r",
    "a\\\\b",
]
# To Git `a**/b` matches `ab`, against its own manual: it takes plain text off the front and then sees `**/b`.
GIT_IS_ODD = re.compile(r"[^*?\[\\]*[^*?\[\\/]\*\*")


@needs_git
def test_git_ignores_the_same_files(tmp_path: Path) -> None:
    """Each case is a folder with ignore files of its own, so that Git is started once."""
    random = Random(SEED)
    paths = [f"{case}/{path}" for case in range(CASES) for path in tree(tmp_path / str(case))]
    for case in range(CASES):
        for place in ("", "a", "a/b"):
            if not place or random.random() < 0.4:
                (tmp_path / str(case) / place / ".gitignore").write_bytes(pattern_file(random).encode())
    repository(tmp_path)
    ours, git = ignored_here(tmp_path, paths), ignored_by_git(tmp_path, paths)
    assert len(paths) * 0.9 > len(git) > len(paths) * 0.1
    wrong = sorted(ours ^ git)
    assert not wrong, wrong[:20]


@needs_git
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_git_reads_each_odd_line_alike(start: str, tmp_path: Path) -> None:
    paths = tree(tmp_path)
    repository(tmp_path)
    for line in ODD_LINES:
        (tmp_path / ".gitignore").write_bytes(f"{start}*.log\n{line}\n".encode())
        assert ignored_here(tmp_path, paths) == ignored_by_git(tmp_path, paths), line


@needs_git
def test_what_the_repository_above_ignores_is_ignored_in_a_workspace_below(tmp_path: Path) -> None:
    paths = tree(tmp_path)
    repository(tmp_path)
    (tmp_path / ".gitignore").write_text("b.log\n/a/b/abc\n", encoding="utf-8")
    below = [path for path in paths if path.startswith("a/")]
    ignores = IgnoreFiles(str(tmp_path / "a"))
    ours = {path for path in below if ignores.is_ignored(str(tmp_path / path), folder=(tmp_path / path).is_dir())}
    assert ours
    assert ours == ignored_by_git(tmp_path, below)


def test_without_a_repository_only_geminiignore_counts(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("a.txt\n", encoding="utf-8")
    (tmp_path / ".geminiignore").write_text("b.txt\n", encoding="utf-8")
    ignores = IgnoreFiles(str(tmp_path))
    assert not ignores.is_ignored(str(tmp_path / "a.txt"), folder=False)
    assert ignores.is_ignored(str(tmp_path / "b.txt"), folder=False)


def test_geminiignore_has_the_last_word_but_not_inside_an_ignored_folder(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("*.log\nout/\n", encoding="utf-8")
    (tmp_path / ".geminiignore").write_text("!b.log\n!out/b.log\n", encoding="utf-8")
    ignores = IgnoreFiles(str(tmp_path))
    assert ignores.is_ignored(str(tmp_path / "a.log"), folder=False)
    assert not ignores.is_ignored(str(tmp_path / "b.log"), folder=False)
    assert ignores.is_ignored(str(tmp_path / "out" / "b.log"), folder=False)


def test_a_pattern_made_to_be_slow_is_not() -> None:
    parts = parts_of(b"*a" * 40 + b"b/" + b"**/a/" * 40 + b"c")
    started = time.process_time()
    assert not matches(parts, [b"a" * 4000, *[b"a"] * 400])
    assert time.process_time() - started < 1


def pattern_file(random: Random) -> str:
    lines = [pattern(random) for _ in range(random.randint(1, 5))]
    return "\n".join(lines) + random.choice(["", "\n", "\r\n"])


def pattern(random: Random) -> str:
    if random.random() < 0.1:
        return random.choice(ODD_LINES)
    body = random.choice(NAMES) if random.random() < 0.2 else "".join(random.choices(PIECES, k=random.randint(1, 5)))
    whole = random.choice(["", "", "", "!", "/", "!/"]) + body + random.choice(["", "", "", "/"])
    return "" if GIT_IS_ODD.match(whole) else whole


def tree(root: Path) -> list[str]:
    """Files and folders of odd names, three levels deep; all of their paths."""
    paths = [*NAMES, *(f"a/{name}" for name in NAMES), *(f"a/b/{name}" for name in NAMES), "foo/a.txt", "ab/a/b/c"]
    folders = {"a", "a/b", "foo", "ab", "ab/a", "ab/a/b", "a/foo"}
    for folder in folders:
        (root / folder).mkdir(parents=True, exist_ok=True)
    for path in paths:
        if path not in folders:
            (root / path).touch()
    return sorted({*paths, *folders})


def repository(root: Path) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)


def ignored_here(root: Path, paths: list[str]) -> set[str]:
    ignores = IgnoreFiles(str(root))
    return {path for path in paths if ignores.is_ignored(f"{root}/{path}", folder=os.path.isdir(f"{root}/{path}"))}


def ignored_by_git(root: Path, paths: list[str]) -> set[str]:
    command = ["git", "-c", "core.excludesFile=", "check-ignore", "--no-index", "-z", "--stdin"]
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    told = subprocess.run(
        command, input="\0".join(paths), cwd=root, env=env, capture_output=True, text=True, check=False
    )
    assert told.returncode in (0, 1), told.stderr
    return set(filter(None, told.stdout.split("\0")))
