"""What an author declares: `[build]` in pisces.toml, or `[tool.pisces.build]` in pyproject.toml.

The nearest file with such a table counts, from the current folder up to the root of the repository; of two in one
folder, pisces.toml. Every path in it is relative to the file's folder and stays inside of it.
"""

from __future__ import annotations

import os

from pisces.converting.writer import WriteOptions, all_writers
from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.discovery.containment import lies_in
from pisces.discovery.own_config import FILE, table_in
from pisces.discovery.package_format import all_formats
from pisces.formats.fit import FLAG, TEXT, Either, Listed, Mapped, Record, misfits, noun_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.discovery.own_config import OwnTable
    from pisces.places import Places

BUILD_CONFIG = Rule("build-config", ERROR, "The configuration of `build` cannot be used")
BUILD_CONFIG_MISSING = Rule("build-config-missing", ERROR, "There is no configuration of `build`")

_TABLE = "build"
MANIFEST_VERSION, TAG_VERSION = "manifest", "git-tag"

_TEXTS = Listed(TEXT)
_TARGET = Record(
    {},
    {
        "out": TEXT,
        "widen": FLAG,
        "without-hooks": FLAG,
        "without-prefix": FLAG,
        "skip-skills": _TEXTS,
        "platforms": _TEXTS,
        "accept": _TEXTS,
    },
    closed=True,
)
_SHAPE = Record(
    {},
    {
        "source": Either((TEXT, _TEXTS)),
        "format": TEXT,
        "version": TEXT,
        "version-files": _TEXTS,
        "version-except": _TEXTS,
        "exclude": _TEXTS,
        "overlays": TEXT,
        "accept": _TEXTS,
        "targets": Either((_TEXTS, Mapped(Either((TEXT, _TARGET))))),
    },
    closed=True,
)


class BuildTarget(Value):
    """`out` is relative to the folder of the configuration, with slashes. `platforms` are those of its archives.

    `accepted` are codes of losses that the author knows of: they do not make a build fail.
    """

    id: str
    out: str
    options: WriteOptions = WriteOptions()
    platforms: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()


class BuildConfig(Value):
    """`path` is the file. `source` is a folder or several; `format` says how it is read where several fit.

    `results` are the folders of outputs and of overlays on the disk: what is in them is no source. Nor are archives
    that lie in one of `releases`: the folders that outputs are in, and the one of `--archive`.
    """

    path: str
    source: str | tuple[str, ...] = "."
    format: str | None = None
    version: str = MANIFEST_VERSION
    version_files: tuple[str, ...] = ()
    version_except: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    overlays: str = "overlays"
    targets: tuple[BuildTarget, ...] = ()
    results: tuple[str, ...] = ()
    releases: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        return os.path.dirname(self.path)

    def at(self, path: str) -> str:
        """A path of the configuration as one of the disk."""
        return os.path.normpath(os.path.join(self.folder, path))


def read_config(places: Places) -> BuildConfig:
    """`PiscesError` where there is none, or where it cannot be used as it is."""
    for folder in places.ancestors():
        found = build_table(folder)
        if found:
            return _Reading(found).config()
    hint = "`pisces build --init` proposes one"
    raise PiscesError(BUILD_CONFIG_MISSING.at(places.cwd, f"no `[build]` in a {FILE} or pyproject.toml", hint=hint))


def build_table(folder: str) -> OwnTable | None:
    """What a folder declares, even where it cannot be used. `PiscesError` where the file cannot be read."""
    found = table_in(folder, _TABLE, BUILD_CONFIG)
    if isinstance(found, Diagnostic):
        raise PiscesError(found)
    return found


class _Reading:
    """Reads one table. The first thing that is wrong with it ends the reading."""

    def __init__(self, table: OwnTable) -> None:
        self._table = table

    def config(self) -> BuildConfig:
        values = self._table.value
        if not isinstance(values, dict):
            raise self._refusal((), f"`{'.'.join(self._table.keys)}` must be a table, not {noun_of(values)}")
        for misfit in misfits(values, _SHAPE):
            where = f"`{'.'.join(map(str, misfit.path))}` " if misfit.path and not misfit.unknown else ""
            raise self._refusal(misfit.path, f"{where}{misfit.message}")
        known = [each.id for each in all_formats()]
        if "format" in values and values["format"] not in known:
            raise self._refusal(("format",), f"there is no format `{values['format']}`", f"one of {', '.join(known)}")
        source = values.get("source", ".")
        made = BuildConfig(
            self._table.path,
            source if isinstance(source, str) else tuple(source),
            values.get("format"),
            values.get("version", MANIFEST_VERSION),
            tuple(values.get("version-files", ())),
            tuple(values.get("version-except", ())),
            tuple(each.removeprefix("./") for each in values.get("exclude", ())),
            values.get("overlays", "overlays"),
            tuple(self._targets(values.get("targets", {}), tuple(values.get("accept", ())))),
        )
        self._refuse_unsafe(made)
        results = (made.overlays, *(each.out for each in made.targets))
        outs = (os.path.dirname(made.at(each.out)) for each in made.targets)
        releases = tuple(dict.fromkeys(each for each in outs if each != made.folder))
        return made.replace(results=tuple(map(made.at, results)), releases=releases)

    def _targets(self, values: Any, accepted: tuple[str, ...]) -> Iterator[BuildTarget]:
        known = [each.id for each in all_writers()]
        for name in values:
            if name not in known:
                raise self._refusal(("targets", name), f"there is no target `{name}`", f"one of {', '.join(known)}")
            said = values[name] if isinstance(values, dict) else {}
            fields: dict[str, Any] = {"out": said} if isinstance(said, str) else said
            options = WriteOptions(
                fields.get("widen", False),
                fields.get("without-hooks", False),
                fields.get("without-prefix", False),
                tuple(fields.get("skip-skills", ())),
            )
            out, platforms = fields.get("out") or f"dist/{name}", tuple(fields.get("platforms", ()))
            yield BuildTarget(name, out, options, platforms, (*accepted, *fields.get("accept", ())))

    def _refuse_unsafe(self, config: BuildConfig) -> None:
        """Paths that lead out of the repository, and outputs that lie in each other or over the source."""
        sources = (config.source,) if isinstance(config.source, str) else config.source
        named = [
            *((("source",), path) for path in sources),
            (("overlays",), config.overlays),
            *((("version-files",), path.partition("#")[0]) for path in config.version_files),
            *((("targets", each.id), each.out) for each in config.targets),
        ]
        if config.version not in (MANIFEST_VERSION, TAG_VERSION):
            named.append((("version",), config.version))
        root = os.path.realpath(config.folder)
        for keys, path in named:
            if not self._is_inside(config, path, root):
                hint = "name a path inside of it, relative to this file"
                raise self._refusal(keys, f"`{path}` leads out of the folder of this file", hint)
        self._refuse_overlaps(config, sources)

    def _is_inside(self, config: BuildConfig, path: str, root: str) -> bool:
        try:
            plain = os.path.normpath(path).replace(os.sep, "/")
            leads_up = os.path.isabs(path) or plain.split("/")[0] == ".." or ":" in path.split("/")[0]
            return not leads_up and "\0" not in path and lies_in(os.path.realpath(config.at(path)), root)
        except (OSError, ValueError):
            return False

    def _refuse_overlaps(self, config: BuildConfig, sources: tuple[str, ...]) -> None:
        outs: list[tuple[str, str]] = []
        for target in config.targets:
            out = config.at(target.out)
            for name, other in outs:
                if lies_in(out, other) or lies_in(other, out):
                    raise self._refusal(("targets", target.id), f"`{target.out}` and the output of {name} overlap")
            for path in (*sources, config.overlays, ".git"):
                if lies_in(config.at(path), out):
                    hint = "name a folder that has nothing else in it, as in `dist/NAME`"
                    raise self._refusal(("targets", target.id), f"`{target.out}` holds `{path}`", hint)
            if lies_in(out, config.at(".git")):
                raise self._refusal(("targets", target.id), f"`{target.out}` is in git's own folder")
            outs.append((target.id, out))

    def _refusal(self, keys: tuple[str | int, ...], message: str, hint: str = "") -> PiscesError:
        return PiscesError(BUILD_CONFIG.at(self._table.path, message, place=self._table.place(keys), hint=hint))
