"""An index of extensions: read from folders and JSON lists, kept in the cache folder, searched with SQLite.

It is built again when a source has changed. Nothing is fetched, and nothing in those folders is run.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sqlite3
import sys
from contextlib import closing
from difflib import get_close_matches
from typing import Any, NamedTuple

BUNDLED = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "gallery.json")
MANIFESTS = ("gemini-extension.json", "qwen-extension.json", ".claude-plugin/plugin.json", "plugin.json")
PARTS = (("commands", (".toml", ".md")), ("skills", ("SKILL.md",)), ("agents", (".md",)), ("hooks", (".json",)))
LAYOUT = 1  # of the index; another number makes every index be built again
DEEPEST = 3
MOST_FOLDERS = 20_000
LARGEST = 4 * 1024 * 1024


class Problem(Exception):
    """Something that the user can mend; its text says what and how."""


class Extension(NamedTuple):
    name: str
    version: str
    description: str
    keywords: str
    repository: str
    path: str
    brings: str
    text: str  # for searching only

    def as_json(self) -> dict[str, str]:
        return {key: value for key, value in self._asdict().items() if value and key != "text"}


def cache_folder() -> str:
    given = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(given):
        given = os.environ.get("LOCALAPPDATA", "") if os.name == "nt" else ""
    return os.path.join(given or os.path.join(os.path.expanduser("~"), ".cache"), "extension-gallery")


def remembered_file() -> str:
    return os.path.join(cache_folder(), "sources.json")


def sources() -> list[str]:
    given = [path for path in os.environ.get("GALLERY_SOURCES", "").split(os.pathsep) if path.strip()]
    if not given:
        remembered = read_json(remembered_file())
        given = [path for path in remembered if isinstance(path, str)] if isinstance(remembered, list) else []
    return [os.path.abspath(os.path.expanduser(path)) for path in given] or [BUNDLED]


def manifests(folder: str) -> list[str]:
    """The manifests of the packages in a folder, up to three levels down; a package is not searched for others."""
    found: list[str] = []
    pending = [(folder, 0)]
    for here, level in pending:  # it grows while it is walked
        manifest = next((path for name in MANIFESTS if os.path.isfile(path := os.path.join(here, name))), "")
        if manifest:
            found.append(manifest)
        elif level < DEEPEST and len(pending) < MOST_FOLDERS:
            pending.extend((path, level + 1) for path in subfolders(here))
    return found


def subfolders(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(each.path for each in entries if each.is_dir() and each.name not in (".git", "node_modules"))
    except OSError:
        return []


def remember(paths: list[str]) -> None:
    """From now on these are the sources; none means the list that comes along."""
    os.makedirs(cache_folder(), exist_ok=True)
    with open(remembered_file(), "w", encoding="utf-8") as file:
        json.dump(paths, file)


def files_of(source: str) -> list[str]:
    if os.path.isdir(source):
        return manifests(source)
    if not os.path.isfile(source):
        raise Problem(
            f"the source `{source}` does not exist\n  hint: look at GALLERY_SOURCES, or `gallery index --bundled`"
        )
    return [source]


def fingerprint(files: list[str]) -> str:
    whole = hashlib.sha256(f"{LAYOUT} {sys.version_info[:2]}".encode())
    for path in files:
        status = os.stat(path)
        whole.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def extensions_in(path: str) -> list[Extension]:
    """One for a manifest, many for a list; a file that is neither has none."""
    values = read_json(path)
    inside = next((name for name in MANIFESTS if path.replace(os.sep, "/").endswith(f"/{name}")), "")
    if inside:
        return [extension(values, path[: -len(inside) - 1])] if isinstance(values, dict) else []
    entries = values.get("extensions", values.get("plugins")) if isinstance(values, dict) else values
    return [extension(each, "") for each in entries if isinstance(each, dict)] if isinstance(entries, list) else []


def extension(values: dict[str, Any], folder: str) -> Extension:
    keywords = values.get("keywords")
    repository = values.get("repository")
    described = brought(values, folder) if folder else ""
    return Extension(
        name=clean(values.get("name")) or os.path.basename(folder) or "(without a name)",
        version=clean(values.get("version")),
        description=clean(values.get("description")) or (first_sentence(folder) if folder else ""),
        keywords=clean(" ".join(map(str, keywords)) if isinstance(keywords, list) else keywords),
        repository=clean(repository.get("url") if isinstance(repository, dict) else repository),
        path=folder,
        brings=described,
        text=readme(folder) if folder else "",
    )


def brought(manifest: dict[str, Any], folder: str) -> str:
    """`3 commands, 1 skill`: what lies in the folder, without reading it."""
    counts = {kind: count(os.path.join(folder, kind), endings) for kind, endings in PARTS}
    servers, programs = manifest.get("mcpServers"), manifest.get("commands")
    counts["MCP servers"] = len(servers) if isinstance(servers, dict) else 0
    counts["programs"] = len(programs) if isinstance(programs, dict) else 0
    return ", ".join(f"{number} {kind[:-1] if number == 1 else kind}" for kind, number in counts.items() if number)


def count(folder: str, endings: tuple[str, ...]) -> int:
    return sum(name.endswith(endings) for _, _, names in os.walk(folder) for name in names)


def readme(folder: str) -> str:
    path = next((path for name in ("README.md", "GEMINI.md") if os.path.isfile(path := os.path.join(folder, name))), "")
    return read_text(path)[:20_000] if path else ""


def first_sentence(folder: str) -> str:
    """For manifests without a description: the first line of the README that is neither a heading nor a picture."""
    lines = (clean(line) for line in readme(folder).splitlines())
    return next((line for line in lines if line and line[0] not in "#[!<-=|>*`"), "")


def read_text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(LARGEST).decode("utf-8-sig", "replace")
    except OSError:
        return ""


def read_json(path: str) -> Any:
    try:
        return json.loads(read_text(path))
    except (ValueError, RecursionError):
        return None


def clean(value: object) -> str:
    """One line without control characters: what others wrote must not move the cursor."""
    text = value if isinstance(value, str) else "" if value is None else str(value)
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())


class Index:
    """`note` says what is not as it should be."""

    def __init__(self, database: sqlite3.Connection, note: str = "") -> None:
        self.database = database
        self.note = note
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
        self.is_full_text = "words" in tables

    def all(self) -> list[Extension]:
        return self._found("SELECT {} FROM extensions ORDER BY name COLLATE NOCASE")

    def named(self, name: str) -> list[Extension]:
        return self._found("SELECT {} FROM extensions WHERE name = ? COLLATE NOCASE ORDER BY path", name)

    def search(self, words: list[str]) -> tuple[list[Extension], list[str]]:
        """What fits, best first, and the words that were searched for instead, where some were misspelled."""
        found = self._matching(words, " AND ") if words else []
        if found or not words:
            return found, words
        nearest = [self.nearest(word) or word for word in words]
        found = self._matching(nearest, " AND ") if nearest != words else []
        return (found, nearest) if found else (self._matching(nearest, " OR "), nearest)

    def nearest(self, word: str) -> str:
        """The word of the index that was probably meant."""
        known = {each for one in self.all() for each in split(f"{one.name} {one.description} {one.keywords}")}
        return "" if word in known else next(iter(get_close_matches(word, known, n=1, cutoff=0.75)), "")

    def _matching(self, words: list[str], joined: str) -> list[Extension]:
        wanted = " ".join(words)
        if self.is_full_text:
            query = joined.join(f'"{word}"*' for word in words)
            ranked = "SELECT {} FROM extensions JOIN words ON words.rowid = extensions.id WHERE words MATCH ? "
            found = self._found(ranked + "ORDER BY bm25(words, 10, 4, 6, 1), extensions.name", query)
        else:
            test = joined.join(["(name || ' ' || description || ' ' || keywords || ' ' || text LIKE ?)"] * len(words))
            plain = "SELECT {} FROM extensions WHERE " + test + " ORDER BY name COLLATE NOCASE"
            found = self._found(plain, *(f"%{word}%" for word in words))
        return sorted(found, key=lambda each: closeness(each.name.lower(), wanted))

    def _found(self, query: str, *values: str) -> list[Extension]:
        columns = ", ".join(f"extensions.{field}" for field in Extension._fields)
        return [Extension(*row) for row in self.database.execute(query.format(columns), values)]


def closeness(name: str, wanted: str) -> int:
    """A name that is what was typed comes first, then one that begins so; the rest stays in its order."""
    return 0 if name == wanted else 1 if name.startswith(wanted) else 2


def split(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def opened() -> Index:
    """The index of the sources: the one in the cache, if nothing has changed since, else a new one."""
    given = sources()
    files = [path for source in given for path in files_of(source)]
    state = fingerprint(files)
    name = hashlib.sha256("\0".join(given).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    path = os.path.join(cache_folder(), f"{name}.sqlite")
    database = kept(path, state)
    if database:
        return Index(database)
    found = {(each.name, each.path): each for file in files for each in extensions_in(file)}
    return built(path, state, list(found.values()))


def kept(path: str, state: str) -> sqlite3.Connection | None:
    if not os.path.isfile(path):
        return None
    database = sqlite3.connect(path)
    try:
        if database.execute("SELECT state FROM built").fetchone() == (state,):
            return database
    except sqlite3.DatabaseError:  # of another version, or damaged: it is only a cache
        pass
    database.close()
    return None


def built(path: str, state: str, extensions: list[Extension]) -> Index:
    """Written beside and moved into its place, so that two runs at once do not disturb each other."""
    fresh = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with closing(sqlite3.connect(fresh)) as database:
            note = fill(database, state, extensions)
        os.replace(fresh, path)
        return Index(sqlite3.connect(path), note)
    except (OSError, sqlite3.OperationalError):  # a cache that cannot be written, as in a sandbox
        database = sqlite3.connect(":memory:")
        return Index(database, fill(database, state, extensions))


def fill(database: sqlite3.Connection, state: str, extensions: list[Extension]) -> str:
    database.execute(f"CREATE TABLE extensions (id INTEGER PRIMARY KEY, {', '.join(Extension._fields)})")
    marks = ", ".join("?" * len(Extension._fields))
    database.executemany(f"INSERT INTO extensions VALUES (NULL, {marks})", extensions)
    note = ""
    try:
        columns = "name, description, keywords, text, content='extensions', content_rowid='id'"
        database.execute(f"CREATE VIRTUAL TABLE words USING fts5({columns}, prefix='2 3')")
        database.execute("INSERT INTO words (words) VALUES ('rebuild')")
    except sqlite3.OperationalError as error:
        note = f"this Python's SQLite has no full text search ({error}): results are not ranked by how well they fit"
    database.execute("CREATE TABLE built AS SELECT ? AS state", (state,))
    database.commit()
    return note
