"""Words with which a command leaves the folder that an allow rule is bound to, or runs other code than it is named for.

`npm test` was agreed to in one folder. `npm test --prefix ../other` tests another one, `go test -exec ./x` runs `x`,
and `pytest ../t.py` runs a file that is not of the workspace: nobody has seen those.
"""

from __future__ import annotations

import os

from pisces.discovery.containment import stays_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SHORTEST = 3  # letters of a long option that is cut short: `--pref` is `--prefix` to some programs
# Whatever the program is.
_FOLDERS = frozenset("C cwd dir directory chdir prefix manifest-path rootdir git-dir work-tree".split())
_LONG_WITH_ONE_DASH = frozenset(("go",))
# They name a program, a file of settings or code that is run.
_CODE = {
    **dict.fromkeys(
        ("npm", "pnpm", "yarn", "bun"),
        """script-shell shell shell-emulator node-options node-arg userconfig globalconfig config c r require preload
        import env-file experimental-loader local-prefix location global g workspace workspaces w filter F
        recursive""".split(),
    ),
    "cargo": "config Z target-dir lockfile-path".split(),
    "go": "exec toolexec vettool overlay modfile gccgoflags ldflags compiler pkgdir o outputdir".split(),
    "git": "exec-path config-env template pathspec-from-file F file".split(),
    "pytest": "p c o config-file override-ini confcutdir import-mode pyargs basetemp pdbcls".split(),
    "mypy": "python-executable config-file custom-typeshed-dir custom-typing-module install-types".split(),
    "ruff": "config".split(),
}


def leave(program: str, words: Sequence[str | None], folder: str, workspace: str) -> bool:
    """Whether one of the words behind a rule's own may do so. `folder` is where the command runs."""
    return any(word is None or _names_code(program, word) or _is_outside(word, folder, workspace) for word in words)


def _names_code(program: str, word: str) -> bool:
    if not word.startswith("-"):
        return False
    bare = word.lstrip("-").partition("=")[0].replace("_", "-")
    known = _FOLDERS.union(_CODE.get(program, ()))
    letters = "" if word.startswith("--") else bare[:1] if program in _LONG_WITH_ONE_DASH else bare
    if bare in known or not known.isdisjoint(letters):  # `-C x`, `-Cx` and `-qC x`
        return True
    return len(bare) >= _SHORTEST and any(each.startswith(bare.lower()) for each in known)


def _is_outside(word: str, folder: str, workspace: str) -> bool:
    return any(not stays_inside(os.path.join(folder, each), workspace) for each in _paths_in(word))


def _paths_in(word: str) -> Iterator[str]:
    """`--file=a`, `-fa` and `@a` are about the file `a`. A home is always elsewhere, or is asked about."""
    parts = [word, word.partition("=")[2], *([word[2:]] if word.startswith("-") else [])]
    for each in parts:
        path = each.lstrip("@")
        if path:
            yield os.sep if path.startswith("~") else path
