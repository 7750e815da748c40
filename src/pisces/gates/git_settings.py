"""Whether git, asked only to show something, runs what a repository brings: `git status` starts the program that
`core.fsmonitor` names, `git diff` filters and converters, and both a hook when they write the index.

What somebody unpacks may have a `.git` of theirs. So a repository's settings are read against a list of what is known
to start nothing; with any other setting the user is asked.
"""

from __future__ import annotations

import os
import re
from stat import S_ISREG

from pisces.files import Unreadable, read_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

# Sections in which nothing is run by commands that only show something.
_HARMLESS = frozenset(
    """
    user author committer branch color column init pull push rebase gc pack status advice rerere blame fetch index
    feature receive submodule tag stash transfer http maintenance merge commit format log notes sequence worktree
    versionsort gui github credential alias url difftool mergetool interactive apply am checkout clean clone grep
    """.split()
)
_HARMLESS_KEYS = {
    "core": """repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol
        safecrlf longpaths untrackedcache quotepath abbrev hidedotfiles compression trustctime checkstat
        commentchar whitespace sparsecheckout sparsecheckoutcone editor preloadindex bigfilethreshold
        protecthfs protectntfs sharedrepository packedgitlimit deltabasecachelimit commitgraph multipackindex
        checkroundtripencoding splitindex warnambiguousrefs""",
    "remote": "url fetch pushurl tagopt prune prunetags mirror skipdefaultupdate skipfetchall gh-resolved",
    "lfs": "repositoryformatversion locksverify access url",
    "extensions": "worktreeconfig refstorage noop preciousobjects relativeworktrees",
    "diff": """algorithm colormoved colormovedws context interhunkcontext ignoresubmodules indentheuristic
        mnemonicprefix noprefix renames renamelimit statgraphwidth submodule suppressblankempty wserrorhighlight
        autorefreshindex dirstat relative tool guitool binary xfuncname funcname wordregex cachetextconv""",
}
_SECTION = re.compile(r'\[([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\\n]|\\.)*)")?\]')
_SETTING = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?", re.DOTALL)
_PLAIN = re.compile(r"[\w./-]+", re.ASCII)
_HOOK = "post-index-change"  # runs whenever the index is written, which `git status` does
_GITLINK = b"\x00\x00\xe0\x00"
_MOST_MODULES = 100
_LARGEST_INDEX = 64 << 20
_ENTRY = 62  # bytes of an entry of the index before its name


def shows_without_running(folder: str) -> bool:
    """Whether git in this folder obeys nothing but itself and the user's own settings."""
    try:
        return _is_tame(folder, [_MOST_MODULES])
    except (OSError, ValueError, IndexError, Unreadable):
        return False


def _is_tame(folder: str, left: list[int]) -> bool:
    top = os.path.realpath(folder)
    while _is_tame_here(top, left):  # git goes on upwards where it does not like what it finds
        if os.path.dirname(top) == top:
            return True
        top = os.path.dirname(top)
    return False


def _is_tame_here(top: str, left: list[int]) -> bool:
    if _has(top, "HEAD") and (_has(top, "objects") or _has(top, "commondir")):
        return os.path.basename(top) == ".git"  # else a repository that looks like plain files
    inside = os.path.join(top, ".git")
    return not os.path.lexists(inside) or _is_tame_repository(top, _git_folder(inside), left)


def _has(folder: str, name: str) -> bool:
    return os.path.lexists(os.path.join(folder, name))


def _git_folder(inside: str) -> str:
    if os.path.isdir(inside):
        return inside
    return os.path.join(os.path.dirname(inside), read_text(inside).removeprefix("gitdir:").strip())


def _is_tame_repository(top: str, git: str, left: list[int]) -> bool:
    common = os.path.join(git, "commondir")
    shared = os.path.join(git, read_text(common).strip()) if os.path.lexists(common) else git
    files = (os.path.join(shared, "config"), os.path.join(git, "config.worktree"))
    hooks = [os.path.join(shared, "hooks")]
    for section, key, value in (each for file in files if os.path.lexists(file) for each in _settings(read_text(file))):
        if (section, key) == ("core", "hookspath") and _PLAIN.fullmatch(value):
            hooks.append(os.path.join(top, value))
        elif not (_is_harmless(section, key, value) or _is_own_folder(section, key, os.path.join(git, value), top)):
            return False
    if any(_has(each, _HOOK) for each in hooks):
        return False
    inner = (os.path.join(top, each) for each in _modules(git))
    return all(not _has(each, ".git") or _is_tame_module(each, left) for each in inner)


def _is_tame_module(folder: str, left: list[int]) -> bool:
    left[0] -= 1
    return left[0] >= 0 and _is_tame_repository(folder, _git_folder(os.path.join(folder, ".git")), left)


def _is_harmless(section: str, key: str, value: str) -> bool:
    if (section, key) == ("core", "fsmonitor"):
        return value.lower() in ("true", "false", "")
    return section in _HARMLESS or key in _HARMLESS_KEYS.get(section, "").split()


def _is_own_folder(section: str, key: str, path: str, top: str) -> bool:
    return (section, key) == ("core", "worktree") and os.path.realpath(path) == top


def _settings(text: str) -> Iterator[tuple[str, str, str]]:
    """Section, key and value of each line. What cannot be read is a `ValueError`: git may read something in it."""
    section = ""
    for line in text.split("\n"):
        rest = line.strip()
        if rest.endswith("\\"):
            raise ValueError("a line that goes on in the next")
        while found := _SECTION.match(rest):
            section, rest = found[1].partition(".")[0].lower(), rest[found.end() :].strip()
        if not rest or rest[0] in "#;":
            continue
        setting = _SETTING.fullmatch(rest)
        if setting is None or not section:
            raise ValueError("a line that is no setting")
        yield section, setting[1].lower(), (setting[2] or "").strip()


def _modules(git: str) -> Iterator[str]:
    """The folders of other repositories in this one, which `git status` looks into. They are in the index."""
    if any(name.startswith("sharedindex.") for name in os.listdir(git)):
        raise ValueError("an index in two files")
    index = os.path.join(git, "index")
    data = _bytes(index) if os.path.lexists(index) else b""
    if _GITLINK not in data:
        return
    if data[4:8] not in (b"\0\0\0\2", b"\0\0\0\3"):
        raise ValueError("an index of another kind")
    at = 12
    for _ in range(int.from_bytes(data[8:12], "big")):
        mode, is_longer = data[at + 24 : at + 28], data[at + 60] & 0x40
        start = at + _ENTRY + (2 if is_longer else 0)
        end = data.index(b"\0", start)
        if mode == _GITLINK:
            yield os.fsdecode(data[start:end])
        at += (end - at + 8) & ~7


def _bytes(index: str) -> bytes:
    """The index of a large repository is longer than any other file that is read."""
    status = os.stat(index)
    if not S_ISREG(status.st_mode) or status.st_size > _LARGEST_INDEX:
        raise ValueError("no index that can be read")
    with open(index, "rb") as file:
        return file.read()
