"""`.pisces/origin.json` of a converted package: what it was made of, and what was written. The way back reads it.

A source file is either named by the output that has the same bytes, or its content is here. Everything in the file is
somebody else's text when it is read: paths stay inside, digests are checked before a file is given back.
"""

from __future__ import annotations

import os
import re
from base64 import b64decode, b64encode
from hashlib import sha256

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.discovery.package_format import all_formats
from pisces.files import Unreadable, read_bytes
from pisces.formats.fit import FLAG, TEXT, Listed, Mapped, Record, misfits, one_of
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

ORIGIN = ".pisces/origin.json"
VERSION = "1"
MOST_FILES = 20_000

ORIGIN_UNUSABLE = Rule("convert-origin-unusable", WARNING, "The record of a converted package's source cannot be used")

# A drive, and what no name may hold or no text can say.
_OUTER = re.compile(r"[A-Za-z]:|[^\x00]*[\x00-\x1f\\\ud800-\udfff]")


class OriginSource(Value):
    """A file of the source: `output` is a written file with the same bytes, else `data` is its content.

    With neither, its content is not recorded.
    """

    path: str
    digest: str
    is_executable: bool = False
    output: str = ""
    data: bytes | None = None


class OriginOutput(Value):
    """A file that was written, and the files of the source that it was made of."""

    path: str
    digest: str
    is_executable: bool = False
    sources: tuple[str, ...] = ()


class PluginOrigin(Value):
    """`format` and `target` are formats of packages: that of the source and that of the output."""

    harness: str
    format: str
    target: str
    sources: tuple[OriginSource, ...] = ()
    outputs: tuple[OriginOutput, ...] = ()


def digest_of(data: bytes) -> str:
    return sha256(data).hexdigest()


def is_inner_path(path: str) -> bool:
    """Whether a path with slashes names a file below a folder, on every system."""
    return not _OUTER.match(path) and not any(part in ("", ".", "..") for part in path.split("/"))


def manifest_of(package_format: str) -> str:
    """Where a format has its manifest; empty for one that has none."""
    return next((each.manifest for each in all_formats() if each.id == package_format), "")


def origin_in(folder: str) -> PluginOrigin | Diagnostic | None:
    """The record in a folder; None where there is none."""
    path = os.path.join(folder, *ORIGIN.split("/"))
    if not os.path.lexists(path):
        return None
    if os.path.islink(path) or os.path.islink(os.path.dirname(path)):
        return ORIGIN_UNUSABLE.at(path, "the record is a link")
    try:
        return _origin(parse(read_bytes(path).decode("utf-8")))
    except Unreadable as error:
        return ORIGIN_UNUSABLE.at(path, f"the record {error.message}")
    except Malformed as error:
        return ORIGIN_UNUSABLE.at(path, error.message, place=(error.line, error.column))
    except ValueError as error:  # text that is not UTF-8, content that is not base64, a misfit
        return ORIGIN_UNUSABLE.at(path, f"the record cannot be used: {error}")


def written_before(folder: str) -> dict[str, str]:
    """The files that an earlier conversion wrote into a folder, with their digests; none where there is no record.

    The record itself is not among them.
    """
    found = origin_in(folder)
    return {each.path: each.digest for each in found.outputs} if isinstance(found, PluginOrigin) else {}


def origin_text(origin: PluginOrigin) -> bytes:
    import json  # only whoever converts writes one

    values = {
        "version": VERSION,
        "source": {"harness": origin.harness, "format": origin.format},
        "target": origin.target,
        "sources": {each.path: _source_json(each) for each in origin.sources},
        "outputs": {each.path: _output_json(each) for each in origin.outputs},
    }
    return json.dumps(values, indent=1, ensure_ascii=False).encode() + b"\n"


def _source_json(file: OriginSource) -> dict[str, Any]:
    values: dict[str, Any] = _file_json(file)
    if file.output:
        return {**values, "output": file.output}
    if file.data is None:
        return values
    try:
        return {**values, "text": file.data.decode("utf-8")}
    except UnicodeDecodeError:
        return {**values, "base64": b64encode(file.data).decode("ascii")}


def _output_json(file: OriginOutput) -> dict[str, Any]:
    return {**_file_json(file), **({"from": list(file.sources)} if file.sources else {})}


def _file_json(file: OriginSource | OriginOutput) -> dict[str, Any]:
    return {"sha256": file.digest, **({"executable": True} if file.is_executable else {})}


_FILE = {"executable": FLAG}
_SHAPE = Record(
    {
        "version": one_of(VERSION),
        "source": Record({"harness": TEXT, "format": TEXT}),
        "target": TEXT,
        "sources": Mapped(Record({"sha256": TEXT}, {**_FILE, "output": TEXT, "text": TEXT, "base64": TEXT})),
        "outputs": Mapped(Record({"sha256": TEXT}, {**_FILE, "from": Listed(TEXT)})),
    }
)


def _origin(value: Any) -> PluginOrigin:
    """`ValueError` for a value of another shape, or with a path that leads out."""
    misfit = next(misfits(value, _SHAPE), None)
    if misfit:
        raise ValueError(f"`{'.'.join(map(str, misfit.path))}` {misfit.message}")
    if len(value["sources"]) + len(value["outputs"]) > MOST_FILES:
        raise ValueError(f"it names more than {MOST_FILES:,} files")
    outputs = tuple(_output(path, each) for path, each in value["outputs"].items())
    sources = tuple(_source(path, each) for path, each in value["sources"].items())
    known = {each.path for each in outputs}
    named = {*known, *(each.path for each in sources)}
    outer = next((path for path in sorted(named) if not is_inner_path(path)), None)
    if outer is not None:
        raise ValueError(f"`{outer}` is no path inside of a package")
    if any(each.output and each.output not in known for each in sources):
        raise ValueError("a source is in an output that was not written")
    return PluginOrigin(value["source"]["harness"], value["source"]["format"], value["target"], sources, outputs)


def _output(path: str, value: Mapping[str, Any]) -> OriginOutput:
    return OriginOutput(path, value["sha256"], value.get("executable", False), tuple(value.get("from", ())))


def _source(path: str, value: Mapping[str, Any]) -> OriginSource:
    data = value["text"].encode("utf-8") if "text" in value else None
    if "base64" in value:
        data = b64decode(value["base64"], validate=True)
    return OriginSource(path, value["sha256"], value.get("executable", False), value.get("output", ""), data)
