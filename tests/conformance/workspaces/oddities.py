"""Shapes that people's files have and the generators do not: wrong types, odd text, odd headers, links, other places.

`with_oddities` changes a workspace that is written already. It knows no program: which settings may be set is handed
in. A file keeps its harmless commands: values are replaced, nothing that could run is invented.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from tests.conformance.workspaces.workspace import Workspace

# A plugin in a marketplace, or the copy of one.
PLUGIN = re.compile(r"(?:market|home/[^/]+/plugins/cache/[^/]+)/(?P<plugin>[^/.]+)/(?:[\d.]+/)?(?P<rest>.+)")
VALUES: tuple[Any, ...] = (None, True, False, 0, 3, -1, 1.5, "", "x", " ", [], ["x"], [3], [None], {}, {"a": 1}, "true")
NAMES = ("Upper Case", "dotted.name", "under_score", "ümlaut", "a+b", "UPPER", "-dash", "x" * 70, "12", "a  b", "é")
HEADERS = (  # each is one line of a header, for any key
    "{key}:",
    "{key}: 12",
    "{key}: 1.0",
    "{key}: true",
    "{key}: null",
    "{key}: ~",
    "{key}: [a, b]",
    "{key}: {{a: b}}",
    "{key}: 'single'",
    '{key}: "double \\u00e9"',
    "{key}: |\n  first\n  second",
    "{key}: >-\n  folded\n  text",
    "{key}: a: b",
    "{key}: with # a comment",
    "{key}: # only a comment",
    "{key}: 2026-11-18",
    "{key}: @at",
    "{key}: *star",
    "{key}: `tick`",
    "{key}: - dash",
    "{key}: first\n{key}: second",
    "{key} : spaced",
    "'{key}': quoted",
    "{key}:tight",
    "\t{key}: tab",
    "{key}: <b>",
    "{key}: a\n  continued",
    "{key}: ''",
    '{key}: "unclosed',
    "{key}: {{unclosed",
    "{key}: !!str 3",
    "{key}: %percent",
    "{key}: a\\b",
)
TEXTS: dict[str, Callable[[str], str]] = {
    "BOM": lambda text: "\ufeff" + text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "blank line first": lambda text: "\n" + text,
    "spaces after the fence": lambda text: text.replace("---\n", "--- \n"),
    "four dashes": lambda text: text.replace("---\n", "----\n", 1),
    "never closed": lambda text: "".join(text.rsplit("---\n", 1)),
    "dots close": lambda text: "...\n".join(text.rsplit("---\n", 1)),
    "nothing below": lambda text: text[: text.rfind("---\n") + 3],
    "empty": lambda _text: "",
    "blank": lambda _text: " \n\n",
    "header without keys": lambda text: re.sub(r"---\n.*?---\n", "---\n---\n", text, count=1, flags=re.DOTALL),
    "comment in header": lambda text: text.replace("---\n", "---\n# comment\n", 1),
    "list in header": lambda text: text.replace("---\n", "---\n- item\n", 1),
}
JSON_TEXTS: dict[str, Callable[[str], str]] = {
    "BOM": TEXTS["BOM"],
    "CRLF": TEXTS["CRLF"],
    "empty": TEXTS["empty"],
    "blank": TEXTS["blank"],
    "line comment": lambda text: "// by hand\n" + text,
    "block comment": lambda text: text.replace("{", "{ /* by hand */", 1),
    "trailing comma": lambda text: re.sub(r"\n(\s*)\}\s*$", r",\n\1}", text),
    "inner trailing comma": lambda text: re.sub(r"([\]\}\"])\n(\s*)\]", r"\1,\n\2]", text, count=1),
    "text after it": lambda text: text + "\nx",
    "duplicate": lambda text: re.sub(r"^\{\s*(\"[^\"]+\"): ", r"{ \1: null, \1: ", text, count=1),
    "a list": lambda text: f"[{text}]",
    "null": lambda _text: "null",
    "text": lambda _text: '"text"',
    "single quotes": lambda text: text.replace('"', "'"),
    "control character": lambda text: text.replace('"', '"\x01', 1),
}


class Change:
    """One workspace while oddities are added; what was done stands in its traits."""

    def __init__(self, workspace: Workspace, random: Random) -> None:
        self.workspace = workspace
        self.random = random
        self.root = workspace.home.parent
        self.folder = workspace.folder
        self.env = dict(workspace.env)

    def note(self, what: str) -> None:
        self.workspace.traits.append(f"ODD {what}")

    def named(self, path: Path) -> str:
        return str(path.relative_to(self.root))

    def files(self, pattern: str) -> list[Path]:
        return sorted(path for path in self.root.rglob(pattern) if path.is_file() and not path.is_symlink())


def with_oddities(workspace: Workspace, seed: int, settings: Mapping[str, Any], files: list[Path]) -> Workspace:
    """`settings` are dotted keys with a value that is right, `files` where they may stand."""
    change = Change(workspace, Random(f"odd {seed}"))
    for _ in range(change.random.randint(1, 4)):
        act = change.random.choice(ACTS)
        if act is set_one:
            set_one(change, settings, files)
        else:
            act(change)
    return Workspace(workspace.name, workspace.home, change.folder, change.env, workspace.traits)


def set_one(change: Change, settings: Mapping[str, Any], files: list[Path]) -> None:
    """A setting that counts, with its right value or another; in a file that may not be there yet."""
    path, (key, right) = change.random.choice(files), change.random.choice(sorted(settings.items()))
    value = right if change.random.random() < 0.5 else change.random.choice(VALUES)
    try:
        found = json.loads(path.read_text("utf-8")) if path.exists() else {}
    except ValueError:
        return
    *above, last = key.split(".")
    place = found
    for each in above:
        place = place.setdefault(each, {}) if isinstance(place, dict) else None
    if isinstance(place, dict):
        place[last] = value
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
        change.note(f"{change.named(path)} {key} = {json.dumps(value)}")


def wrong_type(change: Change) -> None:
    """A value somewhere in a JSON file is replaced by one of another type."""
    found = _json_file(change)
    if found is None:
        return
    path, value = found
    places = [*_places(value, ())]
    if not places:
        return
    where = change.random.choice(places)
    odd = change.random.choice(VALUES)
    place = value
    for key in where[:-1]:
        place = place[key]
    place[where[-1]] = odd
    path.write_text(json.dumps(value, indent=2) + "\n", "utf-8")
    change.note(f"{change.named(path)} {'.'.join(map(str, where))} = {json.dumps(odd)}")


def _json_file(change: Change) -> tuple[Path, Any] | None:
    files = change.files("*.json") + change.files("*.jsonc")
    if not files:
        return None
    path = change.random.choice(files)
    try:
        return path, json.loads(path.read_text("utf-8"))
    except ValueError:
        return None


def _places(value: Any, above: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in pairs:
        yield (*above, key)
        yield from _places(each, (*above, key))


def odd_json(change: Change) -> None:
    found = _json_file(change)
    if found:
        label, act = change.random.choice(sorted(JSON_TEXTS.items()))
        _rewrite(change, found[0], label, act)


def odd_markdown(change: Change) -> None:
    files = change.files("*.md")
    if files:
        label, act = change.random.choice(sorted(TEXTS.items()))
        _rewrite(change, change.random.choice(files), label, act)


def _rewrite(change: Change, path: Path, label: str, act: Callable[[str], str]) -> None:
    path.write_bytes(act(path.read_text("utf-8")).encode())
    change.note(f"{change.named(path)} {label}")


def odd_header(change: Change) -> None:
    """One key of a header gets another value, or comes to it."""
    files = [path for path in change.files("*.md") if path.read_text("utf-8").startswith("---\n")]
    if not files:
        return
    path = change.random.choice(files)
    text = path.read_text("utf-8")
    keys = [*re.findall(r"^([a-z-]+): ", text, re.MULTILINE), "name", "description", "model", "tools", "allowed-tools"]
    key = change.random.choice(keys)
    line = change.random.choice(HEADERS).format(key=key)
    kept = re.sub(rf"^{re.escape(key)}: .*\n", "", text, flags=re.MULTILINE)
    path.write_text(kept.replace("---\n", f"---\n{line}\n", 1), "utf-8")
    change.note(f"{change.named(path)} header {line!r}")


def odd_name(change: Change) -> None:
    """A command, an agent or the folder of a skill is renamed."""
    files = [path for path in (*change.files("*.md"), *change.files("*.toml")) if path.name != "config.toml"]
    files = [path for path in files if not path.name.isupper() or path.name == "SKILL.md"]
    if not files:
        return
    path = change.random.choice(files)
    name = change.random.choice(NAMES)
    whole = path.parent if path.name == "SKILL.md" else path
    new = whole.with_name(name if whole.is_dir() else name + path.suffix)
    if not new.exists() and whole.name not in ("skills", "skill"):
        for each in (whole, *_copies(change, whole)):
            renamed(each, each.with_name(new.name), change.root)
        change.note(f"{change.named(whole)} renamed {new.name!r}")


def _copies(change: Change, path: Path) -> Iterator[Path]:
    """The same part of a plugin in its marketplace and in the program's cache: a copy names the file it was made of."""
    found = PLUGIN.match(change.named(path))
    for each in sorted(change.root.glob("market/*")) + sorted(change.root.glob("home/*/plugins/cache/*/*/*")):
        twin = each / found["rest"] if found else each
        if found and f"/{found['plugin']}" in f"/{change.named(each)}" and twin != path and twin.exists():
            yield twin


def renamed(old: Path, new: Path, root: Path) -> None:
    """Texts of the workspace that say where something lies say the new place."""
    old.rename(new)
    before, after = str(old.relative_to(root)), str(new.relative_to(root))
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.suffix in (".md", ".json", ".jsonc", ".toml"):
            text = path.read_bytes().decode("utf-8", "surrogateescape")
            path.write_bytes(text.replace(before, after).encode("utf-8", "surrogateescape"))


def link(change: Change) -> None:
    """A file or a folder lies elsewhere, and a link leads to it."""
    below = [path for path in sorted(change.root.rglob("*")) if not path.is_symlink()]
    fixed = {change.folder, *change.folder.parents, change.workspace.home, change.root / "code"}
    below = [path for path in below if path not in fixed and ".git" not in path.parts]
    if not below:
        return
    path = change.random.choice(below)
    target = change.root / "linked" / str(change.random.randrange(10**6)) / path.name
    target.parent.mkdir(parents=True, exist_ok=True)
    path.rename(target)
    path.symlink_to(os.path.relpath(target, path.parent) if change.random.random() < 0.5 else target)
    change.note(f"{change.named(path)} linked")


def dangling(change: Change) -> None:
    files = change.files("*.md") + change.files("*.json")
    if files:
        path = change.random.choice(files)
        path.unlink()
        path.symlink_to(change.root / "nowhere")
        change.note(f"{change.named(path)} dangling")


def another_place(change: Change) -> None:
    """Where the program is started: below, above, in the home folder."""
    folders = [change.workspace.home, change.folder / "src" / "deep", change.folder.parent]
    new = change.random.choice(folders)
    if str(change.folder) in json.dumps(change.env):
        return
    new.mkdir(parents=True, exist_ok=True)
    change.folder = new
    change.note(f"started in {change.named(new)}")


def worktree(change: Change) -> None:
    """`.git` is a file, as in a worktree of a repository that lies beside."""
    git = change.root / "code" / "project" / ".git"
    own = change.root / "code" / "main" / ".git" / "worktrees" / "project"
    if git.is_dir() and not git.is_symlink():
        for path in git.iterdir():
            path.unlink()
        git.rmdir()
        own.mkdir(parents=True)
        for path, text in (  # as git writes them
            (own / "commondir", "../..\n"),
            (own / "gitdir", f"{git}\n"),
            (own / "HEAD", "ref: refs/heads/side\n"),
            (own.parent.parent / "HEAD", "ref: refs/heads/main\n"),
        ):
            path.write_text(text, "utf-8")
        for name in ("objects", "refs"):
            (own.parent.parent / name).mkdir()
        git.write_text(f"gitdir: {own}\n", "utf-8")
        change.note("worktree")


ACTS: tuple[Callable[..., None], ...] = (
    *[set_one] * 4,
    *[wrong_type] * 4,
    odd_json,
    odd_json,
    odd_markdown,
    odd_markdown,
    *[odd_header] * 4,
    odd_name,
    odd_name,
    link,
    link,
    dangling,
    another_place,
    worktree,
)
